#include <cuda.h>
#include <curand.h>

#include <cstdio>

__device__ int unused;

int main() {
  int *value = nullptr;
  if (cudaMallocManaged(&value, sizeof *value) != cudaSuccess) return 1;
  CUmodule module;
  CUfunction function;
  if (cuModuleLoad(&module, KERNEL) != CUDA_SUCCESS) return 2;
  if (cuModuleGetFunction(&function, module, "answer") != CUDA_SUCCESS) return 3;
  void *arguments[] = {&value};
  if (cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS) return 4;
  if (cudaDeviceSynchronize() != cudaSuccess) return 5;
  int version = 0;
  if (curandGetVersion(&version) != CURAND_STATUS_SUCCESS) return 6;
  std::printf("%d\n", *value);
  return 0;
}
