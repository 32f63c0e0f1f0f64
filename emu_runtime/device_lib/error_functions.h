// Inverses and scaled forms of the error function, in a type wider than the result's.
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_LIB_ERROR_FUNCTIONS_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_LIB_ERROR_FUNCTIONS_H

#include <cmath>
#include <limits>
#include <numbers>

namespace hostwarp::device_lib {

// firstGuess() is Winitzki's closed form of erfinv, right to about 2e-3; `logTerm` is log(1 - x^2).
template <class Wide>
Wide firstGuess(Wide logTerm) {
  const Wide a = 0.147L;
  const Wide t = 2 / (std::numbers::pi_v<Wide> * a) + logTerm / 2;
  return std::sqrt(std::sqrt(t * t - logTerm / a) - t);
}

// inverseErf() solves erf(y) = x for |x| <= 0.5 by Halley's method: the error 2e-3 becomes 1e-8, then 1e-24.
template <class Wide>
Wide inverseErf(Wide x) {
  if (x == 0) return x;
  Wide y = std::copysign(firstGuess(std::log1p(-x * x)), x);
  for (int step = 0; step < 3; ++step) {
    const Wide slope = 2 * std::numbers::inv_sqrtpi_v<Wide> * std::exp(-y * y);
    const Wide newton = (std::erf(y) - x) / slope;
    y -= newton / (1 + y * newton);
  }
  return y;
}

// inverseErfcTail() solves erfc(y) = q for 0 < q <= 0.5. Newton's method on log(erfc), which is nearly a parabola,
// converges from the first guess even where erfc itself is almost zero.
template <class Wide>
Wide inverseErfcTail(Wide q) {
  Wide y = firstGuess(std::log(q * (2 - q)));
  const Wide target = std::log(q);
  for (int step = 0; step < 5; ++step) {
    const Wide tail = std::erfc(y);
    const Wide slope = -2 * std::numbers::inv_sqrtpi_v<Wide> * std::exp(-y * y) / tail;
    y -= (std::log(tail) - target) / slope;
  }
  return y;
}

// inverseErfc() solves erfc(y) = q for q in [0, 2]; NaN elsewhere.
template <class Wide>
Wide inverseErfc(Wide q) {
  const Wide infinity = std::numeric_limits<Wide>::infinity();
  if (!(q >= 0 && q <= 2)) return std::numeric_limits<Wide>::quiet_NaN();
  if (q == 0) return infinity;
  if (q == 2) return -infinity;
  if (q <= Wide(0.5)) return inverseErfcTail(q);
  if (q >= Wide(1.5)) return -inverseErfcTail(2 - q);
  return inverseErf(1 - q);
}

// scaledErfc() is exp(x^2) * erfc(x).
template <class Wide>
Wide scaledErfc(Wide x) {
  const Wide asymptotic = std::numeric_limits<Wide>::digits > 53 ? 50 : 20;
  if (!(x > asymptotic)) return std::exp(x * x) * std::erfc(x);
  const Wide t = 1 / (2 * x * x);
  Wide sum = 1, term = 1;
  for (int k = 1; k < 9; ++k) {
    term *= -(2 * k - 1) * t;
    sum += term;
  }
  return std::numbers::inv_sqrtpi_v<Wide> * sum / x;
}

}  // namespace hostwarp::device_lib

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_LIB_ERROR_FUNCTIONS_H
