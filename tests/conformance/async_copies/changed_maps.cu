// Tensor maps that a kernel makes of another one: tensormap.replace, tensormap.cp_fenceproxy.
// options: -lcuda -gencode arch=compute_90a,code=sm_90a
#include "../check.h"

#include <cuda.h>

#include <numeric>

typedef unsigned long long u64;

__device__ unsigned sharedAddress(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }

// Only sm_90a has tensormap.replace; nvcc may make code for others beside it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define REPLACE(field, type, constraint, value)                                                                      \
  asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], %1;" ::"r"(map), constraint(value) \
               : "memory")
#define REPLACE_OF(field, which, type, constraint, value)                                                     \
  asm volatile("tensormap.replace.tile." field ".shared::cta.b1024." type " [%0], " which ", %1;" ::"r"(map), \
               constraint(value)                                                                              \
               : "memory")

// The map of a matrix of shorts, 40 by 12, becomes one of a matrix of integers at another place, 24 by 10.
__device__ void change(unsigned map, const int *matrix) {
  REPLACE("global_address", "b64", "l", matrix);
  REPLACE("elemtype", "b32", "n", 3);
  REPLACE_OF("global_dim", "0", "b32", "r", 24);
  REPLACE_OF("global_dim", "1", "b32", "r", 10);
  REPLACE_OF("global_stride", "0", "b64", "l", u64(96));
  REPLACE_OF("box_dim", "0", "b32", "r", 8);
  REPLACE_OF("box_dim", "1", "b32", "r", 4);
  REPLACE_OF("element_stride", "1", "b32", "r", 1);
  REPLACE("swizzle_mode", "b32", "n", 0);
  REPLACE("fill_mode", "b32", "n", 0);
}
#endif

__global__ void run(const __grid_constant__ CUtensorMap given, CUtensorMap *changed, const int *matrix, int x, int y,
                    int *out) {
  __shared__ alignas(128) CUtensorMap map;
  __shared__ alignas(128) int tile[32];
  __shared__ u64 barrier;
  reinterpret_cast<unsigned *>(&map)[threadIdx.x] = reinterpret_cast<const unsigned *>(&given)[threadIdx.x];
  __syncwarp();
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  if (threadIdx.x == 0) change(sharedAddress(&map), matrix);
  __syncwarp();
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(
          changed),
      "r"(sharedAddress(&map))
      : "memory");
#endif
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(changed) : "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&barrier)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(sharedAddress(&barrier)) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
            sharedAddress(tile)),
        "l"(changed), "r"(sharedAddress(&barrier)), "r"(x), "r"(y)
        : "memory");
  }
  __syncwarp();
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sharedAddress(&barrier))
                 : "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  std::vector<int> values(240);
  std::iota(values.begin(), values.end(), 1);
  check::DeviceArray<short> shorts(480, 0);
  check::DeviceArray<int> matrix(values), out(32, -1);
  check::DeviceArray<CUtensorMap> changed(1);
  CUtensorMap map;
  const cuuint64_t size[] = {40, 12}, strides[] = {80};
  const cuuint32_t box[] = {16, 2}, steps[] = {1, 2};
  CHECK_EQ(int(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, shorts.get(), size, strides, box, steps,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
           int(CUDA_SUCCESS));
  run<<<1, 32>>>(map, changed.get(), matrix.get(), 20, 7, out.get());
  LAUNCH_OK();
  const std::vector<int> tile = out.download();
  for (int i = 0; i < 32; ++i) {
    const int x = 20 + i % 8, y = 7 + i / 8;
    CHECK_EQ(tile[size_t(i)], x < 24 && y < 10 ? values[size_t(y * 24 + x)] : 0);
  }
  return check::finish();
}
