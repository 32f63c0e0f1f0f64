// Thread blocks, tiles of every size and coalesced groups: ranks, barriers, shuffles, votes.
#include "../check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int Size>
__device__ int tileSum(cg::thread_block_tile<Size> tile, int value) {
  for (int offset = Size / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  return tile.shfl(value, 0);
}

template <int Size>
__global__ void tiles(int *out, int *wrong) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  const int i = threadIdx.x + blockDim.x * threadIdx.y;
  if (block.thread_rank() != unsigned(i) || block.size() != blockDim.x * blockDim.y) atomicAdd(wrong, 1);
  if (block.group_index().x != blockIdx.x || block.thread_index().y != threadIdx.y) atomicAdd(wrong, 1);
  if (tile.size() != Size || tile.thread_rank() != unsigned(i % Size) || tile.meta_group_rank() != unsigned(i / Size))
    atomicAdd(wrong, 1);
  out[i] = tileSum<Size>(tile, i);
  if (tile.any(tile.thread_rank() == Size - 1) != 1 || tile.all(1) == 0) atomicAdd(wrong, 1);
  if (tile.ballot(tile.thread_rank() == 0) != 1u) atomicAdd(wrong, 1);
  if (tile.shfl_xor(i, Size / 2) != (i ^ (Size / 2))) atomicAdd(wrong, 1);
  block.sync();
}

__global__ void coalesced(int *counter, int *ranks, int *wrong) {
  const int i = threadIdx.x;
  if (i % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
    ranks[i] = active.shfl(first, 0) + active.thread_rank();
    active.sync();
    if (active.size() == 0 || active.thread_rank() >= active.size()) atomicAdd(wrong, 1);
  }
}

__global__ void barriers(int *out) {
  extern __shared__ int ring[];
  cg::thread_block block = cg::this_thread_block();
  ring[block.thread_rank()] = block.thread_rank();
  for (int r = 0; r < 10; ++r) {
    block.sync();
    const int next = ring[(block.thread_rank() + 1) % block.size()];
    cg::sync(block);
    ring[block.thread_rank()] = next;
  }
  out[block.thread_rank()] = ring[block.thread_rank()];
}

template <int Size>
static void testTiles() {
  check::DeviceArray<int> out(128), wrong(1, 0);
  tiles<Size><<<2, dim3(32, 4)>>>(out.get(), wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  const std::vector<int> host = out.download();
  for (int i = 0; i < 128; ++i) {
    const int first = i / Size * Size;
    CHECK_EQ(host[i], Size * first + Size * (Size - 1) / 2);
  }
}

int main() {
  testTiles<2>();
  testTiles<4>();
  testTiles<8>();
  testTiles<16>();
  testTiles<32>();
  check::DeviceArray<int> counter(1, 0), ranks(100, -1), wrong(1, 0), out(77);
  coalesced<<<1, 100>>>(counter.get(), ranks.get(), wrong.get());
  LAUNCH_OK();
  CHECK_EQ(counter.download()[0], 34);
  CHECK_EQ(wrong.download()[0], 0);
  std::vector<int> seen(34, 0);
  const std::vector<int> host = ranks.download();
  for (int i = 0; i < 100; i += 3)
    if (host[i] >= 0 && host[i] < 34) ++seen[host[i]];
  for (int s : seen) CHECK_EQ(s, 1);
  barriers<<<1, 77, 77 * sizeof(int)>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 77; ++i) CHECK_EQ(out.download()[i], (i + 10) % 77);
  return check::finish();
}
