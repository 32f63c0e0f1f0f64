// Functions of other units, called by the threads of whole warps, of a part of them and in loops that each leaves at
// another time: arguments and results of all sizes, indices of the thread, tables, recursion, calls from there.
#include "../../check.h"
#include "shared.h"

__global__ void values(const int *in, int *out, unsigned long long *wideOut, double *doubles, float *floats, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int v = in[i];
  floats[i] = polynomial(static_cast<float>(v) / 64);
  doubles[i] = atLeast(v / 8.0, 5.5);
  wideOut[i] = wide(static_cast<unsigned long long>(v) << 31, i);
  int sum = mixed(v & 1, static_cast<signed char>(v), static_cast<unsigned short>(v * 257),
                  static_cast<long long>(v) << 35, v / 16.0, i);
  if (isOdd(v)) sum += narrow(static_cast<signed char>(v));
  if (v % 3 == 0) sum += collatz(v + 1);
  sum += factorial(v % 8) + withTable(v);
  const Pair pair = swapped({static_cast<float>(v), 1.0f});
  put(out + i, sum + static_cast<int>(pair.first + 2 * pair.second));
}

__global__ void loops(const int *in, const int *table, int *out, int *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int result = 0;
  for (int turn = 0; turn < in[i] % 7; ++turn) result += find(table, 16, in[i] + turn) + viaThird(turn + i);
  out[i] = fromShared(result);
  add(sum, in[i]);
}

__global__ void indices(int *out) {
  const int linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int size = blockDim.x * blockDim.y * blockDim.z;
  out[blockIdx.x * size + linear] = linear % 5 == 2 ? -1 : whoAmI(linear % 3);
}

static int mixedOnHost(int v, int i) {
  const bool odd = v & 1;
  int sum = (odd ? 1000 : 2000) + static_cast<signed char>(v) * 3 + static_cast<unsigned short>(v * 257) + (v << 2) +
            v / 4 + i;
  if (odd) sum += static_cast<signed char>(static_cast<signed char>(v) * 3);
  if (v % 3 == 0)
    for (int c = v + 1; c != 1; c = c & 1 ? 3 * c + 1 : c / 2) ++sum;
  int product = 1;
  for (int k = 2; k <= v % 8; ++k) product *= k;
  const int table = ((v % 5 - v) & 7) * v;
  return sum + product + table + 1 + 2 * v;
}

static void testValues(int n, int threads) {
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 1000;
  check::DeviceArray<int> given(in), out(n, 0);
  check::DeviceArray<unsigned long long> wideOut(n, 0);
  check::DeviceArray<double> doubles(n, 0);
  check::DeviceArray<float> floats(n, 0);
  values<<<(n + threads - 1) / threads, threads>>>(given.get(), out.get(), wideOut.get(), doubles.get(), floats.get(),
                                                   n);
  LAUNCH_OK();
  const auto sums = out.download();
  const auto wides = wideOut.download();
  const auto maxima = doubles.download();
  const auto results = floats.download();
  for (int i = 0; i < n; ++i) {
    const int v = in[i];
    const float x = static_cast<float>(v) / 64;
    CHECK_EQ(sums[i], mixedOnHost(v, i));
    CHECK_EQ(wides[i], (static_cast<unsigned long long>(v) << 31) * 0x9e3779b97f4a7c15ull + i);
    CHECK_EQ(maxima[i], v / 8.0 > 5.5 ? v / 8.0 : 5.5);
    CHECK(std::fabs(results[i] - (((0.25f * x - 1.5f) * x + 0.75f) * x + 0.5f)) < 1e-3f);
  }
}

static void testLoops(int n) {
  std::vector<int> in(n), table(16);
  for (int i = 0; i < n; ++i) in[i] = i * 13 % 29;
  for (int i = 0; i < 16; ++i) table[i] = i * 5 % 31;
  check::DeviceArray<int> given(in), tables(table), out(n, 0), sum(1, 0);
  loops<<<(n + 127) / 128, 128>>>(given.get(), tables.get(), out.get(), sum.get(), n);
  LAUNCH_OK();
  const auto results = out.download();
  int total = 0;
  for (int i = 0; i < n; ++i) {
    int expected = 7;
    for (int turn = 0; turn < in[i] % 7; ++turn) {
      int at = -1;
      for (int k = 15; k >= 0; --k)
        if (table[k] == in[i] + turn) at = k;
      const int value = turn + i, thread = i % 128;
      expected += at + (value & 1 ? 3 * value + thread + 1 : -(3 * (value / 2) + thread));
    }
    CHECK_EQ(results[i], expected);
    total += in[i];
  }
  CHECK_EQ(sum.download()[0], total);
}

static void testIndices(dim3 block) {
  const int blocks = 3, size = block.x * block.y * block.z;
  check::DeviceArray<int> out(blocks * size, 0);
  indices<<<blocks, block>>>(out.get());
  LAUNCH_OK();
  const auto results = out.download();
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < size; ++t) {
      const int x = t % block.x, y = t / block.x % block.y, z = t / block.x / block.y;
      const int expected = t % 3 + x + 100 * y + 10000 * z + 1000000 * b;
      CHECK_EQ(results[b * size + t], t % 5 == 2 ? -1 : expected);
    }
}

int main() {
  testValues(1000, 128);
  testValues(77, 24);
  testValues(300, 1);
  testLoops(500);
  for (dim3 block : {dim3(64), dim3(7, 5, 3), dim3(16, 16), dim3(3, 1, 20), dim3(33)}) testIndices(block);
  return check::finish();
}
