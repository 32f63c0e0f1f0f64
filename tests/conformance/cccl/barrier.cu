// cuda::barrier in shared and global memory: phases, split arrival, dropping out, completion, asynchronous copies.
// needs: cuda/barrier
#include "../check.h"

#include <cuda/barrier>

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int threads = 96;

__global__ void phases(int *result) {
  __shared__ BlockBarrier barrier;
  __shared__ int slots[threads];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int value = threadIdx.x;
  for (int phase = 0; phase < 5; ++phase) {
    slots[threadIdx.x] = value;
    barrier.arrive_and_wait();
    value = slots[(threadIdx.x + 1) % threads] + 1;
    auto token = barrier.arrive();
    barrier.wait(cuda::std::move(token));
  }
  result[threadIdx.x] = value;
}

void checkPhases() {
  check::DeviceArray<int> result(threads);
  phases<<<1, threads>>>(result.get());
  LAUNCH_OK();
  const auto values = result.download();
  for (int i = 0; i < threads; ++i) CHECK_EQ(values[i], (i + 5) % threads + 5);
}

// One warp produces, the others consume: two barriers, arrivals by one side and waits by the other.
__global__ void producerConsumer(int *result) {
  __shared__ BlockBarrier full, empty;
  __shared__ int item;
  if (threadIdx.x == 0) init(&full, blockDim.x), init(&empty, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    if (threadIdx.x < 32) {
      empty.arrive_and_wait();
      if (threadIdx.x == 0) item = i * i;
      (void)full.arrive();
    } else {
      (void)empty.arrive();
      full.arrive_and_wait();
      sum += item;
    }
  }
  if (threadIdx.x >= 32) result[threadIdx.x - 32] = sum;
}

// Every thread leaves after another phase; those that stay are not held up.
__global__ void dropOut(int *rounds) {
  __shared__ BlockBarrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (unsigned phase = 0; phase < threadIdx.x; ++phase) {
    barrier.arrive_and_wait();
    rounds[threadIdx.x]++;
  }
  barrier.arrive_and_drop();
}

struct Count {
  int *completions;
  __device__ void operator()() noexcept { ++*completions; }
};

__global__ void completion(int *completions) {
  using Barrier = cuda::barrier<cuda::thread_scope_block, Count>;
  __shared__ alignas(Barrier) char storage[sizeof(Barrier)];
  auto *barrier = reinterpret_cast<Barrier *>(storage);
  if (threadIdx.x == 0) new (barrier) Barrier(blockDim.x, Count{completions});
  __syncthreads();
  for (int i = 0; i < 7; ++i) barrier->arrive_and_wait();
}

__global__ void copyToShared(const int *source, int *result, int n) {
  extern __shared__ int tile[];
  __shared__ BlockBarrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(tile + threadIdx.x, source + threadIdx.x, sizeof(int), barrier);
  if (threadIdx.x == 0)
    cuda::memcpy_async(tile + threads, source + threads, cuda::aligned_size_t<16>(threads * sizeof(int)), barrier);
  barrier.arrive_and_wait();
  for (int i = threadIdx.x; i < n; i += blockDim.x) result[i] = tile[n - 1 - i];
}

void checkCopy() {
  constexpr int n = 2 * threads;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = 3 * i;
  check::DeviceArray<int> source(numbers), result(n);
  copyToShared<<<1, threads, n * sizeof(int)>>>(source.get(), result.get(), n);
  LAUNCH_OK();
  const auto values = result.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(values[i], 3 * (n - 1 - i));
}

// Blocks meet at a barrier in global memory; two blocks are resident at once on every GPU.
__global__ void acrossBlocks(cuda::barrier<cuda::thread_scope_device> *barrier, int *slots, int *result) {
  slots[blockIdx.x] = blockIdx.x + 1;
  barrier->arrive_and_wait();
  result[blockIdx.x] = slots[1 - blockIdx.x];
}

void checkAcrossBlocks() {
  cuda::barrier<cuda::thread_scope_device> *barrier;
  CUDA_OK(cudaMallocManaged(&barrier, sizeof *barrier));
  init(barrier, 2);
  check::DeviceArray<int> slots(2), result(2);
  acrossBlocks<<<2, 1>>>(barrier, slots.get(), result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 2);
  CHECK_EQ(result.download()[1], 1);
  CUDA_OK(cudaFree(barrier));
}

int main() {
  checkPhases();
  check::DeviceArray<int> sums(64), rounds(40, 0), completions(1, 0);
  producerConsumer<<<1, 96>>>(sums.get());
  LAUNCH_OK();
  for (int sum : sums.download()) CHECK_EQ(sum, 285);
  dropOut<<<1, 40>>>(rounds.get());
  LAUNCH_OK();
  for (int i = 0; i < 40; ++i) CHECK_EQ(rounds.download()[i], i);
  completion<<<1, 33>>>(completions.get());
  LAUNCH_OK();
  CHECK_EQ(completions.download()[0], 7);
  checkCopy();
  checkAcrossBlocks();
  return check::finish();
}
