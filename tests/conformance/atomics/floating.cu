// Floating-point atomicAdd and atomicExch; sums of small integers are exact in any order.
#include "../check.h"

template <class T>
__global__ void sum(T *global, T *exchanged, int *lost) {
  __shared__ T mine;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  atomicAdd(&mine, static_cast<T>(threadIdx.x + 1));
  const T before = atomicAdd(global, static_cast<T>(0.5));
  if (!(before >= 0)) atomicAdd(lost, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(global + 1, mine);
  if constexpr (sizeof(T) == 4) atomicExch(exchanged, static_cast<T>(2.75));
}

template <class T>
static void test() {
  check::DeviceArray<T> global(2, T(0)), exchanged(1, T(0));
  check::DeviceArray<int> lost(1, 0);
  sum<<<9, 77>>>(global.get(), exchanged.get(), lost.get());
  LAUNCH_OK();
  CHECK_EQ(global.download()[0], T(9 * 77 * 0.5));
  CHECK_EQ(global.download()[1], T(9 * 77 * 78 / 2));
  if (sizeof(T) == 4) CHECK_EQ(exchanged.download()[0], T(2.75));
  CHECK_EQ(lost.download()[0], 0);
}

// Minimum and maximum by compare-and-swap, as programs write them.
__device__ void atomicMaxFloat(float *cell, float value) {
  int *bits = reinterpret_cast<int *>(cell);
  for (int seen = *bits; __int_as_float(seen) < value;) {
    const int previous = atomicCAS(bits, seen, __float_as_int(value));
    if (previous == seen) break;
    seen = previous;
  }
}
__device__ void atomicMinDouble(double *cell, double value) {
  unsigned long long *bits = reinterpret_cast<unsigned long long *>(cell);
  for (unsigned long long seen = *bits; __longlong_as_double(seen) > value;) {
    const unsigned long long previous = atomicCAS(bits, seen, __double_as_longlong(value));
    if (previous == seen) break;
    seen = previous;
  }
}
__global__ void extremes(float *largest, double *smallest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMaxFloat(largest, static_cast<float>((i * 7919) % 1009) - 500);
  atomicMinDouble(smallest, static_cast<double>((i * 104729) % 1013) - 700);
}

int main() {
  test<float>();
  test<double>();
  check::DeviceArray<float> largest(1, -1e30f);
  check::DeviceArray<double> smallest(1, 1e300);
  extremes<<<11, 100>>>(largest.get(), smallest.get());
  LAUNCH_OK();
  CHECK_EQ(largest.download()[0], 508.0f);
  CHECK_EQ(smallest.download()[0], -700.0);
  return check::finish();
}
