// Copies by cp.async.bulk, asynchronous stores and reductions, that nobody has waited for.
// options: -arch=sm_90a
#include <cooperative_groups.h>
#include <cuda/barrier>

#include "pairs.h"

namespace cg = cooperative_groups;
typedef unsigned long long u64;

#define ADDRESS(place) static_cast<unsigned>(__cvta_generic_to_shared(place))
#define LOAD(to, from, bytes, barrier)                                                                              \
  asm volatile(                                                                                                     \
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(ADDRESS(to)), \
      "l"(from), "r"(bytes), "r"(ADDRESS(barrier))                                                                  \
      : "memory")
#define STORE(to, from, bytes)                                                                                         \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(ADDRESS(from)), "r"(bytes) \
               : "memory")
#define ADD(to, from, bytes)                                                                           \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(to), \
               "r"(ADDRESS(from)), "r"(bytes)                                                          \
               : "memory")
#define COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT(count) asm volatile("cp.async.bulk.wait_group " #count ";" ::: "memory")
#define WAIT_READ(count) asm volatile("cp.async.bulk.wait_group.read " #count ";" ::: "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

__device__ void make(u64 *barrier, unsigned count) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(ADDRESS(barrier)), "r"(count) : "memory");
  __syncthreads();
}
__device__ void expect(u64 *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(ADDRESS(barrier)), "r"(bytes)
               : "memory");
}
__device__ void await(u64 *barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(ADDRESS(barrier)), "r"(parity)
                 : "memory");
}

// finds: asynchronous copy not waited for: mbarrier.try_wait
__global__ void racy_load(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    LOAD(tile, out, 256, &barrier);  // HERE
  }
  __syncthreads();
  out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
}
__global__ void fixed_load(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    LOAD(tile, out, 256, &barrier);
  }
  await(&barrier, 0);
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

// One thread waits, the others read.
// finds: asynchronous copy not waited for: is still to write
__global__ void racy_one_waits(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    LOAD(tile, out, 256, &barrier);  // HERE
    await(&barrier, 0);
  }
  out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
}
__global__ void fixed_one_waits(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    LOAD(tile, out, 256, &barrier);
    await(&barrier, 0);
  }
  __syncthreads();
  out[1024 + threadIdx.x] = tile[threadIdx.x];
}

// The wait is for the phase before.
// finds: asynchronous copy not waited for: a wait for the phase
__global__ void racy_parity(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) {
      LOAD(tile, out + 64 * i, 256, &barrier);  // HERE
      await(&barrier, 1 ^ (i & 1));
    }
    __syncthreads();
    out[1024 + threadIdx.x] = tile[threadIdx.x];  // HERE
    __syncthreads();
    if (threadIdx.x == 0) expect(&barrier, sizeof tile);
    await(&barrier, i & 1);
  }
}
__global__ void fixed_parity(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  for (int i = 0; i < 2; ++i) {
    if (threadIdx.x == 0) {
      await(&barrier, 1 ^ (i & 1));
      LOAD(tile, out + 64 * i, 256, &barrier);
      expect(&barrier, sizeof tile);
    }
    await(&barrier, i & 1);
    out[1024 + threadIdx.x] = tile[threadIdx.x];
    __syncthreads();
  }
}

// The source of a load is overwritten.
// finds: asynchronous copy not waited for: is still to read
__global__ void racy_load_source(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    LOAD(tile, out, 256, &barrier);  // HERE
    out[5] = 1;                      // HERE
  }
  await(&barrier, 0);
}
__global__ void fixed_load_source(int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  make(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, sizeof tile);
    LOAD(tile, out, 256, &barrier);
  }
  await(&barrier, 0);
  if (threadIdx.x == 0) out[5] = 1;
}

