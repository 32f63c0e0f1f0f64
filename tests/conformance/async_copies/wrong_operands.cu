// What bulk and tensor copies do not take: addresses that are not aligned end the kernel with
// cudaErrorMisalignedAddress; rows that do not begin at a multiple of 16 bytes, and stores that begin before a tensor,
// with cudaErrorIllegalInstruction. Copies of nothing may be anywhere.
// options: -lcuda
#include "../check.h"
#include "../child.h"

#include <cuda.h>

typedef unsigned long long u64;

__device__ unsigned sharedAddress(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }

struct Shared {
  alignas(1024) char tile[1024];
  u64 barrier[2];
};

__device__ Shared &prepared() {
  __shared__ Shared shared;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(shared.barrier)) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  return shared;
}
__device__ void waitForGroup() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
// The barrier of a copy that goes wrong is not waited for.
__device__ void linger() {
  for (const long long start = clock64(); clock64() - start < 100000;) {
  }
}

__global__ void load(char *from, int shared, int global, int barrier, int bytes) {
  Shared &s = prepared();
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(s.tile) + unsigned(shared)),
               "l"(from + global), "r"(bytes), "r"(sharedAddress(s.barrier) + unsigned(barrier))
               : "memory");
  linger();
}
__global__ void store(char *to, int shared, int global, int bytes) {
  Shared &s = prepared();
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + global),
               "r"(sharedAddress(s.tile) + unsigned(shared)), "r"(bytes)
               : "memory");
  waitForGroup();
}
__global__ void reduce(char *to, int shared, int global) {
  Shared &s = prepared();
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 64;" ::"l"(to + global),
               "r"(sharedAddress(s.tile) + unsigned(shared))
               : "memory");
  waitForGroup();
}
__global__ void prefetch(char *from, int global) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 64;" ::"l"(from + global) : "memory");
}
__global__ void loadTile(const __grid_constant__ CUtensorMap map, int shared, int x, int barrier) {
  Shared &s = prepared();
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
          sharedAddress(s.tile) + unsigned(shared)),
      "l"(&map), "r"(x), "r"(sharedAddress(s.barrier) + unsigned(barrier))
      : "memory");
  linger();
}
__global__ void storeTile(const __grid_constant__ CUtensorMap map, int shared, int x) {
  Shared &s = prepared();
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(&map), "r"(x),
               "r"(sharedAddress(s.tile) + unsigned(shared))
               : "memory");
  waitForGroup();
}
__global__ void reduceTile(const __grid_constant__ CUtensorMap map, int x) {
  Shared &s = prepared();
  asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%0, {%1}], [%2];" ::"l"(&map), "r"(x),
               "r"(sharedAddress(s.tile))
               : "memory");
  waitForGroup();
}
__global__ void prefetchTile(const __grid_constant__ CUtensorMap map, int x) {
  asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global [%0, {%1}];" ::"l"(&map), "r"(x) : "memory");
}

