// Thrust on device vectors: transform, reduce, scans, searches, and what fills and counts.
// options: --extended-lambda -DTHRUST_FORCE_32_BIT_OFFSET_TYPE
// needs: thrust/transform.h
#include "../check.h"

#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
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

void checkElementwise(const thrust::host_vector<int> &input) {
  thrust::device_vector<int> a = input, b(n), c(n, 2);
  thrust::sequence(b.begin(), b.end(), 10, 3);
  CHECK_EQ(int(b[1]), 13);
  thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), [] __device__(int x, int y) { return x * 2 + y; });
  for (int i : {0, 1, 5000, n - 1}) CHECK_EQ(int(c[i]), input[i] * 2 + 10 + 3 * i);
  thrust::fill(c.begin() + 5, c.begin() + 8, -1);
  CHECK_EQ(thrust::count(c.begin(), c.begin() + 10, -1) >= 3, true);
  CHECK_EQ(thrust::reduce(a.begin(), a.end()), std::accumulate(input.begin(), input.end(), 0));
  const long squares = thrust::transform_reduce(a.begin(), a.end(), thrust::square<long>(), 0L, thrust::plus<long>());
  CHECK_EQ(squares, std::inner_product(input.begin(), input.end(), input.begin(), 0L));
  CHECK_EQ(thrust::max_element(a.begin(), a.end()) - a.begin(),
           std::max_element(input.begin(), input.end()) - input.begin());
  CHECK_EQ(thrust::count_if(a.begin(), a.end(), [] __device__(int x) { return x < 0; }),
           std::count_if(input.begin(), input.end(), [](int x) { return x < 0; }));
}

void checkScans(const thrust::host_vector<int> &input) {
  thrust::device_vector<int> a = input, sums(n);
  std::vector<int> expected(n);
  thrust::inclusive_scan(a.begin(), a.end(), sums.begin());
  std::partial_sum(input.begin(), input.end(), expected.begin());
  CHECK(same(sums, expected));
  thrust::exclusive_scan(a.begin(), a.end(), a.begin(), 100);
  for (int &x : expected) x += 100;
  expected.insert(expected.begin(), 100);
  expected.pop_back();
  CHECK(same(a, expected));
}

int main() {
  const thrust::host_vector<int> input = numbers();
  checkElementwise(input);
  checkScans(input);
  return check::finish();
}