// The source of a store is filled anew.
// finds: asynchronous copy not waited for: cp.async.bulk.wait_group.read
__global__ void racy_store_source(int *out) {
  __shared__ alignas(128) int tile[64];
  for (int i = 0; i < 2; ++i) {
    tile[threadIdx.x] = i;  // HERE
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
      STORE(out + 64 * i, tile, 256);  // HERE
      COMMIT();
    }
    __syncthreads();
  }
}
__global__ void fixed_store_source(int *out) {
  __shared__ alignas(128) int tile[64];
  for (int i = 0; i < 2; ++i) {
    tile[threadIdx.x] = i;
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
      STORE(out + 64 * i, tile, 256);
      COMMIT();
      WAIT_READ(0);
    }
    __syncthreads();
  }
}

// .read says nothing of the destination.
// finds: asynchronous copy not waited for: with .read it waits for the source only
__global__ void racy_store_target(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, 256);  // HERE
    COMMIT();
    WAIT_READ(0);
    out[1024] = out[5];  // HERE
  }
}
__global__ void fixed_store_target(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, 256);
    COMMIT();
    WAIT(0);
    out[1024] = out[5];
  }
}

// Another thread's groups are not waited for.
// finds: asynchronous copy not waited for: by the thread that began it
__global__ void racy_other_waits(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, 256);  // HERE
    COMMIT();
  }
  if (threadIdx.x == 32) WAIT(0);
  __syncthreads();
  tile[threadIdx.x] = 0;  // HERE
}
__global__ void fixed_other_waits(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, 256);
    COMMIT();
    WAIT(0);
  }
  __syncthreads();
  tile[threadIdx.x] = 0;
}

// finds: asynchronous copy not waited for: is still to update
__global__ void racy_reduction(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    ADD(out, tile, 256);
    ADD(out, tile, 256);  // HERE
    COMMIT();
  }
  __syncthreads();
  out[1024 + threadIdx.x] = out[threadIdx.x];  // HERE
}
__global__ void fixed_reduction(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    ADD(out, tile, 256);
    ADD(out, tile, 256);
    COMMIT();
    WAIT(0);
  }
  __syncthreads();
  out[1024 + threadIdx.x] = out[threadIdx.x];
}

// What threads have written is stored without a fence between the two proxies.
// finds: missing proxy fence: fence.proxy.async
__global__ void racy_proxy(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // HERE
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, 256);  // HERE
    COMMIT();
    WAIT(0);
  }
}
__global__ void fixed_proxy(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    PROXY_FENCE();
    STORE(out, tile, 256);
    COMMIT();
    WAIT(0);
  }
}

// The fence comes before what some write.
// finds: missing proxy fence: cp.async.bulk
__global__ void racy_early_fence(int *out) {
  __shared__ alignas(128) int tile[64];
  PROXY_FENCE();
  tile[threadIdx.x] = threadIdx.x;  // HERE
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, 256);  // HERE
    COMMIT();
    WAIT(0);
  }
}
__global__ void fixed_early_fence(int *out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 32) PROXY_FENCE();
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, 256);
    COMMIT();
    WAIT(0);
  }
}

// To another block's shared memory, which is read behind the cluster's barrier: that is no wait.
// finds: asynchronous store not waited for: nobody has waited
__global__ void __cluster_dims__(2) racy_remote(int *out) {
  __shared__ int mine;
  __shared__ u64 barrier;
  cg::cluster_group cluster = cg::this_cluster();
  make(&barrier, 1);
  if (threadIdx.x == 0) expect(&barrier, 4);
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned other = cluster.block_rank() ^ 1, to, told;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(ADDRESS(&mine)), "r"(other));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(told) : "r"(ADDRESS(&barrier)), "r"(other));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"  // HERE
                 ::"r"(to),
                 "r"(other), "r"(told)
                 : "memory");
  }
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = mine;  // HERE
}
__global__ void __cluster_dims__(2) fixed_remote(int *out) {
  __shared__ int mine;
  __shared__ u64 barrier;
  cg::cluster_group cluster = cg::this_cluster();
  make(&barrier, 1);
  if (threadIdx.x == 0) expect(&barrier, 4);
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned other = cluster.block_rank() ^ 1, to, told;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(ADDRESS(&mine)), "r"(other));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(told) : "r"(ADDRESS(&barrier)), "r"(other));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(other),
                 "r"(told)
                 : "memory");
  }
  await(&barrier, 0);
  if (threadIdx.x == 0) out[blockIdx.x] = mine;
  cluster.sync();
}

