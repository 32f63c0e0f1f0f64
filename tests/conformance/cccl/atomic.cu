// cuda::atomic and cuda::std::atomic objects in device, shared and managed memory, at every scope.
// needs: cuda/atomic
#include "../check.h"

#include <cuda/atomic>

constexpr int threads = 96, blocks = 5, total = threads * blocks;

template <class T, cuda::thread_scope Scope>
struct Cells {
  cuda::atomic<T, Scope> add, sub, max, min, bitOr, bitAnd, bitXor, cas, exchange, last;
};

template <class T, cuda::thread_scope Scope>
__global__ void everyOperation(Cells<T, Scope> *cells) {
  const T id = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  cells->add.fetch_add(2, cuda::std::memory_order_relaxed);
  cells->sub.fetch_sub(1, cuda::std::memory_order_acq_rel);
  cells->max.fetch_max(id);
  cells->min.fetch_min(id);
  cells->bitOr.fetch_or(static_cast<T>(1) << (static_cast<int>(id) % 31));
  cells->bitAnd.fetch_and(~(static_cast<T>(1) << (static_cast<int>(id) % 31)));
  cells->bitXor ^= id;
  T seen = cells->cas.load(cuda::std::memory_order_acquire);
  while (!cells->cas.compare_exchange_weak(seen, seen + id, cuda::std::memory_order_release,
                                           cuda::std::memory_order_relaxed)) {
  }
  if (cells->exchange.exchange(1) == 0) cells->last.store(id, cuda::std::memory_order_release);
}

template <class T, cuda::thread_scope Scope>
void checkEveryOperation() {
  Cells<T, Scope> *cells;
  CUDA_OK(cudaMallocManaged(&cells, sizeof *cells));
  new (cells) Cells<T, Scope>{{0}, {total}, {0}, {1000}, {0}, {static_cast<T>(-1)}, {0}, {0}, {0}, {-1}};
  everyOperation<<<blocks, threads>>>(cells);
  LAUNCH_OK();
  T all = 0, bits = 0x7fffffff;
  for (T i = 0; i < total; ++i) all ^= i;
  CHECK_EQ(cells->add.load(), 2 * total);
  CHECK_EQ(cells->sub.load(), 0);
  CHECK_EQ(cells->max.load(), total - 1);
  CHECK_EQ(cells->min.load(), 0);
  CHECK_EQ(cells->bitOr.load(), bits);
  CHECK_EQ(cells->bitAnd.load(), ~bits);
  CHECK_EQ(cells->bitXor.load(), all);
  CHECK_EQ(cells->cas.load(), total * (total - 1) / 2);
  CHECK_EQ(cells->exchange.load(), 1);
  CHECK(cells->last.load() >= 0 && cells->last.load() < total);
  CUDA_OK(cudaFree(cells));
}

#if defined(CCCL_VERSION)  // since libcu++ 2
// One object per block; floating-point sums whose terms are exact in any order.
__global__ void blockSums(double *sums, float *floatSums) {
  __shared__ cuda::atomic<double, cuda::thread_scope_block> sum;
  __shared__ cuda::atomic<float, cuda::thread_scope_block> floatSum;
  if (threadIdx.x == 0) {
    new (&sum) cuda::atomic<double, cuda::thread_scope_block>(0.5);
    new (&floatSum) cuda::atomic<float, cuda::thread_scope_block>(0);
  }
  __syncthreads();
  sum.fetch_add(threadIdx.x);
  floatSum += 0.25f;
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum.load(), floatSums[blockIdx.x] = floatSum;
}

void checkFloatingPoint() {
  check::DeviceArray<double> sums(blocks);
  check::DeviceArray<float> floatSums(blocks);
  blockSums<<<blocks, threads>>>(sums.get(), floatSums.get());
  LAUNCH_OK();
  for (double sum : sums.download()) CHECK_EQ(sum, 0.5 + threads * (threads - 1) / 2);
  for (float sum : floatSums.download()) CHECK_EQ(sum, 0.25f * threads);
}
#else
void checkFloatingPoint() {}
#endif

// The ticket of the last block to finish: every other block's contribution is visible to it.
__device__ cuda::atomic<int, cuda::thread_scope_device> finished{0};
__device__ cuda::std::atomic<int> flag{0};

__global__ void lastBlockSums(int *parts, int *result) {
  parts[blockIdx.x] = blockIdx.x + 1;
  const int ticket = finished.fetch_add(1, cuda::std::memory_order_acq_rel);
  if (ticket != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];
  *result = sum;
}

// wait() returns once notify_all() follows a change.
__global__ void waitForFlag(int *result) {
  if (threadIdx.x == 33) {
    *result = 7;
    flag.store(1, cuda::std::memory_order_release);
    flag.notify_all();
  }
  flag.wait(0, cuda::std::memory_order_acquire);
  if (threadIdx.x == 0) *result += 1;
}

void checkMessagePassing() {
  check::DeviceArray<int> parts(50, 0), result(1, 0);
  lastBlockSums<<<50, 1>>>(parts.get(), result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 50 * 51 / 2);
  waitForFlag<<<1, 64>>>(result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 8);
}

__device__ cuda::std::atomic_flag taken;  // clear, as a variable of static storage

__global__ void takeFlag(int *winners) {
  if (!taken.test_and_set()) atomicAdd(winners, 1);
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
}

int main() {
  checkEveryOperation<int, cuda::thread_scope_device>();
  checkEveryOperation<int, cuda::thread_scope_system>();
  checkEveryOperation<long long, cuda::thread_scope_device>();
  checkFloatingPoint();
  checkMessagePassing();
  check::DeviceArray<int> winners(1, 0);
  takeFlag<<<3, 40>>>(winners.get());
  LAUNCH_OK();
  CHECK_EQ(winners.download()[0], 1);
  cuda::atomic<int> onHost{3};
  CHECK_EQ(onHost.fetch_add(4), 3);
  CHECK_EQ(onHost.load(), 7);
  return check::finish();
}
