// CUB's collectives of a block: reduce, scan, load, store, exchange, radix and merge sort, histogram, discontinuity.
// needs: cub/block/block_radix_sort.cuh cub/block/block_merge_sort.cuh
#include "../check.h"

#include <algorithm>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <numeric>

constexpr int threads = 128, items = 3, n = threads * items;

struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

struct Descending {
  __device__ bool operator()(int a, int b) const { return a > b; }
};

template <cub::BlockReduceAlgorithm Algorithm>
__device__ int blockSum(int value) {
  using Reduce = cub::BlockReduce<int, threads, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  return Reduce(storage).Sum(value);
}

__global__ void reduce(int *result) {
  const int id = threadIdx.x;
  const int a = blockSum<cub::BLOCK_REDUCE_RAKING>(id), b = blockSum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(id);
  using Reduce = cub::BlockReduce<int, threads>;
  __shared__ typename Reduce::TempStorage storage;
  const int largest = Reduce(storage).Reduce((id * 37) % threads, Larger(), 50);
  if (id == 0) result[0] = a, result[1] = b, result[2] = largest;
}

template <cub::BlockScanAlgorithm Algorithm>
__global__ void scan(const int *input, int *inclusive, int *exclusive, int *total) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<int, threads, Algorithm>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } storage;
  int values[items], sums[items], sum;
  Load(storage.load).Load(input, values);
  __syncthreads();
  Scan(storage.scan).InclusiveSum(values, sums, sum);
  __syncthreads();
  Store(storage.store).Store(inclusive, sums);
  __syncthreads();
  Scan(storage.scan).ExclusiveScan(values, sums, -1, Larger());
  __syncthreads();
  Store(storage.store).Store(exclusive, sums);
  if (threadIdx.x == 0) *total = sum;
}

__global__ void sort(const int *input, int *radix, int *merged, int *order) {
  using Radix = cub::BlockRadixSort<int, threads, items, int>;
  using Merge = cub::BlockMergeSort<int, threads, items>;
  using Exchange = cub::BlockExchange<int, threads, items>;
  __shared__ union {
    typename Radix::TempStorage radix;
    typename Merge::TempStorage merge;
    typename Exchange::TempStorage exchange;
  } storage;
  int keys[items], positions[items], others[items];
  cub::LoadDirectBlocked(threadIdx.x, input, keys);
  for (int i = 0; i < items; ++i) positions[i] = threadIdx.x * items + i, others[i] = keys[i];
  Radix(storage.radix).Sort(keys, positions);
  __syncthreads();
  cub::StoreDirectBlocked(threadIdx.x, radix, keys);
  Exchange(storage.exchange).BlockedToStriped(positions, positions);
  cub::StoreDirectStriped<threads>(threadIdx.x, order, positions);
  __syncthreads();
  Merge(storage.merge).Sort(others, Descending());
  cub::StoreDirectBlocked(threadIdx.x, merged, others);
}

__global__ void histogramAndHeads(const unsigned char *input, int *counts, int *heads, int *differences) {
  using Histogram = cub::BlockHistogram<unsigned char, threads, items, 8, cub::BLOCK_HISTO_ATOMIC>;
  using Heads = cub::BlockDiscontinuity<int, threads>;
  using Difference = cub::BlockAdjacentDifference<int, threads>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ typename Heads::TempStorage headStorage;
  __shared__ typename Difference::TempStorage differenceStorage;
  __shared__ int bins[8];
  unsigned char values[items];
  int groups[items], flags[items], steps[items];
  cub::LoadDirectBlocked(threadIdx.x, input, values);
  Histogram(storage).Histogram(values, bins);
  for (int i = 0; i < items; ++i) groups[i] = (threadIdx.x * items + i) / 7;
  Heads(headStorage).FlagHeads(flags, groups, [](int a, int b) { return a != b; });
  Difference(differenceStorage).SubtractLeft(groups, steps, [](int a, int b) { return a - b; });
  cub::StoreDirectBlocked(threadIdx.x, heads, flags);
  cub::StoreDirectBlocked(threadIdx.x, differences, steps);
  __syncthreads();
  if (threadIdx.x < 8) counts[threadIdx.x] = bins[threadIdx.x];
}

std::vector<int> numbers() {
  std::vector<int> result(n);
  for (int i = 0; i < n; ++i) result[i] = (i * 7919) % 503 - 250;
  return result;
}

template <cub::BlockScanAlgorithm Algorithm>
void checkScan() {
  const std::vector<int> input = numbers();
  check::DeviceArray<int> source(input), inclusive(n), exclusive(n), total(1);
  scan<Algorithm><<<1, threads>>>(source.get(), inclusive.get(), exclusive.get(), total.get());
  LAUNCH_OK();
  const auto sums = inclusive.download(), largest = exclusive.download();
  int sum = 0, most = -1;
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(largest[i], most);
    sum += input[i];
    most = std::max(most, input[i]);
    CHECK_EQ(sums[i], sum);
  }
  CHECK_EQ(total.download()[0], sum);
}

void checkSort() {
  std::vector<int> input = numbers();
  check::DeviceArray<int> source(input), radix(n), merged(n), order(n);
  sort<<<1, threads>>>(source.get(), radix.get(), merged.get(), order.get());
  LAUNCH_OK();
  const auto up = radix.download(), down = merged.download(), from = order.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(input[from[i]], up[i]);
  std::sort(input.begin(), input.end());
  CHECK(up == input);
  std::reverse(input.begin(), input.end());
  CHECK(down == input);
}

int main() {
  check::DeviceArray<int> result(3);
  reduce<<<1, threads>>>(result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], threads * (threads - 1) / 2);
  CHECK_EQ(result.download()[1], threads * (threads - 1) / 2);
  int largest = 0;
  for (int i = 0; i < 50; ++i) largest = std::max(largest, i * 37 % threads);
  CHECK_EQ(result.download()[2], largest);
  checkScan<cub::BLOCK_SCAN_RAKING>();
  checkScan<cub::BLOCK_SCAN_WARP_SCANS>();
  checkSort();

  std::vector<unsigned char> bytes(n);
  for (int i = 0; i < n; ++i) bytes[i] = i * i % 8;
  check::DeviceArray<unsigned char> source(bytes);
  check::DeviceArray<int> counts(8), heads(n), differences(n);
  histogramAndHeads<<<1, threads>>>(source.get(), counts.get(), heads.get(), differences.get());
  LAUNCH_OK();
  for (int i = 0; i < 8; ++i) CHECK_EQ(counts.download()[i], std::count(bytes.begin(), bytes.end(), i));
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(heads.download()[i], i % 7 == 0);
    CHECK_EQ(differences.download()[i], i && i % 7 == 0);
  }
  return check::finish();
}
