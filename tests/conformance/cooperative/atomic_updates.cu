// reduce_update_async, reduce_store_async and the updating scans, on cuda::atomic and cuda::atomic_ref.
// needs: cuda/atomic
#include "../check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;
using Atomic = cuda::atomic<int, cuda::thread_scope_device>;

template <unsigned Size>
__global__ void updates(Atomic *sum, int *least, int *stored, int *out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int self = blockIdx.x * blockDim.x + threadIdx.x;
  cg::reduce_update_async(tile, *sum, 1, cg::plus<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*least);
  cg::reduce_update_async(tile, ref, self + 3, cg::less<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> slot(stored[self / Size]);
  cg::reduce_store_async(tile, slot, self, cg::greater<int>());
  cg::reduce_store_async(tile, out + self / Size, self, [](int a, int b) { return a + b; });
}

// Every thread takes as many places as its index says; together they are all places, each once.
template <unsigned Size>
__global__ void places(Atomic *next, int *taken, int *wrong) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int want = threadIdx.x % 3;
  const int first = cg::exclusive_scan_update(tile, *next, want, cg::plus<int>());
  for (int i = 0; i < want; ++i) atomicAdd(&taken[first + i], 1);
  const int behind = cg::inclusive_scan_update(tile, *next, want);
  for (int i = 0; i < want; ++i) atomicAdd(&taken[behind - want + i], 1);
  if (tile.thread_rank() == 0 && first < 0) atomicAdd(wrong, 1);
}

template <unsigned Size>
static void test(int blocks, int threads) {
  Atomic *atomics;
  CUDA_OK(cudaMallocManaged(&atomics, 2 * sizeof(Atomic)));
  new (&atomics[0]) Atomic(0);
  new (&atomics[1]) Atomic(0);
  const int total = blocks * threads, tiles = total / int(Size);
  check::DeviceArray<int> least(1, 1 << 30), stored(tiles, -1), out(tiles, -1), taken(4 * total, 0), wrong(1, 0);
  updates<Size><<<blocks, threads>>>(&atomics[0], least.get(), stored.get(), out.get());
  LAUNCH_OK();
  CHECK_EQ(atomics[0].load(), total);
  CHECK_EQ(least.download()[0], 3);
  for (int i = 0; i < tiles; ++i) {
    CHECK_EQ(stored.download()[i], (i + 1) * int(Size) - 1);
    CHECK_EQ(out.download()[i], int(Size * (2 * i * Size + Size - 1) / 2));
  }
  places<Size><<<blocks, threads>>>(&atomics[1], taken.get(), wrong.get());
  LAUNCH_OK();
  int wanted = 0;
  for (int i = 0; i < threads; ++i) wanted += 2 * blocks * (i % 3);
  CHECK_EQ(atomics[1].load(), wanted);
  CHECK_EQ(wrong.download()[0], 0);
  const std::vector<int> places = taken.download();
  for (int i = 0; i < int(places.size()); ++i) CHECK_EQ(places[i], i < wanted);
  CUDA_OK(cudaFree(atomics));
}

int main() {
  test<8>(3, 64);
  test<32>(3, 96);
  test<64>(2, 128);
  test<256>(2, 512);
  return check::finish();
}
