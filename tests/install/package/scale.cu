#include "scale.h"

__global__ void scaleKernel(int *numbers, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] *= factor;
}

bool scale(int *numbers, int n, int factor) {
  int *device = nullptr;
  if (cudaMalloc(&device, n * sizeof(int)) != cudaSuccess) return false;
  cudaMemcpy(device, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
  scaleKernel<<<(n + 63) / 64, 64>>>(device, n, factor);
  const bool copied = cudaMemcpy(numbers, device, n * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;
  return cudaFree(device) == cudaSuccess && copied;
}
