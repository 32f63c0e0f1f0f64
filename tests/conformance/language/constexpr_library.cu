// options: -std=c++20 --expt-relaxed-constexpr
// Standard classes and algorithms that are constexpr, in device code that never comes to what only the host can do:
// throw, and allocate.
#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "../check.h"

constexpr int elements() {
  std::vector<int> values{1, 2};
  values.push_back(3);
  return std::accumulate(values.begin(), values.end(), 0);
}

__host__ __device__ std::size_t lengthOf(bool copies, std::string_view text) {
  return copies ? std::string(text).size() : text.size();
}

__global__ void k(int *result, std::variant<int, float> which) {
  result[0] = std::get<0>(which);
  result[1] = std::visit([](auto value) { return int(value) + 1; }, which);
  which = 2.5f;
  result[2] = std::visit([](auto value) { return int(value * 2); }, which);
  constexpr int sum = elements();
  result[3] = sum;
  result[4] = static_cast<int>(lengthOf(false, "four"));
  int sorted[] = {3, 1, 2};
  std::sort(sorted, sorted + 3);
  std::swap(sorted[0], sorted[1]);
  result[5] = sorted[0] * 100 + sorted[1] * 10 + sorted[2];
}

int main() {
  check::DeviceArray<int> result(6, 0);
  k<<<1, 1>>>(result.get(), 7);
  LAUNCH_OK();
  CHECK_EQ(result.download(), (std::vector<int>{7, 8, 5, 6, 4, 213}));
  CHECK_EQ(lengthOf(true, "copied"), 6u);
  return check::finish();
}
