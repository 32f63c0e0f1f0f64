// Programs written before CUDA 12 wait in a kernel for what its block has launched (with later toolkits: an architecture
// before sm_90 and -DCUDA_FORCE_CDP1_IF_SUPPORTED).
// options: -rdc=true -lcudadevrt
#include "../conformance/check.h"

__global__ void increment(int *value) { atomicAdd(value, 1); }

__global__ void sum(int *data, int stride) {
  data[threadIdx.x] += data[threadIdx.x + stride];
  __syncthreads();
  if (stride > 1 && threadIdx.x == 0) {
    sum<<<1, stride / 2>>>(data, stride / 2);
    cudaDeviceSynchronize();
    data[stride] = data[0];
  }
  __syncthreads();
}

// More launches than cudaLimitDevRuntimePendingLaunchCount, which drain as others come.
__global__ void flood(int *value, int launches) {
  for (int i = 0; i < launches; ++i) increment<<<1, 1>>>(value);
  cudaDeviceSynchronize();
  *value = cudaGetLastError() == cudaSuccess ? *value * 2 : -1;
}

int main() {
  check::DeviceArray<int> data(256, 1), value(1, 0);
  sum<<<1, 128>>>(data.get(), 128);
  LAUNCH_OK();
  CHECK_EQ(data.download()[0], 256);
  CHECK_EQ(data.download()[128], 256);
  flood<<<1, 1>>>(value.get(), 3000);
  LAUNCH_OK();
  CHECK_EQ(value.download()[0], 6000);
  return check::finish();
}
