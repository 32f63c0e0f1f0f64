// Of the architectures that a program is compiled for, the highest that the device can run does: the code, what
// __CUDA_ARCH__ was in it, and the attributes are of the same.
// options: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=[sm_80,compute_80]
// options: -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=[sm_100,compute_100]
#include "../check.h"

#include <algorithm>

__device__ int seen = -1;
__constant__ int table[2] = {3, 4};

template <class T>
__global__ void architecture(T *result) {
#if __CUDA_ARCH__ >= 900
  __shared__ int words[90];
#else
  __shared__ int words[70];
#endif
  words[threadIdx.x] = table[1];
#ifdef __CUDA_ARCH__
  *result = seen = __CUDA_ARCH__ + words[threadIdx.x] - 4;
#endif
}

int main() {
  int device = 0, major = 0, minor = 0;
  CUDA_OK(cudaGetDevice(&device));
  CUDA_OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  CUDA_OK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  const int capability = 10 * major + minor;
  int expected = 0;
  for (int named : {75, 80, 90, 100})
    if (named <= capability) expected = named;

  cudaFuncAttributes attributes{};
  CUDA_OK(cudaFuncGetAttributes(&attributes, architecture<int>));
  CHECK_EQ(attributes.ptxVersion, expected);
  const bool isBinary = expected / 10 == major;
  CHECK_EQ(attributes.binaryVersion, isBinary ? expected : capability);
  CHECK_EQ(attributes.sharedSizeBytes, (expected >= 90 ? 90 : 70) * sizeof(int));

  check::DeviceArray<int> result(1, 0);
  architecture<<<1, 1>>>(result.get());
  CUDA_OK(cudaGetLastError());
  CHECK_EQ(result.download()[0], 10 * expected);
  int stored = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&stored, seen, sizeof stored));
  CHECK_EQ(stored, 10 * expected);
  return check::finish();
}
