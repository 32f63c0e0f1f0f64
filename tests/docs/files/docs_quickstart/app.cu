#include <cstdio>

__global__ void add(int *sum) { atomicAdd(sum, threadIdx.x); }

int main(int argc, char **argv) {
  int devices = 0, *sum;
  cudaGetDeviceCount(&devices);
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  add<<<64, 256>>>(sum);
  cudaError_t error = cudaDeviceSynchronize();
  printf("%d devices, sum %d\n", devices, *sum);
  return error != cudaSuccess || *sum != 64 * 255 * 128;
}