CUtensorMap encode(char *memory) {
  CUtensorMap map;
  const cuuint64_t size[] = {100}, strides[] = {400};
  const cuuint32_t box[] = {16}, steps[] = {1};
  CHECK_EQ(int(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 1, memory, size, strides, box, steps,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
           int(CUDA_SUCCESS));
  return map;
}

template <class Launch>
void expect(const char *what, cudaError_t expected, Launch launch) {
  const check::ChildResult result = check::runInChild([&] {
    check::DeviceArray<char> bytes(4096, 0);
    launch(bytes.get(), encode(bytes.get()));
    CHECK_EQ(cudaGetLastError(), cudaSuccess);
    CHECK_EQ(cudaDeviceSynchronize(), expected);
    return check::failures;
  });
  if (result.exitCode != 0) printf("%s: exit code %d\n%s", what, result.exitCode, result.output.c_str());
  CHECK_EQ(result.exitCode, 0);
}

#define EXPECT(expected, ...) expect(#__VA_ARGS__, expected, [](char *bytes, const CUtensorMap &map) { __VA_ARGS__; })

void testBulk() {
  EXPECT(cudaSuccess, (load<<<1, 1>>>(bytes, 16, 16, 0, 64)));
  EXPECT(cudaSuccess, (load<<<1, 1>>>(bytes, 8, 8, 0, 0)));
  EXPECT(cudaErrorMisalignedAddress, (load<<<1, 1>>>(bytes, 8, 0, 0, 64)));
  EXPECT(cudaErrorMisalignedAddress, (load<<<1, 1>>>(bytes, 0, 8, 0, 64)));
  EXPECT(cudaErrorMisalignedAddress, (load<<<1, 1>>>(bytes, 0, 0, 4, 64)));
  EXPECT(cudaSuccess, (store<<<1, 1>>>(bytes, 16, 16, 64)));
  EXPECT(cudaErrorMisalignedAddress, (store<<<1, 1>>>(bytes, 8, 0, 64)));
  EXPECT(cudaErrorMisalignedAddress, (store<<<1, 1>>>(bytes, 0, 8, 64)));
  EXPECT(cudaErrorMisalignedAddress, (reduce<<<1, 1>>>(bytes, 8, 0)));
  EXPECT(cudaErrorMisalignedAddress, (reduce<<<1, 1>>>(bytes, 0, 8)));
  EXPECT(cudaSuccess, (prefetch<<<1, 1>>>(bytes, 16)));
  EXPECT(cudaErrorMisalignedAddress, (prefetch<<<1, 1>>>(bytes, 8)));
}

void testTensors() {
  EXPECT(cudaSuccess, (loadTile<<<1, 1>>>(map, 128, -20, 0)));
  EXPECT(cudaErrorMisalignedAddress, (loadTile<<<1, 1>>>(map, 64, 0, 0)));
  EXPECT(cudaErrorMisalignedAddress, (loadTile<<<1, 1>>>(map, 0, 0, 4)));
  EXPECT(cudaSuccess, (storeTile<<<1, 1>>>(map, 128, 1000)));
  EXPECT(cudaErrorMisalignedAddress, (storeTile<<<1, 1>>>(map, 16, 0)));
  EXPECT(cudaErrorIllegalInstruction, (storeTile<<<1, 1>>>(map, 0, -4)));
  EXPECT(cudaErrorIllegalInstruction, (reduceTile<<<1, 1>>>(map, -4)));
  EXPECT(cudaSuccess, (prefetchTile<<<1, 1>>>(map, -4)));
  EXPECT(cudaSuccess, (loadTile<<<1, 1>>>(map, 0, 12, 0)));
  for (const int x : {-1, 1, 2, 3}) {
    expect("rows", cudaErrorIllegalInstruction,
           [=](char *, const CUtensorMap &map) { loadTile<<<1, 1>>>(map, 0, x, 0); });
    expect("rows", cudaErrorIllegalInstruction,
           [=](char *, const CUtensorMap &map) { storeTile<<<1, 1>>>(map, 0, x); });
    expect("rows", cudaErrorIllegalInstruction, [=](char *, const CUtensorMap &map) { reduceTile<<<1, 1>>>(map, x); });
    expect("rows", cudaErrorIllegalInstruction,
           [=](char *, const CUtensorMap &map) { prefetchTile<<<1, 1>>>(map, x); });
  }
}

// One dimension has no strides, which are asked for all the same.
void testNoStrides() {
  CUtensorMap map;
  const cuuint64_t size[] = {100};
  const cuuint32_t box[] = {16}, steps[] = {1};
  check::DeviceArray<char> bytes(4096, 0);
  CHECK_EQ(int(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 1, bytes.get(), size, nullptr, box, steps,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
           int(CUDA_ERROR_INVALID_VALUE));
}

int main() {
  testBulk();
  testTensors();
  testNoStrides();  // last: children need a process that has not used CUDA
  return check::finish();
}
