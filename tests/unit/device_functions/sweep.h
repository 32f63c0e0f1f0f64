// Sweeps of a function over its range, which fail where the error exceeds a bound.
#ifndef HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_SWEEP_H
#define HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_SWEEP_H

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "tests/unit/device_functions/ulp.h"

namespace hostwarp::tests {

inline int pointCount() {
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
void sweepPairs(const char *name, double bound, Range range, Function function, Reference reference,
                Range secondRange = {}) {
  Worst<Real> worst;
  const auto first = samples<Real>(range, pointCount(), 1);
  const auto second = samples<Real>(secondRange, pointCount(), 2);
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const Real x = first[i], y = second[(i * 7 + 3) % second.size()];
    worst.see(function(x, y), reference(x, y), x, y);
  }
  worst.report(name, bound);
}

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_SWEEP_H
