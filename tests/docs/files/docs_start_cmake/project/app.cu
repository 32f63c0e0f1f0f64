#include <cstdio>

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main() {
  int *x;
  cudaMallocManaged(&x, 12 * sizeof(int));
  for (int i = 0; i < 12; ++i) x[i] = i;
  twice<<<1, 12>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess || x[11] != 22) return 1;
  printf("12 numbers, twice as large\n");
}
