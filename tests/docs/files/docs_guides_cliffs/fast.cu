__global__ void sums(int *out, const int *in) {
  __shared__ int part[256];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

int main() {
  int *numbers;
  cudaMalloc(&numbers, 257 * sizeof(int));
  cudaMemset(numbers, 0, 257 * sizeof(int));
  sums<<<1, 256>>>(numbers + 256, numbers);
  return cudaDeviceSynchronize();
}
