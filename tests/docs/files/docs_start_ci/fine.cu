__global__ void kernel(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *p;
  cudaMalloc(&p, 256);
  kernel<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
