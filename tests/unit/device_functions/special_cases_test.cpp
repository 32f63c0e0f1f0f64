// Special values of the functions that are hostwarp's own, as CUDA's math API defines them.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <cmath>
#include <limits>

#include "emu_runtime/device_lib/math_library.h"

namespace hostwarp::tests {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr float kInfF = std::numeric_limits<float>::infinity();
constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();

// expectExactly() tells zeros of different sign apart and takes any NaN for another.
template <class Real>
void expectExactly(const char *what, Real found, Real expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << what << " = " << found;
    return;
  }
  EXPECT_EQ(found, expected) << what;
  EXPECT_EQ(std::signbit(found), std::signbit(expected)) << what << " has the wrong sign";
}

// EXACTLY checks a function for double and for float.
#define EXACTLY(name, x, expected)                                                     \
  expectExactly<double>(#name "(" #x ")", ::name(static_cast<double>(x)), (expected)); \
  expectExactly<float>(#name "f(" #x ")", ::name##f(static_cast<float>(x)), static_cast<float>(expected));

TEST(SpecialCases, InverseErrorFunctions){
    EXACTLY(erfinv, 0.0, 0.0) EXACTLY(erfinv, -0.0, -0.0) EXACTLY(erfinv, 1, kInf) EXACTLY(erfinv, -1, -kInf)
        EXACTLY(erfinv, 1.5, kNan) EXACTLY(erfinv, kNan, kNan) EXACTLY(erfcinv, 0.0, kInf) EXACTLY(erfcinv, 2, -kInf)
            EXACTLY(erfcinv, 1, 0.0) EXACTLY(erfcinv, -1, kNan) EXACTLY(erfcinv, kInf, kNan)
                EXACTLY(normcdfinv, 0.0, -kInf) EXACTLY(normcdfinv, 1, kInf) EXACTLY(normcdfinv, 0.5, 0.0)
                    EXACTLY(normcdfinv, 2, kNan)}

TEST(SpecialCases, ErrorFunctions){EXACTLY(erfcx, -kInf, kInf) EXACTLY(erfcx, kInf, 0.0) EXACTLY(erfcx, 0, 1)
                                       EXACTLY(erfcx, kNan, kNan) EXACTLY(normcdf, kInf, 1) EXACTLY(normcdf, -kInf, 0.0)
                                           EXACTLY(normcdf, 0, 0.5) EXACTLY(normcdf, kNan, kNan)}

TEST(SpecialCases, TrigonometryOfPi) {
  EXACTLY(sinpi, 0.0, 0.0)
  EXACTLY(sinpi, -0.0, -0.0)
  EXACTLY(sinpi, 0.5, 1)
  EXACTLY(sinpi, 3, 0.0)
  EXACTLY(sinpi, -3, -0.0)
  EXACTLY(sinpi, kInf, kNan)
  EXACTLY(sinpi, 1e30, 0.0)
  EXACTLY(cospi, 0.0, 1)
  EXACTLY(cospi, 0.5, 0.0)
  EXACTLY(cospi, -1.5, 0.0)
  EXACTLY(cospi, 1, -1)
  EXACTLY(cospi, -kInf, kNan)
  double sine, cosine;
  sincospi(0.25, &sine, &cosine);
  EXPECT_EQ(sine, sinpi(0.25));
  EXPECT_EQ(cosine, cospi(0.25));
}

TEST(SpecialCases, RootsAndNorms) {
  EXACTLY(rsqrt, 0.0, kInf)
  EXACTLY(rsqrt, -0.0, -kInf)
  EXACTLY(rsqrt, kInf, 0.0)
  EXACTLY(rsqrt, -1, kNan)
  EXACTLY(rsqrt, 4, 0.5)
  EXACTLY(rcbrt, 0.0, kInf)
  EXACTLY(rcbrt, -0.0, -kInf)
  EXACTLY(rcbrt, -8, -0.5)
  EXACTLY(rcbrt, kInf, 0.0)
  expectExactly("norm3d", norm3d(kInf, kNan, 1.0), kInf);
  expectExactly("norm4d", norm4d(1e300, 1e300, 1e300, 1e300), 2e300);
  expectExactly("norm3df", norm3df(3e-38f, 4e-38f, 0.0f), 5e-38f);
  expectExactly("rnorm3d", rnorm3d(kInf, kNan, 1.0), 0.0);
  expectExactly("rnorm4d", rnorm4d(0.0, 0.0, 0.0, 0.0), kInf);
  expectExactly("rhypot", rhypot(3.0, 4.0), 0.2);
  expectExactly("rhypotf", rhypotf(kInfF, kNanF), 0.0f);
  const float vector[5] = {1, 1, 1, 1, 0};
  expectExactly("normf", normf(5, vector), 2.0f);
  expectExactly("rnormf", rnormf(5, vector), 0.5f);
}

TEST(SpecialCases, ModifiedBesselFunctions){
    EXACTLY(cyl_bessel_i0, 0.0, 1) EXACTLY(cyl_bessel_i0, -kInf, kInf) EXACTLY(cyl_bessel_i0, kNan, kNan)
        EXACTLY(cyl_bessel_i1, 0.0, 0.0) EXACTLY(cyl_bessel_i1, -0.0, -0.0) EXACTLY(cyl_bessel_i1, -kInf, -kInf)
            EXACTLY(cyl_bessel_i1, kNan, kNan)}

TEST(SpecialCases, OursInPlaceOfTheCLibrarys){
    EXACTLY(hw_math_tanh, -0.0, -0.0) EXACTLY(hw_math_tanh, kInf, 1) EXACTLY(hw_math_tanh, -kInf, -1)
        EXACTLY(hw_math_tanh, kNan, kNan) EXACTLY(hw_math_log10, 0.0, -kInf) EXACTLY(hw_math_log10, -1, kNan)
            EXACTLY(hw_math_log10, 1000, 3) EXACTLY(hw_math_exp10, -kInf, 0.0) EXACTLY(hw_math_exp10, 3, 1000)
                EXACTLY(hw_math_lgamma, -3, kInf) EXACTLY(hw_math_lgamma, -kInf, kInf) EXACTLY(hw_math_lgamma, 1, 0.0)
                    EXACTLY(hw_math_tgamma, 0.0, kInf) EXACTLY(hw_math_tgamma, -0.0, -kInf)
                        EXACTLY(hw_math_tgamma, -2, kNan) EXACTLY(hw_math_tgamma, 5, 24) EXACTLY(hw_math_y0, 0.0, -kInf)
                            EXACTLY(hw_math_y1, -1, kNan) EXACTLY(hw_math_j0, kInf, 0.0)}

TEST(SpecialCases, FastIntrinsics) {
  expectExactly("__powf of a negative base", __powf(-2.0f, 2.0f), kNanF);
  expectExactly("__powf", __powf(2.0f, 3.0f), 8.0f);
  expectExactly("__fdividef beyond 2^126", __fdividef(1.0f, 0x1p127f), 0.0f);
  expectExactly("__fdividef at 2^126", __fdividef(1.0f, 0x1p126f), 0x1p-126f);
  expectExactly("__fdividef of infinity", __fdividef(kInfF, 0x1p127f), kNanF);
  expectExactly("__fdividef by infinity", __fdividef(1.0f, kInfF), 0.0f);
  expectExactly("__saturatef(NaN)", __saturatef(kNanF), 0.0f);
  expectExactly("__saturatef(-1)", __saturatef(-1.0f), 0.0f);
  expectExactly("__saturatef(2)", __saturatef(2.0f), 1.0f);
  expectExactly("__saturatef(0.25)", __saturatef(0.25f), 0.25f);
}

TEST(SpecialCases, MinimumAndMaximumPreferNumbersToNan) {
  expectExactly("min", min(kNanF, 1.0f), 1.0f);
  expectExactly("max", max(1.0, kNan), 1.0);
  expectExactly("max", max(kNan, 2.0f), 2.0);
}

}  // namespace
}  // namespace hostwarp::tests
