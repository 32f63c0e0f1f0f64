// Threads whose elements are side by side but for some: clamped at an edge, mirrored, wrapped around a row or a torus,
// divided into groups, masked bits, numbers that overflow. Each thread must read and write the element that the same
// arithmetic gives on the host [CUDA 3.2.2, 5.1].
#include <cstdint>
#include <vector>

#include "../check.h"

// Place is an index that thread `t` computes from two numbers that all threads share; the caller takes it modulo the
// size of what it indexes.
#define PLACE(name, type)                            \
  struct name {                                      \
    static const char *title() { return #name; }     \
    __host__ __device__ static type at(type t, type n, type m)

PLACE(ClampedSigned, int) { return min(max(t - m, 0), n - 1); }};
PLACE(ClampedBackwards, int) { return max(min(n - t, m), 0); }};
PLACE(ClampedUnsigned, unsigned) { return min(max(t, m), n); }};
PLACE(ClampedLong, long long) { return min(max(t - m, 0ll), n - 1); }};
PLACE(ClampedShort, int) { return (unsigned short)min((short)(t + n), (short)(m * 100)); }};
PLACE(TorusLeft, int) { return t == m ? n - 1 : t - 1; }};
PLACE(TorusRight, int) { return t != n - 1 ? t + 1 : 0; }};
PLACE(EqualBackwards, int) { return n - t == m ? 0 : n - t; }};
PLACE(LessSigned, int) { return t < m ? t : t - m; }};
PLACE(LessUnsigned, unsigned) { return t - m < n ? t - m : 0; }};
PLACE(GreaterSwapped, int) { return m > t ? t + n : t; }};
PLACE(RestUnsigned, unsigned) { return (t + m) % n; }};
PLACE(RestSigned, int) { return t % n; }};
PLACE(RestOfNegative, int) { return (t - m) % n + n; }};
PLACE(QuotientUnsigned, unsigned) { return (t + m) / n; }};
PLACE(QuotientSigned, int) { return (t - m) / n + m; }};
PLACE(ByConstants, int) { return t / 24 * 32 + t % 24; }};
PLACE(LowBits, unsigned) { return t & (m - 1); }};
PLACE(LowBitsOfSum, unsigned) { return (t + m) & (n - 1); }};
PLACE(HighBits, unsigned) { return t & ~31u; }};
PLACE(Exchanged, unsigned) { return t ^ m; }};
PLACE(ExchangedFar, unsigned) { return t ^ 64u; }};
PLACE(Butterfly, unsigned) { return 2 * t - (t & (m - 1)); }};
PLACE(Shifted, unsigned) { return (t >> 5) + m; }};
PLACE(ShiftedSigned, int) { return ((t - m) >> 4) + m; }};
PLACE(Overflowing, unsigned) { return (t + 0xfffffff0u + m) / 2; }};
PLACE(NarrowSum, int) { return (unsigned char)(t + m); }};
PLACE(NarrowSigned, int) { return (signed char)(t + m) + 128; }};
PLACE(TwoClamps, int) { return min(max(t / m, 1), n) * 16 + min(max(t % m - 1, 0), m - 2); }};

constexpr int most = 4096;

// Arrays has what the kernels read and write, on either side.
struct Arrays {
  const int *words;
  const unsigned char *bytes;
  const double *wide;
  int *out;
  unsigned char *low;
};

template <class Place, class Type>
__host__ __device__ void runThread(const Arrays &a, int t, int threads, Type n, Type m) {
  const unsigned place = (unsigned)(unsigned long long)Place::at((Type)t, n, m) & (most - 1);
  int sum = a.words[place] + a.bytes[place];
  if ((t & 7) != 3) sum += a.words[place] * 3;                 // some lanes are not there
  if (t >= m) sum -= (int)a.wide[(place + 1) & (most - 1)];    // the first are not
  for (int i = 0; i < 3; ++i) {
    const unsigned next = (unsigned)(unsigned long long)Place::at((Type)(t + i), n, m) & (most - 1);
    sum = sum * 5 + a.bytes[next];
  }
  a.out[t] = sum;
  a.low[t + threads] = (unsigned char)(sum >> 3);
}

template <class Place, class Type>
__global__ void run(Arrays a, int threads, Type n, Type m) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < threads) runThread<Place, Type>(a, t, threads, n, m);
}

// Each thread's element is its own, whatever the order of the threads.
template <class Type>
__global__ void writeWrapped(int *out, int threads, Type shift, Type n) {
  const Type t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  out[(t + shift) % n] = (int)t + 1;
  const Type left = t == 0 ? n - 1 : t - 1;
  out[threads + left] = (int)t + 2;
  out[2 * threads + (t ^ 1)] = (int)t + 3;
}

