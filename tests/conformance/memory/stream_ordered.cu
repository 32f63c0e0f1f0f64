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

__global__ void holdUntil(volatile int *go, int *memory) {
  while (*go == 0) {
  }
  memory[threadIdx.x] = 1;
}
__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }

// What a stream frees is the same stream's again at once, though its last user still runs; not yet another stream's.
static void reusedInOrder(cudaStream_t stream) {
  constexpr size_t bytes = 1 << 20;
  cudaStream_t other;
  CUDA_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  int *go, *seen, *first, *again, *others;
  CUDA_OK(cudaMallocHost(&go, sizeof *go));
  CUDA_OK(cudaMallocHost(&seen, 32 * sizeof *seen));
  *go = 0;
  CUDA_OK(cudaMallocAsync(&first, bytes, stream));
  holdUntil<<<1, 32, 0, stream>>>(go, first);
  CUDA_OK(cudaFreeAsync(first, stream));
  CUDA_OK(cudaMallocAsync(&others, bytes, other));
  CHECK(others != first);
  CUDA_OK(cudaMallocAsync(&again, bytes, stream));
  CHECK_EQ(again, first);
  copy<<<1, 32, 0, stream>>>(seen, again);
  CUDA_OK(cudaFreeAsync(again, stream));
  *go = 1;
  CUDA_OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 32; ++i) CHECK_EQ(seen[i], 1);
  CUDA_OK(cudaFreeAsync(others, other));
  CUDA_OK(cudaStreamSynchronize(other));
  CUDA_OK(cudaFreeHost(go));
  CUDA_OK(cudaFreeHost(seen));
  CUDA_OK(cudaStreamDestroy(other));
}

// A pool gets memory from the device in chunks, so that small allocations find theirs there.
static void reserved(cudaStream_t stream) {
  constexpr unsigned long long chunk = 32u << 20;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  const auto holds = [&](unsigned long long chunks) {
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK_EQ(attribute(pool, cudaMemPoolAttrReservedMemCurrent), chunks * chunk);
  };
  void *one = nullptr, *small = nullptr, *large = nullptr;
  holds(0);
  CUDA_OK(cudaMallocFromPoolAsync(&one, 1, pool, stream));
  holds(1);
  CUDA_OK(cudaMallocFromPoolAsync(&small, 3 << 20, pool, stream));
  holds(1);
  CUDA_OK(cudaMallocFromPoolAsync(&large, 40 << 20, pool, stream));
  holds(2);
  CUDA_OK(cudaFreeAsync(large, stream));
  holds(1);
  CUDA_OK(cudaFreeAsync(small, stream));
  CUDA_OK(cudaFreeAsync(one, stream));
  holds(0);
  CHECK_EQ(attribute(pool, cudaMemPoolAttrReservedMemHigh), 2 * chunk);
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
  reusedInOrder(stream);
  counted(stream);
  reserved(stream);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
