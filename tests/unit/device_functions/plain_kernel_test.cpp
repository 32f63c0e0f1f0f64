// Device functions that need running threads, in plain C++ kernels on the thread engine: built-in variables, shared
// memory, barriers, warp functions and atomics.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <functional>
#include <vector>

#include "fibers/engine.h"

// Without the runtime there are no modules, and so no variables in constant memory.
extern "C" uint32_t hw_is_constant(const void *) noexcept { return 0; }

namespace hostwarp::tests {
namespace {

std::function<void()> kernelBody;

void enterKernel(void *const *) {
  hw_plain_refresh();
  kernelBody();
}

// run() runs `body` as a kernel of `grid` blocks of `block` threads.
void run(unsigned grid, hw_dim3 block, std::function<void()> body, size_t dynamicShared = 0) {
  kernelBody = std::move(body);
  fibers::GridRequest request;
  request.entry = enterKernel;
  request.kernelName = "test kernel";
  request.grid = {grid, 1, 1};
  request.block = block;
  request.dynamicSharedBytes = dynamicShared;
  request.serialBlocks = true;
  const fibers::GridOutcome outcome = fibers::Engine::process({}).run(request);
  ASSERT_EQ(outcome.fault, fibers::Fault::None) << outcome.diagnosis;
}

TEST(PlainKernel, BuiltInVariables) {
  std::vector<unsigned> seen(2 * 4 * 3 * 2);
  run(2, {4, 3, 2}, [&] {
    __syncthreads();  // others run in between
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    seen[thread + blockIdx.x * blockDim.x * blockDim.y * blockDim.z] = thread + 100 * blockIdx.x + 1000 * gridDim.x;
  });
  for (unsigned i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i % 24 + 100 * (i / 24) + 2000) << i;
}

template <class T>
void reverse(T *values) {
  __shared__ T tile[64];
  tile[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  values[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

TEST(PlainKernel, StaticSharedMemoryIsTheBlocks) {
  std::vector<float> values(64 * 8);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  run(8, {64, 1, 1}, [&] { reverse(values.data()); });
  for (unsigned i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<float>(i / 64 * 64 + 63 - i % 64));
}

TEST(PlainKernel, DynamicSharedMemory) {
  std::vector<int> results(32);
  run(
      1, {32, 1, 1},
      [&] {
        int *shared = dynamicShared<int>();
        shared[threadIdx.x] = static_cast<int>(threadIdx.x);
        __syncthreads();
        results[threadIdx.x] = shared[31 - threadIdx.x];
        EXPECT_TRUE(__isShared(shared));
        EXPECT_FALSE(__isGlobal(shared));
        EXPECT_TRUE(__isGlobal(results.data()));
        EXPECT_EQ(__cvta_shared_to_generic(__cvta_generic_to_shared(shared)), shared);
      },
      32 * sizeof(int));
  for (int i = 0; i < 32; ++i) EXPECT_EQ(results[i], 31 - i);
}

TEST(PlainKernel, BarriersThatReduce) {
  run(1, {96, 1, 1}, [] {
    EXPECT_EQ(__syncthreads_count(threadIdx.x % 3 == 0), 32);
    EXPECT_NE(__syncthreads_or(threadIdx.x == 7), 0);
    EXPECT_EQ(__syncthreads_and(threadIdx.x != 7), 0);
    __barrier_sync_count(1, 96);
  });
}

TEST(PlainKernel, Shuffles) {
  run(1, {32, 1, 1}, [] {
    const int lane = static_cast<int>(threadIdx.x);
    EXPECT_EQ(__shfl_sync(~0u, lane * 10, 5), 50);
    EXPECT_EQ(__shfl_up_sync(~0u, lane, 2u), lane < 2 ? lane : lane - 2);
    EXPECT_EQ(__shfl_down_sync(~0u, lane + 0.5, 3u), lane > 28 ? lane + 0.5 : lane + 3.5);
    EXPECT_EQ(__shfl_xor_sync(~0u, -1LL - lane, 1), -1LL - (lane ^ 1));
    EXPECT_EQ(__shfl_sync(~0u, lane + 0.25f, 1, 8), lane / 8 * 8 + 1.25f);
    EXPECT_EQ(__shfl_xor(static_cast<unsigned long long>(lane) << 40, 16), static_cast<unsigned long long>(lane ^ 16)
                                                                               << 40);
    EXPECT_EQ(static_cast<int>(threadIdx.x), lane);
  });
}

TEST(PlainKernel, VotesMatchesAndReductions) {
  run(1, {32, 1, 1}, [] {
    const unsigned lane = threadIdx.x;
    EXPECT_EQ(__ballot_sync(~0u, lane & 1), 0xaaaaaaaau);
    EXPECT_TRUE(__any_sync(~0u, lane == 3));
    EXPECT_FALSE(__all_sync(~0u, lane == 3));
    EXPECT_EQ(__match_any_sync(~0u, lane % 4), 0x11111111u << (lane % 4));
    int same = 0;
    EXPECT_EQ(__match_all_sync(~0u, 2.5, &same), ~0u);
    EXPECT_TRUE(same);
    EXPECT_EQ(__reduce_add_sync(~0u, lane), 496u);
    EXPECT_EQ(__reduce_min_sync(~0u, static_cast<int>(lane) - 20), -20);
    EXPECT_EQ(__reduce_max_sync(~0u, lane), 31u);
    EXPECT_EQ(__reduce_xor_sync(~0u, 1u << lane), ~0u);
  });
}

TEST(PlainKernel, Atomics) {
  int sum = 0, smallest = 1 << 30;
  unsigned ring = 0, bits = 0;
  float real = 0;
  double wide = 0;
  unsigned long long big = 0;
  float2 pair = {0, 0};
  unsigned long long counted = 0;
  run(16, {64, 1, 1}, [&] {
    const int id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(&sum, id);
    atomicMin(&smallest, id);
    atomicInc(&ring, 99u);
    atomicOr(&bits, 1u << (id % 32));
    atomicAdd(&real, 1.0f);
    atomicAdd(&wide, 0.5);
    atomicMax(&big, static_cast<unsigned long long>(id) << 32);
    atomicAdd(&pair, float2{1, 2});
    __nv_atomic_fetch_add(&counted, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  });
  EXPECT_EQ(sum, 1024 * 1023 / 2);
  EXPECT_EQ(smallest, 0);
  EXPECT_EQ(ring, 1024u % 100);
  EXPECT_EQ(bits, ~0u);
  EXPECT_EQ(real, 1024.0f);
  EXPECT_EQ(wide, 512.0);
  EXPECT_EQ(big, 1023ull << 32);
  EXPECT_EQ(pair.x + pair.y, 3 * 1024.0f);
  EXPECT_EQ(counted, 1024u);
}

// A 16-byte counter advanced by compare-and-swap loses no step.
struct alignas(16) Counter {
  unsigned long long low, high;
};

TEST(PlainKernel, WideCompareAndSwap) {
  Counter counter = {0, 0};
  run(8, {32, 1, 1}, [&] {
    Counter seen = {0, 0};
    for (;;) {
      const Counter next = {seen.low + 1, seen.high + 2};
      const Counter found = atomicCAS(&counter, seen, next);
      if (found.low == seen.low && found.high == seen.high) break;
      seen = found;
    }
  });
  EXPECT_EQ(counter.low, 256u);
  EXPECT_EQ(counter.high, 512u);
  const Counter old = atomicExch(&counter, Counter{7, 8});
  EXPECT_EQ(old.low, 256u);
  EXPECT_EQ(counter.high, 8u);
}

}  // namespace
}  // namespace hostwarp::tests
