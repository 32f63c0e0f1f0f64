// What CUB and Thrust tune for each architecture: the host chooses the shape of the launch by the kernel's attributes,
// and device code the rest by __CUDA_ARCH__.
#include "../check.h"

#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <numeric>

namespace tuned {

template <class Algorithm>
void run(Algorithm algorithm) {
  size_t bytes = 0;
  CUDA_OK(algorithm(nullptr, bytes));
  check::DeviceArray<char> storage(bytes + 1);
  CUDA_OK(algorithm(storage.get(), bytes));
  CUDA_OK(cudaDeviceSynchronize());
}

inline void checkSums(int n) {
  std::vector<int> input(n), prefixes(n);
  for (int i = 0; i < n; ++i) input[i] = i % 1013 - 400;
  std::partial_sum(input.begin(), input.end(), prefixes.begin());
  check::DeviceArray<int> source(input), sum(1, -1), scanned(n);
  run([&](void *storage, size_t &bytes) { return cub::DeviceReduce::Sum(storage, bytes, source.get(), sum.get(), n); });
  run([&](void *storage, size_t &bytes) {
    return cub::DeviceScan::InclusiveSum(storage, bytes, source.get(), scanned.get(), n);
  });
  CHECK_EQ(sum.download()[0], prefixes.back());
  CHECK(scanned.download() == prefixes);
}

template <class Key>
void checkSort(int n) {
  std::vector<Key> keys(n);
  unsigned state = 7;
  for (Key &key : keys) key = Key((state = state * 1664525u + 1013904223u) >> 9);
  thrust::device_vector<Key> device = keys;
  thrust::sort(device.begin(), device.end());
  std::sort(keys.begin(), keys.end());
  std::vector<Key> sorted(n);
  thrust::copy(device.begin(), device.end(), sorted.begin());
  CHECK(sorted == keys);
}

inline int checkAll() {
  for (int n : {1, 1000, 300007}) checkSums(n);
  checkSort<int>(100003);
  return check::finish();
}

}  // namespace tuned
