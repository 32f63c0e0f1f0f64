// Shared variables of classes: nobody calls their constructors, which nvcc warns about; alignas may stand behind the specifier.
#include "../check.h"

struct Counter {
  int value;
  __device__ Counter() : value(1000) {}
  __device__ ~Counter() { value = -1; }
};

template <class T, int N>
struct Buffer {
  T items[N];
  Counter count;
  __device__ Buffer() { items[0] = 77; }
  __device__ T &operator[](int i) { return items[i]; }
};

template <class T>
__device__ T neighbourSum(T value) {
  __shared__ Buffer<T, 64> buffer;
  if (threadIdx.x == 0) buffer.count.value = 0;
  buffer[threadIdx.x] = value;
  __syncthreads();
  atomicAdd(&buffer.count.value, 1);
  __syncthreads();
  return buffer[(threadIdx.x + 1) % 64] + buffer.count.value;
}

__global__ void useClasses(double *result) {
  result[threadIdx.x] = neighbourSum(static_cast<int>(threadIdx.x)) + neighbourSum(0.5 * threadIdx.x);
}

__global__ void aligned(int *misaligned) {
  extern __shared__ __align__(128) unsigned char dynamic[];
  __shared__ alignas(32) char odd[33];
  __shared__ alignas(alignof(double2)) float tile[5];
  __shared__ Counter many[3];
  odd[threadIdx.x] = 0;
  tile[0] = 0;
  many[threadIdx.x % 3].value = 0;
  if (reinterpret_cast<size_t>(dynamic) % 128) atomicAdd(misaligned, 1);
  if (reinterpret_cast<size_t>(odd) % 32) atomicAdd(misaligned, 1);
  if (reinterpret_cast<size_t>(tile) % alignof(double2)) atomicAdd(misaligned, 1);
}

int main() {
  check::DeviceArray<double> result(64);
  useClasses<<<1, 64>>>(result.get());
  LAUNCH_OK();
  const auto values = result.download();
  for (int i = 0; i < 64; ++i) CHECK_EQ(values[i], (i + 1) % 64 * 1.5 + 128);
  check::DeviceArray<int> misaligned(1, 0);
  aligned<<<1, 32, 256>>>(misaligned.get());
  LAUNCH_OK();
  CHECK_EQ(misaligned.download()[0], 0);
  return check::finish();
}
