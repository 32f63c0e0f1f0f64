// options: --expt-relaxed-constexpr
// constexpr functions of the host that might throw, in device code: those of the program's and of the standard library.
#include <array>
#include <optional>
#include <stdexcept>

#include "../check.h"

constexpr int half(int x) {
  if (x % 2) throw x;
  return x / 2;
}
template <class T>
constexpr T positive(T x) {
  return x > 0 ? x : throw "not positive";
}

__global__ void sum(int *result, int i) {
  const std::array<int, 3> values{4, 5, 6};
  const std::optional<int> maybe = 7;
  constexpr int three = half(6);
  *result = values.at(i) + 10 * maybe.value() + 100 * three + 1000 * half(2 * i) + 10000 * positive(i + 1);
}

// A template that nothing instantiates is nobody's code.
template <class T>
__device__ void never(T x) {
  throw x;
}

int main() {
  check::DeviceArray<int> result(1, 0);
  sum<<<1, 1>>>(result.get(), 1);
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 21375);
  bool thrown = false;
  try {
    std::array<int, 3>{}.at(half(2) + 2);
  } catch (const std::out_of_range &) {
    thrown = true;
  }
  CHECK(thrown);
  return check::finish();
}
