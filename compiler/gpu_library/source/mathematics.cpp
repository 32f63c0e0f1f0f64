// Mathematical functions under libdevice's names, for where no toolkit is installed: those of LLVM's libclc, whose
// names are C++'s.
#define DEVICE __attribute__((device))
#define FUNCTION extern "C" DEVICE

#define ONE(name)                                           \
  DEVICE double name(double);                               \
  DEVICE float name(float);                                 \
  FUNCTION double __nv_##name(double x) { return name(x); } \
  FUNCTION float __nv_##name##f(float x) { return name(x); }
#define TWO(name)                                                        \
  DEVICE double name(double, double);                                    \
  DEVICE float name(float, float);                                       \
  FUNCTION double __nv_##name(double x, double y) { return name(x, y); } \
  FUNCTION float __nv_##name##f(float x, float y) { return name(x, y); }
#define WITH_INTEGER(name, function)                                      \
  DEVICE double function(double, int);                                    \
  DEVICE float function(float, int);                                      \
  FUNCTION double __nv_##name(double x, int y) { return function(x, y); } \
  FUNCTION float __nv_##name##f(float x, int y) { return function(x, y); }

ONE(acos)
ONE(acosh)
ONE(asin)
ONE(asinh)
ONE(atan)
ONE(atanh)
ONE(cbrt)
ONE(cos)
ONE(cosh)
ONE(cospi)
ONE(erf)
ONE(erfc)
ONE(exp)
ONE(exp10)
ONE(exp2)
ONE(expm1)
ONE(lgamma)
ONE(log)
ONE(log10)
ONE(log1p)
ONE(log2)
ONE(logb)
ONE(sin)
ONE(sinh)
ONE(sinpi)
ONE(tan)
ONE(tanh)
ONE(tgamma)
TWO(atan2)
TWO(fdim)
TWO(fmod)
TWO(hypot)
TWO(nextafter)
TWO(pow)
TWO(remainder)
WITH_INTEGER(ldexp, ldexp)
WITH_INTEGER(scalbn, ldexp)
WITH_INTEGER(powi, pown)

DEVICE int ilogb(double);
DEVICE int ilogb(float);
FUNCTION int __nv_ilogb(double x) { return ilogb(x); }
FUNCTION int __nv_ilogbf(float x) { return ilogb(x); }
FUNCTION double __nv_rcbrt(double x) { return 1 / cbrt(x); }
FUNCTION float __nv_rcbrtf(float x) { return 1 / cbrt(x); }
