// CUB's algorithms of the whole device that cub_device.cu leaves out: sorts by comparison and in segments, partitions,
// selections, reductions by key, runs.
// options: --extended-lambda
// unoptimised: no
// needs: cub/device/device_merge_sort.cuh cub/device/device_segmented_sort.cuh
#include "../check.h"

#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>
#include <iterator>
#include <vector>

constexpr int n = 6007;
using Numbers = std::vector<int>;

// run() calls the algorithm twice, as CUB wants it: for the size of its temporary storage, and in earnest.
template <class Algorithm>
void run(Algorithm algorithm) {
  size_t bytes = 0;
  CUDA_OK(algorithm(nullptr, bytes));
  check::DeviceArray<char> storage(bytes + 1);
  CUDA_OK(algorithm(storage.get(), bytes));
  CUDA_OK(cudaDeviceSynchronize());
}

Numbers firstOf(const check::DeviceArray<int> &array, int count) {
  Numbers all = array.download();
  all.resize(count);
  return all;
}

struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

// Segments of every size, empty ones and a large one among them.
Numbers segmentBegins() {
  Numbers begins = {0, 0, 1, 3, 10, 10, 3500};
  while (begins.back() < n) begins.push_back(std::min(n, begins.back() + static_cast<int>(begins.size()) * 7));
  return begins;
}

void checkSorts(const Numbers &input) {
  check::DeviceArray<int> keys(input), source(input), sorted(n, 0), begins(segmentBegins());
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceMergeSort::SortKeys(storage, bytes, keys.get(), n, Less());
  });
  Numbers expected = input;
  std::sort(expected.begin(), expected.end());
  CHECK(keys.download() == expected);

  const Numbers limits = segmentBegins();
  const int segments = static_cast<int>(limits.size()) - 1;
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceSegmentedSort::SortKeys(storage, bytes, source.get(), sorted.get(), n, segments, begins.get(),
                                              begins.get() + 1);
  });
  expected = input;
  for (int i = 0; i < segments; ++i) std::sort(expected.begin() + limits[i], expected.begin() + limits[i + 1]);
  CHECK(sorted.download() == expected);
}

// What is chosen comes first, in order; a partition puts the rest behind it, from the end.
void checkChoices(const Numbers &input) {
  check::DeviceArray<int> source(input), target(n, 0), count(1, 0);
  run([&](void *storage, size_t &bytes) {
    return cub::DevicePartition::If(storage, bytes, source.get(), target.get(), count.get(), n, IsOdd());
  });
  Numbers odd, even, distinct;
  for (int x : input) (IsOdd()(x) ? odd : even).push_back(x);
  std::reverse(even.begin(), even.end());
  CHECK_EQ(count.download()[0], static_cast<int>(odd.size()));
  odd.insert(odd.end(), even.begin(), even.end());
  CHECK(target.download() == odd);

  run([&](void *storage, size_t &bytes) {
    return cub::DeviceSelect::Unique(storage, bytes, source.get(), target.get(), count.get(), n);
  });
  std::unique_copy(input.begin(), input.end(), std::back_inserter(distinct));
  CHECK_EQ(count.download()[0], static_cast<int>(distinct.size()));
  CHECK(firstOf(target, static_cast<int>(distinct.size())) == distinct);

  run([&](void *storage, size_t &bytes) {
    return cub::DeviceScan::InclusiveScan(storage, bytes, source.get(), target.get(), Larger(), n);
  });
  Numbers largest = input;
  for (int i = 1; i < n; ++i) largest[i] = std::max(largest[i], largest[i - 1]);
  CHECK(target.download() == largest);
}

void checkRuns(const Numbers &input) {
  Numbers starts, lengths, keys, lasts;
  for (int i = 0, next; i < n; i = next) {
    for (next = i; next < n && input[next] == input[i];) ++next;
    keys.push_back(input[i]);
    lasts.push_back(next - 1);
    if (next - i > 1) starts.push_back(i), lengths.push_back(next - i);
  }
  check::DeviceArray<int> source(input), offsets(n, 0), found(n, 0), count(1, 0);
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(storage, bytes, source.get(), offsets.get(), found.get(),
                                                      count.get(), n);
  });
  const int runs = static_cast<int>(starts.size());
  CHECK_EQ(count.download()[0], runs);
  CHECK(firstOf(offsets, runs) == starts);
  CHECK(firstOf(found, runs) == lengths);

  Numbers positions(n);
  for (int i = 0; i < n; ++i) positions[i] = i;
  check::DeviceArray<int> values(positions), uniqueKeys(n, 0), reduced(n, 0);
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceReduce::ReduceByKey(storage, bytes, source.get(), uniqueKeys.get(), values.get(), reduced.get(),
                                          count.get(), Larger(), n);
  });
  CHECK_EQ(count.download()[0], static_cast<int>(keys.size()));
  CHECK(firstOf(uniqueKeys, static_cast<int>(keys.size())) == keys);
  CHECK(firstOf(reduced, static_cast<int>(keys.size())) == lasts);
}

int main() {
  Numbers input(n), few(n);
  unsigned state = 5;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    input[i] = static_cast<int>(state >> 20) - 2000;
    few[i] = static_cast<int>(state >> 30);
  }
  checkSorts(input);
  checkChoices(input);
  checkRuns(few);
  return check::finish();
}
