// Bessel functions: the modified ones, which the C library lacks, and j/y in a wider type, for the sake
// of the digits that cancel near their zeros [CUDA math API].
#include <math.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "emu_runtime/abi/exports.h"

namespace {

// series() is the power series of I0 (order 0) or I1(x)/(x/2) (order 1); all terms are positive.
template <class Wide>
Wide series(int order, Wide x) {
  const Wide quarter = x * x / 4;
  Wide sum = 1, term = 1;
  for (int k = 1; term > sum * std::numeric_limits<Wide>::epsilon() / 4; ++k) {
    term *= quarter / (Wide(k) * (k + order));
    sum += term;
  }
  return sum;
}

// asymptotic() is I_order(x) for large x; the terms shrink until k reaches about 2x.
template <class Wide>
Wide asymptotic(int order, Wide x) {
  const Wide mu = 4 * order * order;
  Wide sum = 1, term = 1;
  for (int k = 1; k < 40; ++k) {
    const Wide odd = 2 * k - 1;
    term *= (odd * odd - mu) / (8 * x * k);
    sum += term;
    if (std::abs(term) < std::numeric_limits<Wide>::epsilon() / 4) break;
  }
  // exp(x/2) twice: exp(x) leaves the range earlier than the result.
  const Wide half = std::exp(x / 2);
  return half / std::sqrt(2 * std::numbers::pi_v<Wide> * x) * sum * half;
}

template <class Wide>
Wide modifiedBessel(int order, Wide x) {
  const Wide size = std::abs(x);
  if (std::isinf(size)) return order && x < 0 ? -size : size;
  if (!(size < (std::numeric_limits<Wide>::digits > 53 ? 45 : 25))) {
    const Wide value = asymptotic(order, size);
    return order && x < 0 ? -value : value;
  }
  return order ? x / 2 * series(order, x) : series(order, x);
}

}  // namespace

HOSTWARP_ABI double hw_math_cyl_bessel_i0(double x) noexcept { return modifiedBessel<long double>(0, x); }
HOSTWARP_ABI double hw_math_cyl_bessel_i1(double x) noexcept { return modifiedBessel<long double>(1, x); }
HOSTWARP_ABI float hw_math_cyl_bessel_i0f(float x) noexcept { return static_cast<float>(modifiedBessel<double>(0, x)); }
HOSTWARP_ABI float hw_math_cyl_bessel_i1f(float x) noexcept { return static_cast<float>(modifiedBessel<double>(1, x)); }

HOSTWARP_ABI double hw_math_j0(double x) noexcept { return static_cast<double>(j0l(x)); }
HOSTWARP_ABI double hw_math_j1(double x) noexcept { return static_cast<double>(j1l(x)); }
HOSTWARP_ABI double hw_math_y0(double x) noexcept { return static_cast<double>(y0l(x)); }
HOSTWARP_ABI double hw_math_y1(double x) noexcept { return static_cast<double>(y1l(x)); }
HOSTWARP_ABI double hw_math_jn(int n, double x) noexcept {
  return n < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(jnl(n, x));
}
HOSTWARP_ABI double hw_math_yn(int n, double x) noexcept {
  return n < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(ynl(n, x));
}
HOSTWARP_ABI float hw_math_j0f(float x) noexcept { return static_cast<float>(j0(double{x})); }
HOSTWARP_ABI float hw_math_j1f(float x) noexcept { return static_cast<float>(j1(double{x})); }
HOSTWARP_ABI float hw_math_y0f(float x) noexcept { return static_cast<float>(y0(double{x})); }
HOSTWARP_ABI float hw_math_y1f(float x) noexcept { return static_cast<float>(y1(double{x})); }
HOSTWARP_ABI float hw_math_jnf(int n, float x) noexcept { return static_cast<float>(hw_math_jn(n, x)); }
HOSTWARP_ABI float hw_math_ynf(int n, float x) noexcept { return static_cast<float>(hw_math_yn(n, x)); }
