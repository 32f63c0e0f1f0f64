// Thrust on device vectors: what keeps or removes some of the elements, and reductions by key.
// options: --extended-lambda -DTHRUST_FORCE_64_BIT_OFFSET_TYPE
// unoptimised: no
// needs: thrust/unique.h
#include "../check.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/unique.h>
#include <algorithm>

constexpr int n = 10007;

thrust::host_vector<int> numbers() {
  thrust::host_vector<int> result(n);
  unsigned state = 3;
  for (int &x : result) x = static_cast<int>((state = state * 1664525u + 1013904223u) >> 22) - 500;
  return result;
}

template <class A, class B>
bool same(const A &device, const B &expected) {
  thrust::host_vector<typename A::value_type> found = device;
  return found.size() == expected.size() && std::equal(found.begin(), found.end(), expected.begin());
}

void checkCompaction(const thrust::host_vector<int> &input) {
  thrust::device_vector<int> a = input, chosen(n), counts(n), keys(n);
  std::vector<int> expected;
  std::copy_if(input.begin(), input.end(), std::back_inserter(expected), [](int x) { return x % 3 == 0; });
  const auto end = thrust::copy_if(a.begin(), a.end(), chosen.begin(), [] __device__(int x) { return x % 3 == 0; });
  chosen.resize(end - chosen.begin());
  CHECK(same(chosen, expected));
  a.erase(thrust::remove_if(a.begin(), a.end(), [] __device__(int x) { return x % 3 == 0; }), a.end());
  CHECK_EQ(a.size(), n - expected.size());

  std::vector<int> reference(input.begin(), input.end());
  std::sort(reference.begin(), reference.end());
  thrust::device_vector<int> sorted(reference.begin(), reference.end());
  const auto ends = thrust::reduce_by_key(sorted.begin(), sorted.end(), thrust::make_constant_iterator(1), keys.begin(),
                                          counts.begin());
  const size_t groups = ends.first - keys.begin();
  CHECK_EQ(int(counts[0]), std::count(reference.begin(), reference.end(), reference[0]));
  CHECK_EQ(thrust::reduce(counts.begin(), ends.second), n);
  sorted.erase(thrust::unique(sorted.begin(), sorted.end()), sorted.end());
  reference.erase(std::unique(reference.begin(), reference.end()), reference.end());
  CHECK(same(sorted, reference));
  CHECK_EQ(groups, reference.size());
}

int main() {
  const thrust::host_vector<int> input = numbers();
  checkCompaction(input);
  return check::finish();
}
