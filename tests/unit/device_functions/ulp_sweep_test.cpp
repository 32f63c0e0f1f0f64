// Sweeps every function of the CUDA math API over all binades and prints the largest error seen, beside CUDA's bound.
// HOSTWARP_SWEEP_POINTS sets the number of points per function.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <cstdio>

#include "emu_runtime/device_lib/math_library.h"
#include "tests/unit/device_functions/reference.h"
#include "tests/unit/device_functions/sweep.h"

namespace hostwarp::tests {
namespace {

template <class Real, class Function, class Reference>
void sweepAbsolute(const char *name, double bound, Range range, Function function, Reference reference) {
  double worst = 0;
  for (Real x : samples<Real>(range, pointCount(), 1))
    worst = std::max(worst, static_cast<double>(fabsq(function(x) - reference(x))));
  std::printf("%-24s %10.3g absolute (bound %.1g)\n", name, worst, bound);
  EXPECT_LE(worst, bound) << name;
}

#define SWEEP_1(type, function, reference, bound, low, high)                    \
  sweep<type>(                                                                  \
      #function, bound, Range{low, high}, [](type x) { return ::function(x); }, \
      [](Quad x, [[maybe_unused]] Quad value) -> Quad { return reference; });
#define SWEEP_2(type, function, reference, bound, low, high)                               \
  sweepPairs<type>(                                                                        \
      #function, bound, Range{low, high}, [](type x, type y) { return ::function(x, y); }, \
      [](Quad x, Quad y) -> Quad { return reference; });
#define SWEEP_ABSOLUTE(type, function, reference, bound, low, high)           \
  sweepAbsolute<type>(                                                        \
      #function, bound, Range{low, high}, [](type x) { return function(x); }, \
      [](Quad x) -> Quad { return reference; });
#define NOTHING(...)

float hw_math_j128f(float x) { return hw_math_jnf(128, x); }
double hw_math_j128(double x) { return hw_math_jn(128, x); }
float hw_math_y2f(float x) { return hw_math_ynf(2, x); }
double hw_math_y2(double x) { return hw_math_yn(2, x); }

#define FLOAT_1(...) SWEEP_1(float, __VA_ARGS__)
#define FLOAT_2(...) SWEEP_2(float, __VA_ARGS__)
#define FLOAT_ABSOLUTE(...) SWEEP_ABSOLUTE(float, __VA_ARGS__)
#define DOUBLE_1 NOTHING
#define DOUBLE_2 NOTHING
#define DOUBLE_ABSOLUTE NOTHING
TEST(UlpSweep, Float) {
#include "tests/unit/device_functions/ulp_table.def"
}
#undef FLOAT_1
#undef FLOAT_2
#undef FLOAT_ABSOLUTE
#undef DOUBLE_1
#undef DOUBLE_2
#undef DOUBLE_ABSOLUTE

#define FLOAT_1 NOTHING
#define FLOAT_2 NOTHING
#define FLOAT_ABSOLUTE NOTHING
#define DOUBLE_1(...) SWEEP_1(double, __VA_ARGS__)
#define DOUBLE_2(...) SWEEP_2(double, __VA_ARGS__)
#define DOUBLE_ABSOLUTE(...) SWEEP_ABSOLUTE(double, __VA_ARGS__)
TEST(UlpSweep, Double) {
#include "tests/unit/device_functions/ulp_table.def"
}

}  // namespace
}  // namespace hostwarp::tests
