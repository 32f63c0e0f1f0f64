__global__ void kernel(int *p) {
  __shared__ int part[64];
  part[threadIdx.x] = threadIdx.x;
  p[threadIdx.x] = part[63 - threadIdx.x];
}

int main() {
  int *p;
  cudaMalloc(&p, 256);
  kernel<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
