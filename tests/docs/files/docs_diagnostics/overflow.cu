__device__ __noinline__ int recurse(int n, volatile int *at) {
  volatile int here[64] = {n};
  return n == 0 ? *at : recurse(n - 1, here) + here[1];
}
__global__ void recurse(int *out) { *out = recurse(100000, out); }

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  recurse<<<1, 1>>>(out);
  return cudaDeviceSynchronize() != cudaErrorHardwareStackError;
}
