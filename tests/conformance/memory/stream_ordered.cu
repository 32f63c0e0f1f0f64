// cudaMallocAsync and cudaFreeAsync: memory lives from one point of a stream to another.
#include "../check.h"

__global__ void fill(int *values, int n, int value) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = value + i;
}

static unsigned long long attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  unsigned long long value = ~0ull;
  CUDA_OK(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}

// A pool counts the bytes that were asked for.
static void counted(cudaStream_t stream) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 0);
  void *first, *second;
  CUDA_OK(cudaMallocFromPoolAsync(&first, 1000, pool, stream));
  CUDA_OK(cudaMallocFromPoolAsync(&second, 513, pool, stream));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 1513);
  CHECK(attribute(pool, cudaMemPoolAttrReservedMemCurrent) >= 1513);
  CUDA_OK(cudaFreeAsync(first, stream));
  CUDA_OK(cudaFreeAsync(second, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 0);
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemHigh), 1513);
  unsigned long long zero = 0;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemHigh), 0);
  int policy = 7;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &policy));
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &policy));
  CHECK_EQ(policy, 1);
  CUDA_OK(cudaMemPoolDestroy(pool));
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
  counted(stream);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
