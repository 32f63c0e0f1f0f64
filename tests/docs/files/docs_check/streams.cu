constexpr int n = 4096;

__global__ void fill(int *out) {
  for (int i = threadIdx.x; i < n; i += 256) out[i] = i;
}

__global__ void take(int *out, const int *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = in[i];
}

int main() {
  int *a, *b;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));

  fill<<<1, 256, 0, first>>>(a);
  take<<<n / 256, 256, 0, second>>>(b, a);
  return cudaDeviceSynchronize();
}
