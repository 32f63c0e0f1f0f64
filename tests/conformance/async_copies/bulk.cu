// Bulk copies in all directions, reductions, prefetches and bulk groups, through inline PTX; asynchronous stores and
// reductions to another block of the cluster.
#include "../check.h"

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

namespace cg = cooperative_groups;
typedef unsigned long long u64;

__device__ unsigned sharedAddress(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ void initBarrier(u64 *barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(count) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expectBytes(u64 *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void waitFor(u64 *barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(sharedAddress(barrier)), "r"(parity)
        : "memory");
}
__device__ unsigned inBlock(unsigned address, unsigned rank) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

constexpr int count = 512;

// A copy of nothing may point anywhere, as CUB's BlockLoadToShared makes it of short ranges; it counts no bytes.
__global__ void nothing(const int *in, int *out) {
  __shared__ alignas(16) int tile[8];
  __shared__ u64 barrier;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    tile[1] = 5;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     sharedAddress(tile + 1)),
                 "l"(in), "r"(0), "r"(sharedAddress(&barrier))
                 : "memory");
    expectBytes(&barrier, 0);
    waitFor(&barrier, 0);
    *out = tile[1];
  }
}

// Global memory to shared memory and back, three rounds on one barrier.
__global__ void roundTrip(const int *in, int *out) {
  __shared__ alignas(128) int tile[count];
  __shared__ u64 barrier;
  if (threadIdx.x == 0) initBarrier(&barrier, 1);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    if (threadIdx.x == 0) {
      expectBytes(&barrier, sizeof tile);
      asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in + round * count), "r"(unsigned(sizeof tile)));
      for (int half = 0; half < 2; ++half)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         sharedAddress(tile + half * count / 2)),
                     "l"(in + round * count + half * count / 2), "r"(unsigned(sizeof tile / 2)),
                     "r"(sharedAddress(&barrier))
                     : "memory");
    }
    waitFor(&barrier, round & 1);
    for (int i = threadIdx.x; i < count; i += blockDim.x) tile[i] = tile[i] * 2 + round;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + round * count),
                   "r"(sharedAddress(tile)), "r"(unsigned(sizeof tile))
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

static void testRoundTrip() {
  std::vector<int> values(3 * count);
  for (size_t i = 0; i < values.size(); ++i) values[i] = int(i * 7);
  check::DeviceArray<int> in(values), out(values.size(), 0);
  roundTrip<<<1, 96>>>(in.get(), out.get());
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  for (int i = 0; i < 3 * count; ++i) CHECK_EQ(host[i], i * 14 + i / count);
}

// One reduction of each kind; the bytes of an element decide how many there are.
#define REDUCTION(which, text)                                                                            \
  case which:                                                                                             \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." text " [%0], [%1], %2;" ::"l"(to), \
                 "r"(sharedAddress(tile)), "r"(bytes)                                                     \
                 : "memory");                                                                             \
    break;

