// What nvcc's own grammar takes: lists as launch configurations, GNU's typeof in every standard, kernels of all kinds,
// operands of asm without commas.
#include "../check.h"

__global__ void sizes(unsigned *result) {
  if (threadIdx.x || threadIdx.y || threadIdx.z || blockIdx.x || blockIdx.y || blockIdx.z) return;
  const unsigned values[] = {gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z};
  for (int i = 0; i < 6; ++i) result[i] = values[i];
}

// expect() launches sizes() and compares the six sizes, as digits of a number.
template <class Launch>
void expect(unsigned digits, Launch launch) {
  check::DeviceArray<unsigned> result(6, 0u);
  launch(result.get());
  LAUNCH_OK();
  unsigned found = 0;
  for (unsigned each : result.download()) found = found * 10 + each;
  CHECK_EQ(found, digits);
}

struct Sizes {
  int x, y;
  void launch(unsigned *result) const { sizes<<<{unsigned(x), unsigned(y)}, {3}>>>(result); }
};

class Counter {
  int count = 0;
  friend __global__ void countUp(Counter *counter);
  template <class T>
  friend __global__ void countBy(Counter *counter, T step);

 public:
  __host__ __device__ int value() const { return count; }
};
__global__ void countUp(Counter *counter) { ++counter->count; }
template <class T>
__global__ void countBy(Counter *counter, T step) {
  counter->count += step;
}

namespace {
template <int n>
struct Bounds {
  enum { threads = 32 * n };
};
template <int n, class T = int>
__launch_bounds__(Bounds<n>::threads, n > 2 ? 1 : 2) __global__ void bounded(T *sum, T step = T(n)) {
  typeof(*sum) held = step;
  atomicAdd(sum, held);
}
}  // namespace

// As in cuda::barrier of CCCL 2.3.
template <class T>
struct Adder {
  T first;
  __device__ T sum(T second, T third) const {
    T result, product;
    asm volatile("mul.lo.u32 %1, %2, %3; add.u32 %0, %1, %4;"
                 : "=&r"(result) "=&r"(product)
                 : "r"(first) "r"((second)), "r"(third)
                 : "memory");
    return result + product;
  }
};
__global__ void withoutCommas(unsigned *result) { *result = Adder<unsigned>{2}.sum(3, threadIdx.x + 5); }

int main() {
  expect(234567, [](unsigned *result) { sizes<<<{2, 3, 4}, {5, 6, 7}>>>(result); });
  expect(211311, [](unsigned *result) { sizes<<<{2}, {3}>>>(result); });
  expect(211321, [](unsigned *result) { sizes<<<2, {3, 2}, 16>>>(result); });
  expect(221321, [](unsigned *result) { sizes<<<dim3{2, 2}, {3, 2}, {16}, {}>>>(result); });
  expect(251311, [](unsigned *result) { Sizes{2, 5}.launch(result); });

  Counter *counter;
  CUDA_OK(cudaMallocManaged(&counter, sizeof(Counter)));
  *counter = Counter();
  countUp<<<1, 1>>>(counter);
  countBy<<<{1}, {1}>>>(counter, 3);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(counter->value(), 4);

  check::DeviceArray<unsigned> added(1, 0u);
  withoutCommas<<<1, 1>>>(added.get());
  LAUNCH_OK();
  CHECK_EQ(added.download()[0], 2u * 3 + 5 + 2 * 3);

  int *sum;
  CUDA_OK(cudaMallocManaged(&sum, sizeof(int)));
  *sum = 0;
  bounded<2><<<1, 64>>>(sum, 2);
  bounded<3, int><<<1, 96>>>(sum, 3);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(*sum, 64 * 2 + 96 * 3);
  CUDA_OK(cudaFree(sum));
  CUDA_OK(cudaFree(counter));
  return check::finish();
}
