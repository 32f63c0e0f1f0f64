// `extern __shared__` variables of a known size, which nvcc takes for static ones, with a warning: arrays with a bound,
// scalars, structures, of a kernel, of a template and of the file.
#include "../check.h"

struct Pair {
  int first;
  float second;
};

extern __shared__ int ofFile;
extern __shared__ Pair pairs[32];

__global__ void bounded(int *result) {
  extern __shared__ int values[64];
  __shared__ extern double sums[64];
  values[threadIdx.x] = (int)threadIdx.x * 3;
  sums[threadIdx.x] = 0.5;
  __syncthreads();
  result[threadIdx.x] = values[63 - threadIdx.x] + (int)(sums[63 - threadIdx.x] * 2);
}

template <class T, int n>
__global__ void templated(T *result) {
  extern __shared__ T elements[n];
  extern __shared__ T last;
  elements[threadIdx.x] = T(threadIdx.x);
  if (threadIdx.x == n - 1) last = T(1000);
  __syncthreads();
  result[threadIdx.x] = elements[n - 1 - threadIdx.x] + last;
}

__global__ void ofTheFile(int *result) {
  extern __shared__ char dynamic[];
  if (threadIdx.x == 0) ofFile = 40;
  pairs[threadIdx.x] = {(int)threadIdx.x, 0.25f};
  dynamic[threadIdx.x] = 1;
  __syncthreads();
  const Pair other = pairs[31 - threadIdx.x];
  result[threadIdx.x] = ofFile + other.first + (int)(other.second * 4) + dynamic[31 - threadIdx.x];
}

int main() {
  int *result;
  CUDA_OK(cudaMallocManaged(&result, 64 * sizeof(int)));
  bounded<<<1, 64>>>(result);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(result[i], (63 - i) * 3 + 1);
  templated<int, 32><<<1, 32>>>(result);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) CHECK_EQ(result[i], 1031 - i);
  ofTheFile<<<1, 32, 32>>>(result);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) CHECK_EQ(result[i], 40 + 31 - i + 2);

  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, bounded));
  CHECK_EQ(attributes.sharedSizeBytes, size_t(64 * 12));
  return check::finish();
}