// finds: asynchronous store not waited for: is still to update
__global__ void __cluster_dims__(2) racy_remote_sum(int *out) {
  __shared__ int mine;
  __shared__ u64 barrier;
  cg::cluster_group cluster = cg::this_cluster();
  mine = 0;
  make(&barrier, 1);
  if (threadIdx.x == 0) expect(&barrier, 4);
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned other = cluster.block_rank() ^ 1, to, told;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(ADDRESS(&mine)), "r"(other));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(told) : "r"(ADDRESS(&barrier)), "r"(other));
    asm volatile(  // HERE
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(to),
        "r"(other), "r"(told)
        : "memory");
  }
  if (threadIdx.x == 0) out[blockIdx.x] = mine;  // HERE
  await(&barrier, 0);
  cluster.sync();
}
__global__ void __cluster_dims__(2) fixed_remote_sum(int *out) {
  __shared__ int mine;
  __shared__ u64 barrier;
  cg::cluster_group cluster = cg::this_cluster();
  mine = 0;
  make(&barrier, 1);
  if (threadIdx.x == 0) expect(&barrier, 4);
  cluster.sync();
  if (threadIdx.x == 0) {
    unsigned other = cluster.block_rank() ^ 1, to, told;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(ADDRESS(&mine)), "r"(other));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(told) : "r"(ADDRESS(&barrier)), "r"(other));
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(to),
        "r"(other), "r"(told)
        : "memory");
  }
  await(&barrier, 0);
  if (threadIdx.x == 0) out[blockIdx.x] = mine;
  cluster.sync();
}

__device__ u64 descriptor(const void *matrix) { return (ADDRESS(matrix) >> 4 & 0x3fff) | u64(8) << 16 | u64(16) << 32; }
#define MULTIPLY(d, a, b)                                                                                   \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;" \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                             \
               : "l"(descriptor(a)), "l"(descriptor(b))                                                     \
               : "memory")
#define PRODUCT_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define PRODUCT_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define PRODUCT_WAIT(count) asm volatile("wgmma.wait_group.sync.aligned " #count ";" ::: "memory")

// The factors of a product are overwritten.
// finds: asynchronous product not waited for: wgmma.wait_group
__global__ void racy_factors(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d[4] = {};
  for (int i = 0; i < 2; ++i) {
    for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;  // HERE
    b[threadIdx.x] = 0;                                      // HERE
    PROXY_FENCE();
    __syncthreads();
    PRODUCT_FENCE();
    MULTIPLY(d, a, b);  // HERE
    PRODUCT_COMMIT();
    PRODUCT_WAIT(1);
    __syncthreads();
  }
  PRODUCT_WAIT(0);
  out[threadIdx.x] = static_cast<int>(d[0]);
}
__global__ void fixed_factors(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d[4] = {};
  for (int i = 0; i < 2; ++i) {
    for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;
    b[threadIdx.x] = 0;
    PROXY_FENCE();
    __syncthreads();
    PRODUCT_FENCE();
    MULTIPLY(d, a, b);
    PRODUCT_COMMIT();
    PRODUCT_WAIT(0);
    __syncthreads();
  }
  out[threadIdx.x] = static_cast<int>(d[0]);
}