__global__ void reduceToGlobal(void *to, const void *from, unsigned bytes, int which) {
  __shared__ alignas(16) char tile[256];
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) tile[i] = static_cast<const char *>(from)[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x) return;
  switch (which) {
    REDUCTION(0, "add.u32")
    REDUCTION(1, "min.s32")
    REDUCTION(2, "max.u32")
    REDUCTION(3, "inc.u32")
    REDUCTION(4, "dec.u32")
    REDUCTION(5, "and.b32")
    REDUCTION(6, "or.b32")
    REDUCTION(7, "xor.b64")
    REDUCTION(8, "add.u64")
    REDUCTION(9, "max.s64")
    REDUCTION(10, "add.f32")
    REDUCTION(11, "add.f64")
    REDUCTION(12, "add.noftz.f16")
    REDUCTION(13, "min.f16")
    REDUCTION(14, "add.noftz.bf16")
    REDUCTION(15, "max.bf16")
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

template <class T, class Expected>
static void testReduction(int which, const std::vector<T> &to, const std::vector<T> &from, Expected expected) {
  check::DeviceArray<T> target(to), source(from);
  for (int i = 0; i < 2; ++i) {
    reduceToGlobal<<<1, 32>>>(target.get(), source.get(), unsigned(source.bytes()), which);
    LAUNCH_OK();
  }
  const std::vector<T> result = target.download();
  for (size_t i = 0; i < to.size(); ++i) {
    const T twice = expected(expected(to[i], from[i]), from[i]);
    if (memcmp(&result[i], &twice, sizeof(T)) != 0) {
      char text[64];
      snprintf(text, sizeof text, "reduction %d, element %d", which, int(i));
      check::fail(__FILE__, __LINE__, text);
    }
  }
}

template <class T, class Make>
static std::vector<T> make(int salt, Make from) {
  std::vector<T> values(16);
  for (int i = 0; i < 16; ++i) values[i] = from((i * 37 + salt) % 23 - (salt & 1 ? 11 : 0));
  return values;
}

static void testReductions() {
  const auto u = [](int i) { return unsigned(i) * 3; };
  const auto s = [](int i) { return i * 5; };
  const auto wide = [](int i) { return u64(i) << 33 | 5; };
  const auto half = [](int i) { return __float2half(float(i) * 0.25f); };
  const auto brain = [](int i) { return __float2bfloat16(float(i) * 0.5f); };
  typedef unsigned U;
  testReduction<U>(0, make<U>(0, u), make<U>(4, u), [](U a, U b) { return a + b; });
  testReduction<int>(1, make<int>(1, s), make<int>(5, s), [](int a, int b) { return a < b ? a : b; });
  testReduction<U>(2, make<U>(0, u), make<U>(4, u), [](U a, U b) { return a > b ? a : b; });
  testReduction<U>(3, make<U>(0, u), make<U>(4, u), [](U a, U b) { return a >= b ? 0 : a + 1; });
  testReduction<U>(4, make<U>(0, u), make<U>(4, u), [](U a, U b) { return a == 0 || a > b ? b : a - 1; });
  testReduction<U>(5, make<U>(0, u), make<U>(4, u), [](U a, U b) { return a & b; });
  testReduction<U>(6, make<U>(0, u), make<U>(4, u), [](U a, U b) { return a | b; });
  testReduction<u64>(7, make<u64>(0, wide), make<u64>(4, wide), [](u64 a, u64 b) { return a ^ b; });
  testReduction<u64>(8, make<u64>(0, wide), make<u64>(4, wide), [](u64 a, u64 b) { return a + b; });
  const auto negative = [](int i) { return (long long)(i) * 1000000000; };
  testReduction<long long>(9, make<long long>(1, negative), make<long long>(5, negative),
                           [](long long a, long long b) { return a > b ? a : b; });
  testReduction<float>(10, make<float>(1, s), make<float>(5, s), [](float a, float b) { return a + b; });
  testReduction<double>(11, make<double>(1, s), make<double>(5, s), [](double a, double b) { return a + b; });
  testReduction<__half>(12, make<__half>(1, half), make<__half>(5, half),
                        [](__half a, __half b) { return __float2half(__half2float(a) + __half2float(b)); });
  testReduction<__half>(13, make<__half>(1, half), make<__half>(5, half),
                        [](__half a, __half b) { return __half2float(a) < __half2float(b) ? a : b; });
  testReduction<__nv_bfloat16>(
      14, make<__nv_bfloat16>(1, brain), make<__nv_bfloat16>(5, brain),
      [](__nv_bfloat16 a, __nv_bfloat16 b) { return __float2bfloat16(__bfloat162float(a) + __bfloat162float(b)); });
  testReduction<__nv_bfloat16>(
      15, make<__nv_bfloat16>(1, brain), make<__nv_bfloat16>(5, brain),
      [](__nv_bfloat16 a, __nv_bfloat16 b) { return __bfloat162float(a) > __bfloat162float(b) ? a : b; });
}

// Each block of the cluster sends its tile to the next one, then its sums, then single words.
__global__ void __cluster_dims__(4, 1, 1) betweenBlocks(int *out) {
  __shared__ alignas(16) int mine[64], received[64], sums[64];
  __shared__ alignas(16) int words[8];
  __shared__ alignas(8) u64 wide[2];
  __shared__ u64 barrier;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % 4;
  mine[threadIdx.x] = int(rank * 1000 + threadIdx.x);
  received[threadIdx.x] = -1;
  sums[threadIdx.x] = 7;
  if (threadIdx.x < 8) words[threadIdx.x] = 100;
  if (threadIdx.x < 2) wide[threadIdx.x] = 1ull << 40;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    expectBytes(&barrier, 2 * sizeof mine + 16 + 8 + 4 + 4 + 8);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  cluster.sync();
  const unsigned theirBarrier = inBlock(sharedAddress(&barrier), next);
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     inBlock(sharedAddress(received), next)),
                 "r"(sharedAddress(mine)), "r"(unsigned(sizeof mine)), "r"(theirBarrier)
                 : "memory");
    asm volatile(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 [%0], [%1], %2, [%3];" ::
            "r"(inBlock(sharedAddress(sums), next)),
        "r"(sharedAddress(mine)), "r"(unsigned(sizeof mine)), "r"(theirBarrier)
        : "memory");
    const unsigned theirWords = inBlock(sharedAddress(words), next), theirWide = inBlock(sharedAddress(wide), next);
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
            theirWords),
        "r"(rank), "r"(rank + 1), "r"(rank + 2), "r"(rank + 3), "r"(theirBarrier)
        : "memory");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u64 [%0], %1, [%2];" ::"r"(theirWide),
                 "l"(u64(rank) << 50), "r"(theirBarrier)
                 : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                     theirWords + 16),
                 "r"(rank), "r"(theirBarrier)
                 : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%0], %1, [%2];" ::"r"(
                     theirWords + 20),
                 "r"(rank), "r"(theirBarrier)
                 : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, [%2];" ::"r"(
                     theirWide + 8),
                 "l"(u64(rank)), "r"(theirBarrier)
                 : "memory");
  }
  waitFor(&barrier, 0);
  int *to = out + blockIdx.x * 144;
  to[threadIdx.x] = received[threadIdx.x];
  to[64 + threadIdx.x] = sums[threadIdx.x];
  if (threadIdx.x < 8) to[128 + threadIdx.x] = words[threadIdx.x];
  if (threadIdx.x == 0) to[136] = int(wide[0] >> 50), to[137] = int(wide[1] - (1ull << 40));
  cluster.sync();
}

