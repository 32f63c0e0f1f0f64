__global__ void reduce(int *data) {
  int value = data[threadIdx.x];
  // The mask is half a warp's, and all lanes come here.
  value += 1;
  value *= 2;

  data[threadIdx.x] = __shfl_down_sync(0xffff, value, 1);
}

int main() {
  int *data;
  cudaMalloc(&data, 128);
  cudaMemset(data, 0, 128);
  reduce<<<1, 32>>>(data);
  return cudaDeviceSynchronize() == cudaSuccess;
}
