#include <cstdio>

__global__ void runningSums(int *data) {
  __shared__ int sums[256];
  int i = threadIdx.x;
  sums[i] = data[i];
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    int before = i >= step ? sums[i - step] : 0;
    __syncthreads();
    sums[i] += before;
  }
  data[i] = sums[i];
}

int main() {
  int host[256], *data;
  for (int &number : host) number = 1;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  runningSums<<<1, 256>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  printf("of 256 ones: %d\n", host[255]);
  return host[255] != 256;
}
