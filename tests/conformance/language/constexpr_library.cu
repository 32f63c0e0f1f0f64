// options: -std=c++20 --expt-relaxed-constexpr
// Standard classes and algorithms that are constexpr, in device code that never comes to what only the host can do:
// throw, and allocate.
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "../check.h"

constexpr int elements() {
  std::vector<int> values{1, 2};
  values.push_back(3);
  return std::accumulate(values.begin(), values.end(), 0);
}

__global__ void k(int *result, std::variant<int, float> which) {
  result[0] = std::get<0>(which);
  result[1] = std::visit([](auto value) { return int(value) + 1; }, which);
  which = 2.5f;
  result[2] = std::visit([](auto value) { return int(value * 2); }, which);
  constexpr int sum = elements();
  result[3] = sum;
  int swapped[] = {3, 1, 2};
  std::swap(swapped[0], swapped[1]);
  result[4] = swapped[0] * 100 + swapped[1] * 10 + swapped[2];
}

int main() {
  check::DeviceArray<int> result(5, 0);
  k<<<1, 1>>>(result.get(), 7);
  LAUNCH_OK();
  CHECK_EQ(result.download(), (std::vector<int>{7, 8, 5, 6, 132}));
  return check::finish();
}
