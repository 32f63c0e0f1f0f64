// Thrust on sorted ranges and in other memory: merge, set operations, scans and unique by key; managed and pinned
// vectors; policies that name a stream and do not wait.
// options: --extended-lambda -DTHRUST_FORCE_64_BIT_OFFSET_TYPE
// unoptimised: no
// needs: thrust/universal_vector.h thrust/set_operations.h
#include "../check.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/transform.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>

#include <algorithm>
#include <iterator>
#include <vector>

using Numbers = std::vector<int>;
using DeviceNumbers = thrust::device_vector<int>;

Numbers sortedNumbers(int count, unsigned state, int range) {
  Numbers result(count);
  for (int &x : result) x = static_cast<int>((state = state * 1664525u + 1013904223u) >> 8) % range;
  std::sort(result.begin(), result.end());
  return result;
}

Numbers take(const DeviceNumbers &from, DeviceNumbers::const_iterator end) {
  Numbers result(end - from.begin());
  thrust::copy(from.begin(), end, result.begin());
  return result;
}

void checkSets(const Numbers &a, const Numbers &b) {
  const DeviceNumbers x(a.begin(), a.end()), y(b.begin(), b.end());
  DeviceNumbers out(a.size() + b.size());
  Numbers expected;
#define CHECK_SET(operation)                                                            \
  expected.clear();                                                                     \
  std::operation(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected)); \
  CHECK(take(out, thrust::operation(x.begin(), x.end(), y.begin(), y.end(), out.begin())) == expected);
  CHECK_SET(merge)
  CHECK_SET(set_union)
  CHECK_SET(set_intersection)
  CHECK_SET(set_difference)
}

// Each run of equal keys is summed up for itself; of each run one value is left.
void checkKeys(const Numbers &keys) {
  const int n = static_cast<int>(keys.size());
  DeviceNumbers deviceKeys(keys.begin(), keys.end()), ones(n, 1), sums(n);
  thrust::inclusive_scan_by_key(deviceKeys.begin(), deviceKeys.end(), ones.begin(), sums.begin());
  const thrust::host_vector<int> got = sums;
  for (int i = 0, run = 0; i < n; ++i) {
    run = i > 0 && keys[i] == keys[i - 1] ? run + 1 : 1;
    CHECK_EQ(got[i], run);
  }
  const auto ends = thrust::unique_by_key(deviceKeys.begin(), deviceKeys.end(), sums.begin());
  Numbers distinct = keys;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  CHECK(take(deviceKeys, ends.first) == distinct);
  CHECK(take(sums, ends.second) == Numbers(distinct.size(), 1));
}

__global__ void addOne(int *values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] += 1;
}

// Host code and kernels use the same managed memory; what comes later in the stream sees the transform's result.
void checkManaged() {
  constexpr int n = 1000;
  thrust::universal_vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  int *raw = thrust::raw_pointer_cast(values.data());
  thrust::transform(thrust::cuda::par_nosync.on(stream), raw, raw + n, raw, [] __device__(int x) { return 2 * x; });
  addOne<<<1, 128, 0, stream>>>(raw, n);
  CUDA_OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) CHECK_EQ(values[i], 2 * i + 1);
  CUDA_OK(cudaStreamDestroy(stream));

  const thrust::host_vector<
      int, thrust::mr::stateless_resource_allocator<int, thrust::system::cuda::universal_host_pinned_memory_resource>>
      pinned(values.begin(), values.end());
  const DeviceNumbers copied(pinned.begin(), pinned.end());
  CHECK_EQ(int(copied[n - 1]), 2 * (n - 1) + 1);
}

int main() {
  const Numbers a = sortedNumbers(3001, 1, 2000), b = sortedNumbers(2503, 2, 2500);
  checkSets(a, b);
  checkSets(a, {});
  checkKeys(sortedNumbers(4001, 3, 500));
  checkManaged();
  return check::finish();
}
