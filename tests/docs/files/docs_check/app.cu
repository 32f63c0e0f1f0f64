// Two mistakes: a barrier is missing, and one thread is too many.
__global__ void neighbour(int *out) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  tile[threadIdx.x] = i;
  out[threadIdx.x] = tile[(i + 32) % 64];
}

__device__ float pick(const float *x, int i) { return x[i]; }

__global__ void over(float *out, const float *in, int n) {
  int i = threadIdx.x;
  if (i <= n) out[i] = pick(in, i);
}

int main() {
  int *numbers;
  float *in, *out;
  cudaMalloc(&numbers, 64 * sizeof(int));
  cudaMalloc(&in, 100 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMemset(in, 0, 100 * sizeof(float));
  neighbour<<<1, 64>>>(numbers);
  over<<<1, 128>>>(out, in, 100);
  return cudaDeviceSynchronize();
}
