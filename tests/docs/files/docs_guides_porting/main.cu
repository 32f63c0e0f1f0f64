#include <cstdio>

__global__ void answer(int *x);

int main() {
  int *x;
  cudaMallocManaged(&x, sizeof(int));
  answer<<<1, 1>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("two files, one kernel: %d\n", *x);
}
