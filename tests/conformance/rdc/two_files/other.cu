// The other half: definitions that main.cu uses, and statics and a kernel named as there.
#include <cuda_runtime.h>

#include "shared.h"

__device__ Item items[8] = {{5, 0.5f}};
__constant__ float factors[4] = {10, 20, 30, 40};
static __device__ int sameName = 2;
static __constant__ int sameConstant = 2000;

__device__ int square(int value) { return value * value; }
__device__ int recursive(int n) { return n < 2 ? 1 : n * recursive(n - 1); }
__device__ int blockSum(int value) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, value);
  __syncthreads();
  const int result = sum;
  __syncthreads();
  return result;
}

struct Other : Base {
  __device__ int id() const override { return 2; }
};
__device__ Base *makeOther() { return new Other; }

__global__ static void localKernel(int *out) { out[threadIdx.x] = sameName + sameConstant + counter + threadIdx.x; }

int launchOther(int *device, int n) {
  localKernel<<<1, n>>>(device);
  return cudaGetLastError();
}
int ownStatic() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, sameName, sizeof value);
  return value;
}
