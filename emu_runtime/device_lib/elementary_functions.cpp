// exp10, sinpi, cospi, roots, norms and the gamma functions [CUDA math API].
#include <math.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "emu_runtime/abi/exports.h"

namespace {

// Pi in two doubles: the second is what the first lacks.
constexpr double kPiHigh = std::numbers::pi;
constexpr double kPiLow = 0x1.1a62633145c07p-53;

struct HalfTurns {
  double angle;  // pi * (x - quadrant/2), |angle| <= pi/4
  double rest;   // what `angle` lacks
  int quadrant;  // modulo 4
};

// reduce() takes whole turns off exactly: x modulo 2 and the distance to the next multiple of 1/2 have no error.
HalfTurns reduce(double x) {
  const double turns = x - 2 * std::rint(x / 2);
  const double halves = std::rint(2 * turns);
  const double t = turns - halves / 2;
  const double angle = t * kPiHigh;
  return {angle, std::fma(t, kPiHigh, -angle) + t * kPiLow, static_cast<int>(halves) & 3};
}

double sine(const HalfTurns &h) { return std::sin(h.angle) + h.rest * std::cos(h.angle); }
double cosine(const HalfTurns &h) { return std::cos(h.angle) - h.rest * std::sin(h.angle); }

// sineAt() is sin(pi * x) displaced by `quadrants` right angles.
double sineAt(double x, int quadrants) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const HalfTurns h = reduce(x);
  const int quadrant = (h.quadrant + quadrants) & 3;
  const double value = quadrant & 1 ? cosine(h) : sine(h);
  return quadrant & 2 ? -value : value;
}

double sinPi(double x) {
  const double value = sineAt(x, 0);
  return value == 0 ? std::copysign(0.0, x) : value;
}

double cosPi(double x) {
  const double value = sineAt(x, 1);
  return value == 0 ? 0.0 : value;
}

// norm() is the Euclidean length; squares of Real fit Wide without overflow and underflow.
template <class Wide, class Real>
Wide norm(int dimension, const Real *v) {
  Wide sum = 0;
  bool infinite = false;
  for (int i = 0; i < dimension; ++i) {
    infinite |= std::isinf(v[i]);
    sum += static_cast<Wide>(v[i]) * v[i];
  }
  return infinite ? std::numeric_limits<Wide>::infinity() : std::sqrt(sum);
}

}  // namespace

// These exist in the C library, with errors beyond CUDA's bounds (or its 2 ulp beside CUDA's 1).
HOSTWARP_ABI double hw_math_cbrt(double x) noexcept { return static_cast<double>(cbrtl(x)); }
HOSTWARP_ABI double hw_math_cosh(double x) noexcept { return static_cast<double>(coshl(x)); }
HOSTWARP_ABI double hw_math_erfc(double x) noexcept { return static_cast<double>(erfcl(x)); }
HOSTWARP_ABI double hw_math_exp10(double x) noexcept { return static_cast<double>(exp10l(x)); }
HOSTWARP_ABI float hw_math_exp10f(float x) noexcept { return static_cast<float>(exp10(double{x})); }
HOSTWARP_ABI double hw_math_log10(double x) noexcept { return static_cast<double>(log10l(x)); }
HOSTWARP_ABI float hw_math_log10f(float x) noexcept { return static_cast<float>(log10(double{x})); }
HOSTWARP_ABI double hw_math_tanh(double x) noexcept { return static_cast<double>(tanhl(x)); }
HOSTWARP_ABI float hw_math_tanhf(float x) noexcept {
  // Below 2^-12 the cubic term is less than half an ulp; above, double absorbs the cancellation.
  return std::abs(x) < 0x1p-12f ? x : static_cast<float>(1 - 2 / (std::exp(2.0 * x) + 1));
}

HOSTWARP_ABI double hw_math_sinpi(double x) noexcept { return sinPi(x); }
HOSTWARP_ABI double hw_math_cospi(double x) noexcept { return cosPi(x); }
HOSTWARP_ABI float hw_math_sinpif(float x) noexcept { return static_cast<float>(sinPi(x)); }
HOSTWARP_ABI float hw_math_cospif(float x) noexcept { return static_cast<float>(cosPi(x)); }

HOSTWARP_ABI double hw_math_rcbrt(double x) noexcept {
  return static_cast<double>(1 / std::cbrt(static_cast<long double>(x)));
}
HOSTWARP_ABI float hw_math_rcbrtf(float x) noexcept {
  return static_cast<float>(1 / std::cbrt(static_cast<double>(x)));
}

HOSTWARP_ABI double hw_math_norm(int dimension, const double *v) noexcept {
  return static_cast<double>(norm<long double>(dimension, v));
}
HOSTWARP_ABI float hw_math_normf(int dimension, const float *v) noexcept {
  return static_cast<float>(norm<double>(dimension, v));
}
HOSTWARP_ABI double hw_math_rnorm(int dimension, const double *v) noexcept {
  return static_cast<double>(1 / norm<long double>(dimension, v));
}
HOSTWARP_ABI float hw_math_rnormf(int dimension, const float *v) noexcept {
  return static_cast<float>(1 / norm<double>(dimension, v));
}

// lgamma() itself writes the global `signgam`, which concurrent threads must not do.
HOSTWARP_ABI double hw_math_lgamma(double x) noexcept {
  int sign;
  return static_cast<double>(lgammal_r(x, &sign));
}
HOSTWARP_ABI float hw_math_lgammaf(float x) noexcept {
  int sign;
  return static_cast<float>(lgamma_r(double{x}, &sign));
}
HOSTWARP_ABI double hw_math_tgamma(double x) noexcept { return static_cast<double>(tgammal(x)); }
HOSTWARP_ABI float hw_math_tgammaf(float x) noexcept { return static_cast<float>(tgamma(double{x})); }
