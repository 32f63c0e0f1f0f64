// cudaFuncGetAttributes: static shared and constant sizes, the thread limit, the effect of cudaFuncSetAttribute.
// unoptimised: no
#include "../check.h"

__constant__ int table[100];

__global__ void plain(int *out) { *out = 1; }
__global__ void __launch_bounds__(256, 2) bounded(int *out) { *out = 1; }
__global__ void __launch_bounds__(128, 1, 4) boundedInClusters(int *out) { *out = 1; }

template <int Registers>
__global__ void __maxnreg__(Registers) frugal(double *out) {
  double values[40];
  for (int i = 0; i < 40; ++i) values[i] = out[i];
#pragma unroll
  for (int step = 1; step < 40; ++step) values[step] = fma(values[step - 1], values[(step * 7) % 40], values[step]);
  for (int i = 0; i < 40; ++i) out[i] = values[i];
}
__global__ void withShared(int *out) {
  __shared__ int values[1000];
  __shared__ char more[24];
  values[threadIdx.x] = threadIdx.x;
  more[threadIdx.x % 24] = 1;
  __syncthreads();
  *out = values[0] + more[0] + table[threadIdx.x];
}

__global__ void withLocal(int *out) {
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = out[i];
  for (int i = 0; i < 64; ++i) out[i] = values[values[i] & 63];
}

int main() {
  cudaFuncAttributes a = {};
  CUDA_OK(cudaFuncGetAttributes(&a, withLocal));
  CHECK_EQ(a.localSizeBytes, 256u);
  CUDA_OK(cudaFuncGetAttributes(&a, plain));
  CHECK_EQ(a.sharedSizeBytes, 0u);
  CHECK_EQ(a.localSizeBytes, 0u);
  CHECK_EQ(a.maxThreadsPerBlock, 1024);
  CHECK(a.numRegs > 0 && a.numRegs <= 255);
  CHECK(a.binaryVersion >= 50);
  CUDA_OK(cudaFuncGetAttributes(&a, bounded));
  CHECK_EQ(a.maxThreadsPerBlock, 256);
  CUDA_OK(cudaFuncGetAttributes(&a, boundedInClusters));
  CHECK_EQ(a.maxThreadsPerBlock, 128);
  CUDA_OK(cudaFuncGetAttributes(&a, frugal<24>));
  CHECK(a.numRegs <= 24);
  CUDA_OK(cudaFuncGetAttributes(&a, withShared));
  CHECK_EQ(a.sharedSizeBytes, 4024u);
  CHECK_EQ(a.maxDynamicSharedSizeBytes, 49152 - 4024);
  CUDA_OK(cudaFuncSetAttribute(withShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  CUDA_OK(cudaFuncGetAttributes(&a, withShared));
  CHECK_EQ(a.maxDynamicSharedSizeBytes, 60000);
  CUDA_OK(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
  CUDA_OK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 50));

  int notAKernel = 0;
  CHECK_EQ(cudaFuncGetAttributes(&a, reinterpret_cast<const void *>(&notAKernel)), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  return check::finish();
}
