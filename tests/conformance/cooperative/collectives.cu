// reduce(), scans, invoke_one() on tiles and coalesced groups, with every operator and lambdas.
#include "../check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__device__ void expect(bool condition, int line, int *wrong) {
  if (!condition && atomicAdd(wrong, 1) < 10) printf("line %d, thread %d\n", line, int(threadIdx.x));
}
#define EXPECT(condition) expect(condition, __LINE__, wrong)

struct Pair {
  int least, sum;
};
struct JoinPairs {
  __device__ Pair operator()(const Pair &a, const Pair &b) const {
    return {a.least < b.least ? a.least : b.least, a.sum + b.sum};
  }
};

template <class Group>
__device__ void reductions(const Group &group, int *wrong) {
  const int rank = group.thread_rank(), size = group.size();
  EXPECT(cg::reduce(group, rank, cg::plus<int>()) == size * (size - 1) / 2);
  EXPECT(cg::reduce(group, (unsigned char)(rank + 1), cg::plus<unsigned char>()) == size * (size + 1) / 2 % 256);
  EXPECT(cg::reduce(group, -rank, cg::less<int>()) == 1 - size);
  EXPECT(cg::reduce(group, -rank, cg::greater<int>()) == 0);
  EXPECT(cg::reduce(group, 3u << rank % 30, cg::bit_or<unsigned>()) == (size >= 30 ? 0x7fffffffu : (2u << size) - 1));
  EXPECT(cg::reduce(group, ~1ll, cg::bit_and<long long>()) == ~1ll);
  EXPECT(cg::reduce(group, 9, cg::bit_xor<int>()) == (size % 2 ? 9 : 0));
  EXPECT(cg::reduce(group, 0.5 * rank, cg::plus<double>()) == 0.25 * size * (size - 1));
  EXPECT(cg::reduce(group, rank + 1.0f, [](float a, float b) { return a > b ? a : b; }) == float(size));
  const Pair pair = cg::reduce(group, Pair{10 - rank, 2}, JoinPairs());
  EXPECT(pair.least == 11 - size && pair.sum == 2 * size);
  int stored = -1;
  cg::reduce_store_async(group, &stored, rank, cg::greater<int>());
  group.sync();
  const int holders = cg::reduce(group, stored == size - 1 ? 1 : 0, cg::plus<int>());
  EXPECT(holders == 1);
}

template <class Group>
__device__ void scans(const Group &group, int *wrong) {
  const int rank = group.thread_rank(), size = group.size();
  EXPECT(cg::inclusive_scan(group, rank) == rank * (rank + 1) / 2);
  EXPECT(cg::exclusive_scan(group, rank) == rank * (rank - 1) / 2);
  EXPECT(cg::inclusive_scan(group, size - rank, cg::less<int>()) == size - rank);
  EXPECT(cg::exclusive_scan(group, rank + 1, cg::greater<int>()) == rank);
  EXPECT(cg::exclusive_scan(group, 1u << rank, cg::bit_or<unsigned>()) == (1u << rank) - 1);
  EXPECT(cg::inclusive_scan(group, 1ull << 40) == (rank + 1ull) << 40);
  EXPECT(cg::inclusive_scan(group, 2.0, [](double a, double b) { return a + b; }) == 2.0 * (rank + 1));
}

template <class Group>
__device__ void invocations(const Group &group, int *counters, int *wrong) {
  cg::invoke_one(group, [](int *counter, int by) { atomicAdd(counter, by); }, counters, 3);
  const int rank = cg::invoke_one_broadcast(group, [&] { return int(group.thread_rank()); });
  EXPECT(group.all(rank == group.shfl(rank, 0)));
  EXPECT(rank >= 0 && rank < int(group.size()));
}

template <unsigned Size>
__global__ void onTiles(int *counter, int *wrong) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  reductions(tile, wrong);
  scans(tile, wrong);
  invocations(tile, counter, wrong);
}

// Each thread's label names a group of its own size.
__global__ void onCoalesced(int *counter, int *wrong) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = warp.thread_rank();
  const cg::coalesced_group group = cg::labeled_partition(warp, lane < 3 ? 0 : lane % 2 ? 5 : 9);
  EXPECT(group.size() == (lane < 3 ? 3 : lane % 2 ? 15 : 14));
  EXPECT(group.meta_group_size() == 3);
  EXPECT(group.meta_group_rank() == (lane < 3 ? 0 : lane % 2 ? 1 : 2));
  reductions(group, wrong);
  scans(group, wrong);
  invocations(group, counter, wrong);
}

__global__ void partitions(int *wrong) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int lane = warp.thread_rank();
  const cg::coalesced_group odd = cg::binary_partition(warp, lane % 4 == 1);
  EXPECT(odd.size() == (lane % 4 == 1 ? 8 : 24) && odd.meta_group_size() == 2);
  EXPECT(odd.meta_group_rank() == (lane % 4 == 1 ? 1 : 0));
  const cg::coalesced_group everybody = cg::binary_partition(warp, true);
  EXPECT(everybody.size() == 32 && everybody.meta_group_size() == 1 && everybody.meta_group_rank() == 0);
  const cg::coalesced_group byBool = cg::labeled_partition(warp, lane >= 20);
  EXPECT(byBool.size() == (lane >= 20 ? 12 : 20) && int(byBool.thread_rank()) == (lane >= 20 ? lane - 20 : lane));
  const cg::coalesced_group pieces = cg::tiled_partition(byBool, 8);
  EXPECT(pieces.size() == (lane >= 28 || (lane >= 16 && lane < 20) ? 4 : 8));
  EXPECT(int(pieces.meta_group_rank()) == (lane >= 20 ? lane - 20 : lane) / 8);
  const cg::thread_group dynamic = cg::tiled_partition(block, 16);
  EXPECT(dynamic.size() == 16 && int(dynamic.thread_rank()) == lane % 16);
  dynamic.sync();
  const cg::thread_block_tile<1> alone = cg::this_thread();
  EXPECT(alone.size() == 1 && alone.thread_rank() == 0 && alone.meta_group_rank() == 0 && alone.meta_group_size() == 1);
  const auto eight = cg::tiled_partition<8>(warp);
  EXPECT(eight.meta_group_rank() == unsigned(lane) / 8 && eight.meta_group_size() == 4);
  EXPECT(eight.match_any(lane % 2) == (lane % 2 ? 0xaau : 0x55u));
  int same = -1;
  EXPECT(eight.match_all(lane / 8, same) == 0xffu && same != 0);
  EXPECT(odd.match_any(lane / 16) == (lane % 4 == 1 ? 0xfu : 0xfffu) << (lane < 16 ? 0 : odd.size() / 2));
}

int main() {
  check::DeviceArray<int> counter(1, 0), wrong(1, 0);
  onTiles<1><<<1, 32>>>(counter.get(), wrong.get());
  onTiles<4><<<1, 64>>>(counter.get(), wrong.get());
  onTiles<16><<<1, 96>>>(counter.get(), wrong.get());
  onTiles<32><<<2, 64>>>(counter.get(), wrong.get());
  LAUNCH_OK();
  CHECK_EQ(counter.download()[0], 3 * (32 + 16 + 6 + 4));
  counter.upload({0});
  onCoalesced<<<1, 64>>>(counter.get(), wrong.get());
  LAUNCH_OK();
  CHECK_EQ(counter.download()[0], 3 * 3 * 2);
  partitions<<<2, 96>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  return check::finish();
}