static std::vector<int> words(most);
static std::vector<unsigned char> bytes(most);
static std::vector<double> wide(most);

template <class T>
T *toDevice(const std::vector<T> &values) {
  T *memory;
  CUDA_OK(cudaMalloc(&memory, values.size() * sizeof(T)));
  CUDA_OK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

static int *deviceWords, *deviceOut;
static unsigned char *deviceBytes, *deviceLow;
static double *deviceWide;

template <class Place, class Type>
void compare(Type n, Type m, int threads, dim3 block) {
  std::vector<int> out(most), expected(most);
  std::vector<unsigned char> low(2 * most), expectedLow(2 * most);
  CUDA_OK(cudaMemset(deviceOut, 0, most * sizeof(int)));
  CUDA_OK(cudaMemset(deviceLow, 0, 2 * most));
  const unsigned size = block.x;
  run<Place, Type><<<(threads + size - 1) / size, block>>>(
      Arrays{deviceWords, deviceBytes, deviceWide, deviceOut, deviceLow}, threads, n, m);
  CUDA_OK(cudaMemcpy(out.data(), deviceOut, most * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(low.data(), deviceLow, 2 * most, cudaMemcpyDeviceToHost));
  for (int t = 0; t < threads; ++t)
    runThread<Place, Type>(Arrays{words.data(), bytes.data(), wide.data(), expected.data(), expectedLow.data()}, t,
                           threads, n, m);
  for (int t = 0; t < most; ++t)
    if (out[t] != expected[t] || low[t] != expectedLow[t]) {
      std::printf("%s: n %lld, m %lld, %d threads in blocks of %u: thread %d has %d, not %d\n", Place::title(),
                  (long long)n, (long long)m, threads, size, t, out[t], expected[t]);
      CHECK(false);
      return;
    }
}

template <class Place>
void compareAll() {
  using Type = decltype(Place::at(0, 1, 1));
  for (const int n : {1, 7, 16, 31, 100, 250, 2000})
    for (const int m : {1, 3, 16, 32, 63}) {
      compare<Place, Type>(n, m, 300, 128);
      compare<Place, Type>(n, m, 97, 33);
    }
}

template <class... Places>
void compareEach() {
  (compareAll<Places>(), ...);
}

template <class Type>
void compareWrites() {
  for (const int n : {2, 16, 34, 64, 500})
    for (const int shift : {0, 1, 15, 16, 33}) {
      CUDA_OK(cudaMemset(deviceOut, 0, 3 * 1024 * sizeof(int)));
      writeWrapped<Type><<<8, 64>>>(deviceOut, 1024, shift, n);
      std::vector<int> out(3 * 1024);
      CUDA_OK(cudaMemcpy(out.data(), deviceOut, out.size() * sizeof(int), cudaMemcpyDeviceToHost));
      for (int t = 0; t < n; ++t) {
        CHECK(out[(t + shift) % n] == t + 1);
        CHECK(out[1024 + (t == 0 ? n - 1 : t - 1)] == t + 2);
        CHECK(out[2048 + (t ^ 1)] == t + 3);
      }
    }
}

int main() {
  unsigned state = 12345;
  for (int i = 0; i < most; ++i) {
    state = state * 1664525 + 1013904223;
    words[i] = (int)(state >> 16);
    bytes[i] = (unsigned char)(state >> 8);
    wide[i] = (state >> 20) + 0.5;
  }
  deviceWords = toDevice(words);
  deviceBytes = toDevice(bytes);
  deviceWide = toDevice(wide);
  deviceOut = toDevice(std::vector<int>(most));
  deviceLow = toDevice(std::vector<unsigned char>(2 * most));
  compareEach<ClampedSigned, ClampedBackwards, ClampedUnsigned, ClampedLong, ClampedShort, TorusLeft, TorusRight,
              EqualBackwards, LessSigned, LessUnsigned, GreaterSwapped, RestUnsigned, RestSigned, RestOfNegative,
              QuotientUnsigned, QuotientSigned, ByConstants, LowBits, LowBitsOfSum, HighBits, Exchanged, ExchangedFar,
              Butterfly, Shifted, ShiftedSigned, Overflowing, NarrowSum, NarrowSigned, TwoClamps>();
  compareWrites<int>();
  compareWrites<unsigned>();
  compareWrites<long long>();
  return check::finish();
}
