// cudaDeviceReset frees everything of the device; afterwards it can be used again, also by module variables.
#include "../check.h"

__device__ int counter = 7;

__global__ void increment(int *out) { *out = ++counter; }

int main() {
  int *out = nullptr;
  CUDA_OK(cudaMalloc(&out, sizeof(int)));
  increment<<<1, 1>>>(out);
  LAUNCH_OK();
  int host = 0;
  CUDA_OK(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 8);
  CUDA_OK(cudaDeviceReset());
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaFree(out), cudaErrorInvalidValue);  // gone with the reset
  cudaGetLastError();

  CUDA_OK(cudaMalloc(&out, sizeof(int)));
  increment<<<1, 1>>>(out);
  LAUNCH_OK();
  CUDA_OK(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 8);  // module variables have their first value again
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaDeviceReset());
  CUDA_OK(cudaDeviceReset());
  return check::finish();
}
