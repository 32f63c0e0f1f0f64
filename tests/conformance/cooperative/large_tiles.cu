// Tiles of more than 32 threads: ranks, barriers, shuffles, votes, reductions and scans; tiles of tiles.
#include "../check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__device__ void expect(bool condition, int line, int *wrong) {
  if (!condition && atomicAdd(wrong, 1) < 10) printf("line %d, thread %d\n", line, int(threadIdx.x));
}
#define EXPECT(condition) expect(condition, __LINE__, wrong)

template <unsigned Size, class Parent>
__device__ void ranks(const cg::thread_block_tile<Size, Parent> &tile, unsigned rank, int *wrong) {
  EXPECT(tile.size() == Size && tile.num_threads() == Size && tile.thread_rank() == rank % Size);
  EXPECT(tile.meta_group_rank() == rank / Size);
  const cg::thread_block_tile<Size> unnamed = tile;
  EXPECT(unnamed.meta_group_rank() == rank / Size && unnamed.thread_rank() == rank % Size);
}

template <unsigned Size>
__global__ void tiles(int *ring, int *wrong) {
  __shared__ cg::block_tile_memory<1024> scratch;
  const cg::thread_block block = cg::this_thread_block(scratch);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned self = block.thread_rank(), first = self / Size * Size;
  ranks(tile, self, wrong);
  EXPECT(tile.meta_group_size() == block.size() / Size);
  for (int round = 0; round < 5; ++round) {
    ring[self] = self * 10 + round;
    tile.sync();
    const unsigned neighbour = first + (self - first + Size / 2 + round) % Size;
    EXPECT(ring[neighbour] == int(neighbour) * 10 + round);
    cg::sync(tile);
  }
  for (unsigned source = 0; source < Size; source += 13)
    EXPECT(tile.shfl(self * 1000ull, source) == (first + source) * 1000ull);
  EXPECT(tile.shfl(float(self), Size - 1) == float(first + Size - 1));
  EXPECT(tile.any(self == first + Size - 1) != 0 && tile.any(0) == 0);
  EXPECT(tile.all(1) != 0 && tile.all(self != first + 40) == 0);
}

template <unsigned Size>
__global__ void collectives(int *wrong) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int rank = tile.thread_rank(), tag = tile.meta_group_rank() * 7;
  EXPECT(cg::reduce(tile, rank + tag, cg::plus<int>()) == int(Size * (Size - 1) / 2 + Size * tag));
  EXPECT(cg::reduce(tile, rank + tag, cg::less<int>()) == tag);
  EXPECT(cg::reduce(tile, 0.5 * rank, cg::greater<double>()) == 0.5 * (Size - 1));
  EXPECT(cg::reduce(tile, 1u << rank % 32, cg::bit_or<unsigned>()) == ~0u);
  EXPECT(cg::reduce(tile, ~(1ull << rank % 64), cg::bit_and<unsigned long long>()) == 0);
  EXPECT(cg::reduce(tile, rank == 33 ? 5u : 0u, cg::bit_xor<unsigned>()) == 5u);
  EXPECT(cg::reduce(tile, 2.0f, [](float a, float b) { return a + b; }) == 2.0f * Size);
  EXPECT(cg::inclusive_scan(tile, rank) == rank * (rank + 1) / 2);
  EXPECT(cg::exclusive_scan(tile, rank) == rank * (rank - 1) / 2);
  EXPECT(cg::inclusive_scan(tile, 1000 - rank, cg::less<int>()) == 1000 - rank);
  EXPECT(cg::exclusive_scan(tile, rank + 1, cg::greater<int>()) == rank);
  const int chosen = cg::invoke_one_broadcast(tile, [&] { return rank + 5 + tag; });
  EXPECT(chosen >= 5 + tag && chosen < int(Size) + 5 + tag && tile.all(chosen == tile.shfl(chosen, 0)) != 0);
}

// A tile of 128 threads in halves, and warps of these; the halves of the block do different things.
__global__ void nested(int *wrong) {
  const cg::thread_block block = cg::this_thread_block();
  const auto whole = cg::tiled_partition<128>(block);
  const auto half = cg::tiled_partition<64>(whole);
  const auto warp = cg::tiled_partition<32>(half);
  const unsigned self = whole.thread_rank();
  ranks(half, self, wrong);
  ranks(warp, self % 64, wrong);
  EXPECT(half.meta_group_size() == 2 && warp.meta_group_size() == 2);
  if (whole.meta_group_rank() == 0) {
    for (int i = 0; i < 10; ++i) EXPECT(cg::reduce(half, 1, cg::plus<int>()) == 64);
  } else {
    EXPECT(cg::reduce(whole, 1, cg::plus<int>()) == 128);
    for (int i = 0; i < 3; ++i) EXPECT(whole.shfl(self, 100) == 100);
  }
  EXPECT(cg::reduce(warp, self, cg::plus<unsigned>()) == self / 32 * 32 * 32 + 496);
}

template <unsigned Size>
static void test(unsigned threads) {
  check::DeviceArray<int> ring(1024, 0), wrong(1, 0);
  tiles<Size><<<1, threads>>>(ring.get(), wrong.get());
  LAUNCH_OK();
  collectives<Size><<<3, threads>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
}

int main() {
  test<64>(64);
  test<64>(512);
  test<128>(256);
  test<256>(1024);
  test<512>(1024);
  check::DeviceArray<int> wrong(1, 0);
  nested<<<2, 256>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  return check::finish();
}
