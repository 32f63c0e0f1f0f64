// A product is the whole warpgroup's: when one of its threads has waited for it, that thread may tell for all that the
// matrices can be overwritten [PTX 9.7.15.7.3 wgmma.wait_group].
// options: -gencode arch=compute_90a,code=sm_90a
#include "../check.h"

#include <cuda_fp16.h>

#include <cstdint>

constexpr int rounds = 8, rows = 64, columns = 8, depth = 16;

__device__ unsigned addressOf(const void *shared) { return unsigned(__cvta_generic_to_shared(shared)); }

// descriptorOf(): cores of 8 rows of 16 bytes, one behind the other along the depth, without swizzling.
__device__ uint64_t descriptorOf(const void *matrix) {
  return (addressOf(matrix) & 0x3ffff) >> 4 | uint64_t(128 >> 4) << 16 | uint64_t(256 >> 4) << 32;
}

__device__ void initialise(uint64_t &barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addressOf(&barrier)), "r"(arrivals) : "memory");
}
__device__ void arrive(uint64_t &barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(addressOf(&barrier)) : "memory");
}
__device__ void wait(uint64_t &barrier, unsigned phase) {
  unsigned isOver = 0;
  while (isOver == 0)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(isOver)
                 : "r"(addressOf(&barrier)), "r"(phase & 1)
                 : "memory");
}

__global__ void pipeline(float *out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  __shared__ alignas(128) __half a[rows * depth], b[columns * depth];
  __shared__ uint64_t full, empty;
  if (threadIdx.x == 0) {
    initialise(full, 32);
    initialise(empty, 1);
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    for (int round = 0; round < rounds; ++round) {
      if (round > 0) wait(empty, round - 1);
      for (int i = threadIdx.x - 128; i < rows * depth; i += 32) a[i] = __half(1.0f);
      for (int i = threadIdx.x - 128; i < columns * depth; i += 32) b[i] = __half(float(round + 1));
      asm volatile("fence.proxy.async;" ::: "memory");
      arrive(full);
    }
    return;
  }
  float d[4] = {};
  for (int round = 0; round < rounds; ++round) {
    wait(full, round);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptorOf(a)), "l"(descriptorOf(b))
                 : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (threadIdx.x == round * 16) arrive(empty);
  }
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
#endif
}

int main() {
  check::DeviceArray<float> out(rows * columns);
  pipeline<<<1, 160>>>(out.get());
  LAUNCH_OK();
  for (float each : out.download()) CHECK_EQ(each, float(depth * rounds * (rounds + 1) / 2));
  return check::finish();
}
