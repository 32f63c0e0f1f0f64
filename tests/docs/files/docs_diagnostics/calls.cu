#include <cuda_runtime.h>

__global__ void k() {}

int main() {
  char *p, host[200];
  k<<<1, 2048>>>();
  k<<<1, 1, 65536>>>();
  cudaFree(host);
  cudaMalloc(&p, 100);
  cudaMemcpy(p, host, 101, cudaMemcpyHostToDevice);
  int list[2];
  cudaDeviceGetNvSciSyncAttributes(list, 0, 1);
}
