// Nobody sets the flag.
__global__ void wait(volatile int *flag) { while (*flag == 0); }

int main() {
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait<<<1, 2>>>(flag);
  return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
