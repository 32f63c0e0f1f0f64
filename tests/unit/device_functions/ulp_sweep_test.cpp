// Sweeps every function of the CUDA math API over all binades and prints the largest error seen, beside CUDA's bound.
// HOSTWARP_SWEEP_POINTS sets the number of points per function.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "emu_runtime/device_lib/math_library.h"
#include "tests/unit/device_functions/reference.h"
#include "tests/unit/device_functions/ulp.h"

namespace hostwarp::tests {
namespace {

int pointCount() {
  const char *points = std::getenv("HOSTWARP_SWEEP_POINTS");
  return points ? std::atoi(points) : 20000;
}

// Worst is the largest error of a sweep and where it occurred.
template <class Real>
struct Worst {
  double error = -1;
  Real x = 0, y = 0, value = 0;

  void see(Real value_, Quad reference, Real x_, Real y_) {
    const double error_ = ulpError(value_, reference);
    if (error_ <= error) return;
    error = error_;
    x = x_;
    y = y_;
    value = value_;
  }

  void report(const char *name, double bound) const {
    std::printf("%-24s %10.3f ulp (bound %4.1f) at %.17g, %.17g\n", name, error, bound, static_cast<double>(x),
                static_cast<double>(y));
    EXPECT_LE(error, bound) << name << "(" << x << ", " << y << ") = " << value;
  }
};

template <class Real, class Function, class Reference>
void sweep(const char *name, double bound, Range range, Function function, Reference reference) {
  Worst<Real> worst;
  for (Real x : samples<Real>(range, pointCount(), 1)) {
    const Real value = function(x);
    worst.see(value, reference(x, value), x, 0);
  }
  worst.report(name, bound);
}

template <class Real, class Function, class Reference>
void sweepPairs(const char *name, double bound, Range range, Function function, Reference reference) {
  Worst<Real> worst;
  const auto first = samples<Real>(range, pointCount(), 1);
  const auto second = samples<Real>(Range{}, pointCount(), 2);
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const Real x = first[i], y = second[(i * 7 + 3) % second.size()];
    worst.see(function(x, y), reference(x, y), x, y);
  }
  worst.report(name, bound);
}

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
