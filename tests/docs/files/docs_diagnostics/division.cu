__global__ void share(int *x, int among) { x[threadIdx.x] /= among; }

int main() {
  int *x;
  cudaMalloc(&x, 128);
  share<<<1, 32>>>(x, 0);
  return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
