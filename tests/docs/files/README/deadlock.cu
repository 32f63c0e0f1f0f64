__shared__ int sum;
__global__ void reduce(int *data) {
  if (threadIdx.x < 16) {
    atomicAdd(&sum, data[threadIdx.x]);
    __syncthreads();
  } else {
    __syncwarp();
  }
}

int main() {
  int *data;
  cudaMalloc(&data, 64);
  reduce<<<1, 32>>>(data);
  return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
