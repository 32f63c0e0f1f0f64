// CUB's collectives of a warp, whole and in parts, and helpers of a thread: reduce, scan, load, store, exchange, sort.
// needs: cub/warp/warp_merge_sort.cuh cub/warp/warp_exchange.cuh
#include "../check.h"

#include <algorithm>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_reduce.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

constexpr int warps = 3, threads = 32 * warps;

template <int Lanes>
__global__ void sums(int *totals, int *prefixes, int *heads) {
  using Reduce = cub::WarpReduce<int, Lanes>;
  using Scan = cub::WarpScan<int, Lanes>;
  __shared__ typename Reduce::TempStorage reduceStorage[threads / Lanes];
  __shared__ typename Scan::TempStorage scanStorage[threads / Lanes];
  const int group = threadIdx.x / Lanes, lane = threadIdx.x % Lanes, value = threadIdx.x + 1;
  const int sum = Reduce(reduceStorage[group]).Sum(value);
  if (lane == 0) totals[group] = sum;
  int prefix;
  Scan(scanStorage[group]).ExclusiveSum(value, prefix);
  prefixes[threadIdx.x] = prefix;
  __syncwarp();
  // Segments begin at every fifth lane.
  const int segment = Reduce(reduceStorage[group]).HeadSegmentedSum(1, lane % 5 == 0);
  heads[threadIdx.x] = lane % 5 == 0 ? segment : 0;
}

template <int Lanes>
void checkSums() {
  check::DeviceArray<int> totals(threads / Lanes), prefixes(threads), heads(threads);
  sums<Lanes><<<1, threads>>>(totals.get(), prefixes.get(), heads.get());
  LAUNCH_OK();
  const auto sum = totals.download(), before = prefixes.download(), segments = heads.download();
  int running = 0;
  for (int i = 0; i < threads; ++i) {
    const int lane = i % Lanes;
    if (lane == 0) running = 0;
    CHECK_EQ(before[i], running);
    running += i + 1;
    if (lane == Lanes - 1) CHECK_EQ(sum[i / Lanes], running);
    CHECK_EQ(segments[i], lane % 5 ? 0 : std::min(5, Lanes - lane));
  }
}

__global__ void sortAndTranspose(const int *input, int *sorted, int *striped) {
  constexpr int items = 4;
  using Load = cub::WarpLoad<int, items, cub::WARP_LOAD_TRANSPOSE>;
  using Store = cub::WarpStore<int, items, cub::WARP_STORE_DIRECT>;
  using Sort = cub::WarpMergeSort<int, items>;
  using Exchange = cub::WarpExchange<int, items>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
    typename Exchange::TempStorage exchange;
  } storage[warps];
  const int warp = threadIdx.x / 32, first = warp * 32 * items;
  int values[items], turned[items];
  Load(storage[warp].load).Load(input + first, values);
  __syncwarp();
  Exchange(storage[warp].exchange).BlockedToStriped(values, turned);
  __syncwarp();
  for (int i = 0; i < items; ++i) striped[first + threadIdx.x % 32 * items + i] = turned[i];
  Sort(storage[warp].sort).Sort(values, [](int a, int b) { return a < b; });
  __syncwarp();
  Store(storage[warp].store).Store(sorted + first, values);
}

void checkSort() {
  constexpr int n = threads * 4;
  std::vector<int> input(n);
  for (int i = 0; i < n; ++i) input[i] = i * 311 % 1000;
  check::DeviceArray<int> source(input), sorted(n), striped(n);
  sortAndTranspose<<<1, threads>>>(source.get(), sorted.get(), striped.get());
  LAUNCH_OK();
  const auto turned = striped.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(turned[i], input[i / 128 * 128 + i % 4 * 32 + i % 128 / 4]);
  for (int first = 0; first < n; first += 128) std::sort(input.begin() + first, input.begin() + first + 128);
  CHECK(sorted.download() == input);
}

__global__ void oneThread(const int *input, int *result) {
  int values[3] = {cub::ThreadLoad<cub::LOAD_CG>(input), cub::ThreadLoad<cub::LOAD_LDG>(input + 1), input[2]};
  *result = values[0] + values[1] + values[2];
}

int main() {
  checkSums<32>();
  checkSums<16>();
  checkSums<8>();
  checkSort();
  check::DeviceArray<int> source(std::vector<int>{5, 6, 7}), result(1);
  oneThread<<<1, 1>>>(source.get(), result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 18);
  return check::finish();
}
