// `pair = {}` sets both numbers of any of the small formats to zero.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>

#include "../check.h"

template <class T>
__host__ __device__ unsigned emptied(unsigned bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  value = {};
  memcpy(&bits, &value, sizeof value);
  return sizeof value == 4 ? bits : bits & ((1u << 8 * sizeof value % 32) - 1);
}

__host__ __device__ unsigned all() {
  unsigned bits = 0;
#ifdef __CUDA_ARCH__
  // gcc, which compiles nvcc's host code, finds these ambiguous.
  bits = emptied<__half2>(~0u) | emptied<__nv_bfloat162>(~0u);
#endif
  bits |= emptied<__nv_fp8_e4m3>(~0u) | emptied<__nv_fp8x2_e4m3>(~0u) | emptied<__nv_fp8x4_e4m3>(~0u);
  return bits | emptied<__nv_fp8_e5m2>(~0u) | emptied<__nv_fp8x2_e5m2>(~0u) | emptied<__nv_fp8x4_e5m2>(~0u);
}

__global__ void empty(unsigned *bits) { *bits = all(); }

int main() {
  CHECK_EQ(all(), 0u);
  check::DeviceArray<unsigned> bits(1, 1u);
  empty<<<1, 1>>>(bits.get());
  LAUNCH_OK();
  CHECK_EQ(bits.download()[0], 0u);
  // Raw bits still come in.
  __half2 pair;
  pair = __half2_raw{0x3c00, 0x4000};
  CHECK_EQ(__half2float(pair.x) + __half2float(pair.y), 3.0f);
  return check::finish();
}