static void testBetweenBlocks() {
  check::DeviceArray<int> out(8 * 144, 0);
  betweenBlocks<<<8, 64>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  for (int block = 0; block < 8; ++block) {
    const int from = (block + 3) % 4, *result = &host[block * 144];
    for (int i = 0; i < 64; ++i) CHECK_EQ(result[i], from * 1000 + i);
    for (int i = 0; i < 64; ++i) CHECK_EQ(result[64 + i], from * 1000 + i + 7);
    for (int i = 0; i < 4; ++i) CHECK_EQ(result[128 + i], from + i);
    CHECK_EQ(result[132], 100 + from);
    CHECK_EQ(result[133], 100 ^ from);
    CHECK_EQ(result[134], 100);
    CHECK_EQ(result[136], from);
    CHECK_EQ(result[137], from);
  }
}

// One block's copy arrives in those that the mask names.
__global__ void __cluster_dims__(4, 1, 1) multicast(const int *in, int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  tile[threadIdx.x] = -1;
  if (threadIdx.x == 0) {
    initBarrier(&barrier, 1);
    if (rank != 2) expectBytes(&barrier, sizeof tile);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  cluster.sync();
  if (rank == 1 && threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], "
        "%4;" ::"r"(sharedAddress(tile)),
        "l"(in), "r"(unsigned(sizeof tile)), "r"(sharedAddress(&barrier)), "h"((unsigned short)0xb)
        : "memory");
  if (rank != 2) waitFor(&barrier, 0);
  out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
  cluster.sync();
}

static void testMulticast() {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i * 11;
  check::DeviceArray<int> in(values), out(256, 0);
  multicast<<<4, 64>>>(in.get(), out.get());
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  for (int i = 0; i < 256; ++i) CHECK_EQ(host[i], i / 64 == 2 ? -1 : i % 64 * 11);
}

static void testNothing() {
  int *memory = nullptr;
  CUDA_OK(cudaMallocManaged(&memory, 64));
  nothing<<<1, 1>>>(memory, memory + 8);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(memory[8], 5);
  CUDA_OK(cudaFree(memory));
}

int main() {
  testNothing();
  testRoundTrip();
  testReductions();
  testBetweenBlocks();
  testMulticast();
  return check::finish();
}
