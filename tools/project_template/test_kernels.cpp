// The kernels against plain loops, for sizes around those of a block.
#include <cmath>
#include <cstdio>

#include "kernels.h"

namespace {

bool isRight(size_t n) {
  const float a = 1.5f;
  std::vector<float> x(n), y(n);
  for (size_t i = 0; i < n; ++i) x[i] = float(i % 100), y[i] = float(i % 7);
  const std::vector<float> result = saxpy(a, x, y);
  for (size_t i = 0; i < n; ++i) {
    if (std::fabs(result[i] - (a * x[i] + y[i])) < 1e-3f) continue;
    std::printf("n = %zu: element %zu is %g\n", n, i, result[i]);
    return false;
  }
  return true;
}

}  // namespace

int main() {
  bool passed = true;
  for (const size_t n : {0, 1, 255, 256, 257, 100000}) passed = isRight(n) && passed;
  std::puts(passed ? "passed" : "failed");
  return passed ? 0 : 1;
}
