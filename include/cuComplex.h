// Complex numbers for the CUDA libraries and for kernels.
#ifndef HOSTWARP_CU_COMPLEX_H
#define HOSTWARP_CU_COMPLEX_H
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HOSTWARP_COMPLEX static __inline__ __host__ __device__

// HOSTWARP_COMPLEX_FUNCTIONS defines one precision. cuCdiv() scales by the divisor's size and cuCabs() uses hypot(), so
// that neither overflows where the result does not.
#define HOSTWARP_COMPLEX_FUNCTIONS(Complex, Real, crealName, cimagName, makeName, conjName, addName, subName, mulName, \
                                   divName, absName, fmaName, fabsName, hypotName)                                     \
  HOSTWARP_COMPLEX Real crealName(Complex x) { return x.x; }                                                           \
  HOSTWARP_COMPLEX Real cimagName(Complex x) { return x.y; }                                                           \
  HOSTWARP_COMPLEX Complex makeName(Real r, Real i) {                                                                  \
    Complex result;                                                                                                    \
    result.x = r;                                                                                                      \
    result.y = i;                                                                                                      \
    return result;                                                                                                     \
  }                                                                                                                    \
  HOSTWARP_COMPLEX Complex conjName(Complex x) { return makeName(x.x, -x.y); }                                         \
  HOSTWARP_COMPLEX Complex addName(Complex a, Complex b) { return makeName(a.x + b.x, a.y + b.y); }                    \
  HOSTWARP_COMPLEX Complex subName(Complex a, Complex b) { return makeName(a.x - b.x, a.y - b.y); }                    \
  HOSTWARP_COMPLEX Complex mulName(Complex a, Complex b) {                                                             \
    return makeName(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                     \
  }                                                                                                                    \
  HOSTWARP_COMPLEX Complex divName(Complex a, Complex b) {                                                             \
    Real scale = 1 / (fabsName(b.x) + fabsName(b.y));                                                                  \
    Real ar = a.x * scale, ai = a.y * scale, br = b.x * scale, bi = b.y * scale;                                       \
    Real norm = 1 / (br * br + bi * bi);                                                                               \
    return makeName((ar * br + ai * bi) * norm, (ai * br - ar * bi) * norm);                                           \
  }                                                                                                                    \
  HOSTWARP_COMPLEX Real absName(Complex x) { return hypotName(x.x, x.y); }                                             \
  HOSTWARP_COMPLEX Complex fmaName(Complex a, Complex b, Complex c) {                                                  \
    return makeName((c.x + a.x * b.x) - a.y * b.y, (c.y + a.x * b.y) + a.y * b.x);                                     \
  }

HOSTWARP_COMPLEX_FUNCTIONS(cuFloatComplex, float, cuCrealf, cuCimagf, make_cuFloatComplex, cuConjf, cuCaddf, cuCsubf,
                           cuCmulf, cuCdivf, cuCabsf, cuCfmaf, fabsf, hypotf)
HOSTWARP_COMPLEX_FUNCTIONS(cuDoubleComplex, double, cuCreal, cuCimag, make_cuDoubleComplex, cuConj, cuCadd, cuCsub,
                           cuCmul, cuCdiv, cuCabs, cuCfma, fabs, hypot)

HOSTWARP_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
HOSTWARP_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) {
  return make_cuDoubleComplex((double)c.x, (double)c.y);
}
HOSTWARP_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
  return make_cuFloatComplex((float)c.x, (float)c.y);
}

#undef HOSTWARP_COMPLEX_FUNCTIONS
#undef HOSTWARP_COMPLEX

#endif  // HOSTWARP_CU_COMPLEX_H
