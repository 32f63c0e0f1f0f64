// erfinv, erfcinv, erfcx, normcdf, normcdfinv [CUDA math API]. Double results are computed in long double, float
// results in double, which keeps them within CUDA's documented bounds without a table of coefficients.
#include "emu_runtime/device_lib/error_functions.h"

#include "emu_runtime/abi/exports.h"

namespace {

using namespace hostwarp::device_lib;

template <class Wide>
Wide inverseErfAnywhere(Wide x) {
  return std::abs(x) <= Wide(0.5) ? inverseErf(x) : -inverseErfc(1 + x);
}

template <class Wide>
Wide normal(Wide x) {
  return std::erfc(-x / std::numbers::sqrt2_v<Wide>) / 2;
}

template <class Wide>
Wide inverseNormal(Wide p) {
  return p == Wide(0.5) ? Wide(0) : -std::numbers::sqrt2_v<Wide> * inverseErfc(2 * p);
}

}  // namespace

HOSTWARP_ABI double hw_math_erfinv(double x) noexcept { return inverseErfAnywhere<long double>(x); }
HOSTWARP_ABI float hw_math_erfinvf(float x) noexcept { return static_cast<float>(inverseErfAnywhere<double>(x)); }
HOSTWARP_ABI double hw_math_erfcinv(double x) noexcept { return inverseErfc<long double>(x); }
HOSTWARP_ABI float hw_math_erfcinvf(float x) noexcept { return static_cast<float>(inverseErfc<double>(x)); }
HOSTWARP_ABI double hw_math_erfcx(double x) noexcept { return scaledErfc<long double>(x); }
HOSTWARP_ABI float hw_math_erfcxf(float x) noexcept { return static_cast<float>(scaledErfc<double>(x)); }
HOSTWARP_ABI double hw_math_normcdf(double x) noexcept { return normal<long double>(x); }
HOSTWARP_ABI float hw_math_normcdff(float x) noexcept { return static_cast<float>(normal<double>(x)); }
HOSTWARP_ABI double hw_math_normcdfinv(double x) noexcept { return inverseNormal<long double>(x); }
HOSTWARP_ABI float hw_math_normcdfinvf(float x) noexcept { return static_cast<float>(inverseNormal<double>(x)); }
