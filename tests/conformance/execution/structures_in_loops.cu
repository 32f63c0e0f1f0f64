// Structures of several sizes in grid-stride loops, behind branches by what is in memory and in blocks with threads
// that have left: where lanes part, members are read and written as where they do not.
#include "../check.h"

struct Triple {
  int a, b, c;
};
struct Mixed {
  double first;
  float second, third;
};

template <class Number>
struct Pair {
  Number x, y;
};

__host__ __device__ inline float2 made(float2 v, int i) { return make_float2(v.x + v.y, v.x - (float)i); }
__host__ __device__ inline float3 made(float3 v, int i) { return make_float3(v.z, v.x + v.y, (float)i); }
__host__ __device__ inline float4 made(float4 v, int) { return make_float4(v.w, v.z + v.x, v.y, v.x); }
__host__ __device__ inline double2 made(double2 v, int i) { return make_double2(v.y * 2, v.x + i); }
__host__ __device__ inline uchar4 made(uchar4 v, int i) {
  return make_uchar4(v.w, (unsigned char)(v.x + v.y), (unsigned char)i, v.z);
}
__host__ __device__ inline short2 made(short2 v, int i) { return make_short2((short)(v.x + v.y), (short)(v.y - i)); }
__host__ __device__ inline Triple made(Triple v, int i) { return {v.c, v.a + v.b, v.b - i}; }
__host__ __device__ inline Mixed made(Mixed v, int i) { return {v.second + v.first, v.third, (float)i}; }
__host__ __device__ inline Pair<long long> made(Pair<long long> v, int i) { return {v.x * 3 + i, v.x + v.y}; }

// loops() goes on by as many elements as there are threads; some threads have left before.
template <class T, class Index>
__global__ void loops(const T *from, T *to, const unsigned char *flags, Index n) {
  const Index threads = (Index)(gridDim.x * blockDim.x * blockDim.y);
  const Index start = (Index)(blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x);
  if (start >= n) return;
  for (Index i = start; i < n; i += threads) {
    const T value = from[i];
    if (flags[i] % 4)
      to[i] = made(value, (int)i);
    else
      to[i] = value;
  }
}

// inPlace() changes what it reads; flagged elements only.
template <class T>
__global__ void inPlace(T *values, const unsigned char *flags, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (flags[i] & 1) values[i] = made(values[i], i);
}

template <class T>
std::vector<T> numbers(int n) {
  std::vector<T> values(n);
  auto *bytes = reinterpret_cast<unsigned char *>(values.data());
  if constexpr (std::is_same_v<T, uchar4> || std::is_same_v<T, short2> || std::is_same_v<T, Triple>) {
    for (size_t i = 0; i < n * sizeof(T); ++i) bytes[i] = (unsigned char)(i * 37 + i / 256);
    if constexpr (std::is_same_v<T, Triple>)
      for (int i = 0; i < n; ++i) values[i] = {i, 3 * i - 1, 7 - i};
  } else if constexpr (std::is_same_v<T, Pair<long long>>) {
    for (int i = 0; i < n; ++i) values[i] = {i, 5 - i};
  } else if constexpr (std::is_same_v<T, Mixed>) {
    for (int i = 0; i < n; ++i) values[i] = {i * 0.5, (float)(i % 17), 3.f};
  } else {
    using Number = decltype(T::x);
    auto *each = reinterpret_cast<Number *>(values.data());
    for (size_t i = 0; i < n * sizeof(T) / sizeof(Number); ++i) each[i] = (Number)(i % 1000);
  }
  return values;
}

template <class T>
bool areEqual(const T *a, const std::vector<T> &b) {
  for (size_t i = 0; i < b.size(); ++i)
    for (size_t byte = 0; byte < sizeof(T); ++byte)
      if (reinterpret_cast<const char *>(a + i)[byte] != reinterpret_cast<const char *>(&b[i])[byte]) return false;
  return true;
}

template <class T>
void checkOne(int n, dim3 grid, dim3 block, bool allFlagged) {
  const std::vector<T> given = numbers<T>(n);
  T *from, *to;
  unsigned char *flags;
  CUDA_OK(cudaMallocManaged(&from, n * sizeof(T)));
  CUDA_OK(cudaMallocManaged(&to, n * sizeof(T)));
  CUDA_OK(cudaMallocManaged(&flags, n));
  std::vector<T> expected(given), changed(given);
  for (int i = 0; i < n; ++i) {
    flags[i] = allFlagged ? 1 : (unsigned char)(i * 7 / 3);
    from[i] = given[i];
    if (flags[i] % 4) expected[i] = made(given[i], i);
    if (flags[i] & 1) changed[i] = made(given[i], i);
  }
  loops<T, int><<<grid, block>>>(from, to, flags, n);
  LAUNCH_OK();
  CHECK(areEqual(to, expected));
  loops<T, unsigned><<<grid, block>>>(from, to, flags, (unsigned)n);
  LAUNCH_OK();
  CHECK(areEqual(to, expected));
  loops<T, size_t><<<grid, block>>>(from, to, flags, (size_t)n);
  LAUNCH_OK();
  CHECK(areEqual(to, expected));
  inPlace<<<grid, block.x>>>(from, flags, n);
  LAUNCH_OK();
  CHECK(areEqual(from, changed));
  CUDA_OK(cudaFree(from));
  CUDA_OK(cudaFree(to));
  CUDA_OK(cudaFree(flags));
}

template <class T>
void checkAll() {
  for (const int n : {1, 31, 97, 1500})
    for (const bool all : {false, true}) {
      checkOne<T>(n, 2, 32, all);
      checkOne<T>(n, 3, 100, all);
      checkOne<T>(n, 1, 256, all);
      checkOne<T>(n, 2, dim3(16, 3), all);
    }
}

int main() {
  checkAll<float2>();
  checkAll<float3>();
  checkAll<float4>();
  checkAll<double2>();
  checkAll<uchar4>();
  checkAll<short2>();
  checkAll<Triple>();
  checkAll<Mixed>();
  checkAll<Pair<long long>>();
  return check::finish();
}
