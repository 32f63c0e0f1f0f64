// The CUDA math functions that the quadruple-precision library lacks, composed from those it has.
#ifndef HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_REFERENCE_H
#define HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_REFERENCE_H

#include <quadmath.h>

#include "tests/unit/device_functions/ulp.h"

namespace hostwarp::tests {

// turn() is x modulo 2, exact.
inline Quad turn(Quad x) { return x - 2 * rintq(x / 2); }

inline Quad exp10Reference(Quad x) { return fabsq(x) > 400 ? (x > 0 ? HUGE_VALQ : 0) : powq(10, x); }
inline Quad rsqrtReference(Quad x) { return 1 / sqrtq(x); }
inline Quad rcbrtReference(Quad x) { return 1 / cbrtq(x); }
// Whole numbers give a zero with their own sign.
inline Quad sinpiReference(Quad x) { return x == floorq(x) ? copysignq(x - x, x) : sinq(M_PIq * turn(x)); }
inline Quad cospiReference(Quad x) {
  const Quad t = fabsq(turn(x));
  return t == 0.5Q || t == 1.5Q ? 0 : cosq(M_PIq * t);
}
inline Quad normcdfReference(Quad x) { return erfcq(-x * M_SQRT1_2q) / 2; }
inline Quad lgammaReference(Quad x) { return x <= 0 && x == floorq(x) ? HUGE_VALQ : lgammaq(x); }

// erfcq() leaves its range for large x, where the asymptotic series is exact enough.
inline Quad erfcxReference(Quad x) {
  if (x < 60) return expq(x * x) * erfcq(x);
  Quad sum = 1, term = 1;
  for (int k = 1; k < 12; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * sqrtq(M_PIq));
}

// The inverses start from the function under test and take two Newton steps in quadruple precision: a wrong start ends
// elsewhere, and a right one ends at the exact value.
inline Quad erfcinvReference(Quad q, Quad start) {
  if (!finiteq(start) || q <= 0 || q >= 2) return start;
  Quad y = start;
  for (int step = 0; step < 3; ++step) y += (erfcq(y) - q) / (2 / sqrtq(M_PIq) * expq(-y * y));
  return y;
}
inline Quad erfinvReference(Quad x, Quad start) {
  if (!finiteq(start) || fabsq(x) >= 1) return start;
  if (fabsq(x) > 0.5Q) return x > 0 ? erfcinvReference(1 - x, start) : -erfcinvReference(1 + x, -start);
  Quad y = start;
  for (int step = 0; step < 3; ++step) y -= (erfq(y) - x) / (2 / sqrtq(M_PIq) * expq(-y * y));
  return y;
}
inline Quad normcdfinvReference(Quad p, Quad start) {
  return p == 0.5Q ? 0 : -M_SQRT2q * erfcinvReference(2 * p, -start * M_SQRT1_2q);
}

// The power series of the modified Bessel functions converges everywhere; quadruple precision carries it to x = 800.
inline Quad besselIReference(int order, Quad x) {
  Quad sum = order ? x / 2 : 1, term = sum;
  for (int k = 1; k < 2000; ++k) {
    term *= x * x / 4 / (Quad(k) * (k + order));
    sum += term;
    if (fabsq(term) < fabsq(sum) * 1e-34Q) break;
  }
  return sum;
}

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_UNIT_DEVICE_FUNCTIONS_REFERENCE_H
