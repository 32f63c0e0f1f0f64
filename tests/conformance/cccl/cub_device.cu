// CUB's algorithms of the whole device, in a stream of the user's: from reductions to segments.
// options: --extended-lambda
// unoptimised: no
// needs: cub/device/device_radix_sort.cuh
#include "../check.h"

#include <algorithm>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <map>
#include <numeric>

constexpr int n = 20011;
cudaStream_t stream;

// run() calls the algorithm twice, as CUB wants it: for the size of its temporary storage, and in earnest.
template <class Algorithm>
void run(Algorithm algorithm) {
  size_t bytes = 0;
  CUDA_OK(algorithm(nullptr, bytes));
  check::DeviceArray<char> storage(bytes + 1);
  CUDA_OK(algorithm(storage.get(), bytes));
  CUDA_OK(cudaStreamSynchronize(stream));
}

std::vector<int> numbers() {
  std::vector<int> result(n);
  unsigned state = 1;
  for (int &x : result) x = static_cast<int>((state = state * 1664525u + 1013904223u) >> 20) - 2000;
  return result;
}

void checkReduceAndScan(const std::vector<int> &input) {
  check::DeviceArray<int> source(input), sum(1), prefixes(n);
  check::DeviceArray<int> smallest(1);
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, source.get(), sum.get(), n, stream);
  });
  CHECK_EQ(sum.download()[0], std::accumulate(input.begin(), input.end(), 0));
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceReduce::Min(storage, bytes, source.get(), smallest.get(), n, stream);
  });
  CHECK_EQ(smallest.download()[0], *std::min_element(input.begin(), input.end()));
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, source.get(), prefixes.get(), n, stream);
  });
  const auto found = prefixes.download();
  int expected = 0;
  for (int i = 0; i < n; expected += input[i++]) CHECK_EQ(found[i], expected);
}

void checkSort(const std::vector<int> &input) {
  std::vector<int> positions(n);
  std::iota(positions.begin(), positions.end(), 0);
  check::DeviceArray<int> keys(input), sorted(n), values(positions), order(n);
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys.get(), sorted.get(), values.get(), order.get(), n, 0,
                                           32, stream);
  });
  std::stable_sort(positions.begin(), positions.end(), [&](int a, int b) { return input[a] < input[b]; });
  CHECK(order.download() == positions);
  const auto result = sorted.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(result[i], input[positions[i]]);
}

void checkSelectAndRuns(std::vector<int> input) {
  check::DeviceArray<int> source(input), chosen(n), count(1), values(n), lengths(n);
  const auto even = [] __device__(int x) { return x % 2 == 0; };
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceSelect::If(storage, bytes, source.get(), chosen.get(), count.get(), n, even, stream);
  });
  std::vector<int> expected;
  std::copy_if(input.begin(), input.end(), std::back_inserter(expected), [](int x) { return x % 2 == 0; });
  auto found = chosen.download();
  found.resize(count.download()[0]);
  CHECK(found == expected);

  for (int &x : input) x /= 300;
  source.upload(input);
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, source.get(), values.get(), lengths.get(), count.get(), n,
                                              stream);
  });
  const auto run = values.download(), length = lengths.download();
  size_t position = 0;
  for (int i = 0; i < count.download()[0]; ++i)
    for (int j = 0; j < length[i]; ++j) CHECK_EQ(run[i], input[position++]);
  CHECK_EQ(position, input.size());
}

void checkHistogramAndSegments(const std::vector<int> &input) {
  std::vector<int> expected(10, 0), offsets = {0, 5, 5, 1000, n};
  for (int x : input)
    if (x >= -1000 && x < 1000) ++expected[(x + 1000) / 200];
  check::DeviceArray<int> source(input), counts(10), begins(offsets), most(4);
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, source.get(), counts.get(), 11, -1000, 1000, n, stream);
  });
  CHECK(counts.download() == expected);
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceSegmentedReduce::Max(storage, bytes, source.get(), most.get(), 4, begins.get(), begins.get() + 1,
                                           stream);
  });
  for (int i = 0; i < 4; ++i) {
    int largest = std::numeric_limits<int>::lowest();
    for (int j = offsets[i]; j < offsets[i + 1]; ++j) largest = std::max(largest, input[j]);
    CHECK_EQ(most.download()[i], largest);
  }
}

int main() {
  CUDA_OK(cudaStreamCreate(&stream));
  const std::vector<int> input = numbers();
  checkReduceAndScan(input);
  checkSort(input);
  checkSelectAndRuns(input);
  checkHistogramAndSegments(input);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