// finds: missing proxy fence: wgmma
__global__ void racy_product_proxy(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d[4] = {};
  for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;  // HERE
  b[threadIdx.x] = 0;                                      // HERE
  __syncthreads();
  PRODUCT_FENCE();
  MULTIPLY(d, a, b);  // HERE
  PRODUCT_COMMIT();
  PRODUCT_WAIT(0);
  out[threadIdx.x] = static_cast<int>(d[0]);
}
__global__ void fixed_product_proxy(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d[4] = {};
  for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;
  b[threadIdx.x] = 0;
  PROXY_FENCE();
  __syncthreads();
  PRODUCT_FENCE();
  MULTIPLY(d, a, b);
  PRODUCT_COMMIT();
  PRODUCT_WAIT(0);
  out[threadIdx.x] = static_cast<int>(d[0]);
}

// The sums are used before the product is complete; so are those of the second group, with one in flight.
// finds: asynchronous product not waited for: is still to write
__global__ void racy_sums(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d[4] = {}, e[4] = {};
  for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;
  b[threadIdx.x] = 0;
  PROXY_FENCE();
  __syncthreads();
  PRODUCT_FENCE();
  MULTIPLY(d, a, b);
  PRODUCT_COMMIT();
  MULTIPLY(e, a, b);  // HERE
  PRODUCT_COMMIT();
  PRODUCT_WAIT(1);
  out[threadIdx.x] = static_cast<int>(d[0]);
  out[threadIdx.x] += static_cast<int>(e[0]);  // HERE
  PRODUCT_WAIT(0);
}
__global__ void fixed_sums(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d[4] = {}, e[4] = {};
  for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;
  b[threadIdx.x] = 0;
  PROXY_FENCE();
  __syncthreads();
  PRODUCT_FENCE();
  MULTIPLY(d, a, b);
  MULTIPLY(d, a, b);
  PRODUCT_COMMIT();
  MULTIPLY(e, a, b);
  PRODUCT_COMMIT();
  PRODUCT_WAIT(1);
  out[threadIdx.x] = static_cast<int>(d[0]);
  PRODUCT_WAIT(0);
  out[threadIdx.x] += static_cast<int>(e[0]);
}

// Registers by reference, as libraries have them, and scalars.
__device__ void multiply(float &d0, float &d1, float &d2, float &d3, u64 a, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
               : "l"(a), "l"(b));
}
// finds: asynchronous product not waited for: wgmma.wait_group
__global__ void racy_references(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;
  b[threadIdx.x] = 0;
  PROXY_FENCE();
  __syncthreads();
  PRODUCT_FENCE();
  multiply(d0, d1, d2, d3, descriptor(a), descriptor(b));
  PRODUCT_COMMIT();
  asm volatile("" : "+f"(d0)::"memory");
  d1 = 0;
  PRODUCT_WAIT(0);
  out[threadIdx.x] = static_cast<int>(d0 + d1);
}
__global__ void fixed_references(int *out) {
  __shared__ alignas(1024) short a[1024], b[128];
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  for (int j = threadIdx.x; j < 1024; j += 128) a[j] = 0;
  b[threadIdx.x] = 0;
  PROXY_FENCE();
  __syncthreads();
  PRODUCT_FENCE();
  multiply(d0, d1, d2, d3, descriptor(a), descriptor(b));
  PRODUCT_COMMIT();
  asm volatile("" : "+f"(d0)::"memory");
  PRODUCT_WAIT(0);
  d1 = 0;
  out[threadIdx.x] = static_cast<int>(d0 + d1);
}

int main() {
  PAIR(load, 2, 64);
  PAIR(one_waits, 1, 64);
  PAIR(parity, 1, 64);
  PAIR(load_source, 1, 64);
  PAIR(store_source, 1, 64);
  PAIR(store_target, 1, 64);
  PAIR(other_waits, 1, 64);
  PAIR(reduction, 1, 64);
  PAIR(proxy, 1, 64);
  PAIR(early_fence, 1, 64);
  PAIR(remote, 2, 64);
  PAIR(remote_sum, 2, 64);
  PAIR(factors, 1, 128);
  PAIR(product_proxy, 1, 128);
  PAIR(sums, 1, 128);
  PAIR(references, 1, 128);
  return finish();
}
