__global__ void nothing(int *) {}

int main() {
  int *p;
  cudaMalloc(&p, sizeof(int));
  nothing<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
