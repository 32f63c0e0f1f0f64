// cudaMallocAsync and cudaFreeAsync: memory lives from one point of a stream to another.
#include "../check.h"

__global__ void fill(int *values, int n, int value) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = value + i;
}

int main() {
  const int n = 5000;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  std::vector<std::vector<int>> results(8, std::vector<int>(n));
  for (int round = 0; round < 8; ++round) {
    int *memory = nullptr;
    CUDA_OK(cudaMallocAsync(&memory, n * sizeof(int), stream));
    CHECK(memory != nullptr);
    fill<<<1, 97, 0, stream>>>(memory, n, round * 10);
    CUDA_OK(cudaMemcpyAsync(results[round].data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_OK(cudaFreeAsync(memory, stream));
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  for (int round = 0; round < 8; ++round)
    for (int i = 0; i < n; ++i) CHECK_EQ(results[round][i], round * 10 + i);

  // The two kinds of allocation mix: each may be freed the other way.
  int *memory = nullptr;
  CUDA_OK(cudaMallocAsync(&memory, 100, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaFree(memory));
  CUDA_OK(cudaMalloc(&memory, 100));
  CUDA_OK(cudaFreeAsync(memory, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
