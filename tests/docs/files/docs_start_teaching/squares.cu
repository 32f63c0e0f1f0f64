#include <cstdio>

__global__ void squares(int *numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] = i * i;
}

int main() {
  int n = 1000, *numbers;
  cudaMallocManaged(&numbers, n * sizeof(int));
  squares<<<(n + 255) / 256, 256>>>(numbers, n);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return printf("%s\n", cudaGetErrorString(error)), 1;
  printf("31 * 31 = %d\n", numbers[31]);
  cudaFree(numbers);
}
