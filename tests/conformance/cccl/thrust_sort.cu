// Thrust on device vectors: sorts with and without keys, by radix and by comparison, and binary searches.
// options: --extended-lambda
// needs: thrust/sort.h
#include "../check.h"

#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <algorithm>
#include <numeric>

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

void checkSorts(const thrust::host_vector<int> &input) {
  thrust::device_vector<int> keys = input, order(n), down = input;
  thrust::sequence(order.begin(), order.end());
  std::vector<int> expected(n), sorted(input.begin(), input.end());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return input[a] < input[b]; });
  std::sort(sorted.begin(), sorted.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), order.begin());
  CHECK(same(keys, sorted));
  CHECK(same(order, expected));
  CHECK_EQ(thrust::lower_bound(keys.begin(), keys.end(), 7) - keys.begin(),
           std::lower_bound(sorted.begin(), sorted.end(), 7) - sorted.begin());
  // A comparison of one's own makes it a merge sort.
  thrust::sort(down.begin(), down.end(), [] __device__(int a, int b) { return a > b; });
  std::reverse(sorted.begin(), sorted.end());
  CHECK(same(down, sorted));
}

int main() {
  const thrust::host_vector<int> input = numbers();
  checkSorts(input);
  return check::finish();
}
