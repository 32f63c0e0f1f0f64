// The mathematical special functions of C++17 [sf.cmath], declared only: in the device pass, which has this folder
// before libstdc++'s, they can be named by host code that is never emitted. The definitions would take a quarter of the
// time that a small program's device pass takes.
#ifndef HOSTWARP_DEVICE_PASS_SPECFUN_H
#define HOSTWARP_DEVICE_PASS_SPECFUN_H

#pragma GCC system_header

#include <bits/c++config.h>
#include <bits/stl_algobase.h>
#include <ext/type_traits.h>

#include <limits>
#include <type_traits>

#define HOSTWARP_SPECIAL_1(NAME, ...)           \
  float NAME##f(__VA_ARGS__ float);             \
  long double NAME##l(__VA_ARGS__ long double); \
  template <typename _HwA>                         \
  typename __gnu_cxx::__promote<_HwA>::__type NAME(__VA_ARGS__ _HwA);

#define HOSTWARP_SPECIAL_2(NAME)                 \
  float NAME##f(float, float);                   \
  long double NAME##l(long double, long double); \
  template <typename _HwA, typename _HwB>              \
  typename __gnu_cxx::__promote_2<_HwA, _HwB>::__type NAME(_HwA, _HwB);

#define HOSTWARP_SPECIAL_3(NAME)                              \
  float NAME##f(float, float, float);                         \
  long double NAME##l(long double, long double, long double); \
  template <typename _HwA, typename _HwB, typename _HwC>               \
  typename __gnu_cxx::__promote_3<_HwA, _HwB, _HwC>::__type NAME(_HwA, _HwB, _HwC);

#define HOSTWARP_ORDER unsigned int,

namespace std {

HOSTWARP_SPECIAL_1(assoc_laguerre, HOSTWARP_ORDER HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(assoc_legendre, HOSTWARP_ORDER HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(sph_legendre, HOSTWARP_ORDER HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(hermite, HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(laguerre, HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(legendre, HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(sph_bessel, HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(sph_neumann, HOSTWARP_ORDER)
HOSTWARP_SPECIAL_1(comp_ellint_1, )
HOSTWARP_SPECIAL_1(comp_ellint_2, )
HOSTWARP_SPECIAL_1(expint, )
HOSTWARP_SPECIAL_1(riemann_zeta, )
HOSTWARP_SPECIAL_2(beta)
HOSTWARP_SPECIAL_2(comp_ellint_3)
HOSTWARP_SPECIAL_2(cyl_bessel_i)
HOSTWARP_SPECIAL_2(cyl_bessel_j)
HOSTWARP_SPECIAL_2(cyl_bessel_k)
HOSTWARP_SPECIAL_2(cyl_neumann)
HOSTWARP_SPECIAL_2(ellint_1)
HOSTWARP_SPECIAL_2(ellint_2)
HOSTWARP_SPECIAL_3(ellint_3)

}  // namespace std

#ifndef __STRICT_ANSI__
// libstdc++'s own.
namespace __gnu_cxx {

HOSTWARP_SPECIAL_1(airy_ai, )
HOSTWARP_SPECIAL_1(airy_bi, )
HOSTWARP_SPECIAL_3(conf_hyperg)

float hypergf(float, float, float, float);
long double hypergl(long double, long double, long double, long double);
template <typename _HwA, typename _HwB, typename _HwC, typename _HwD>
typename __gnu_cxx::__promote_4<_HwA, _HwB, _HwC, _HwD>::__type hyperg(_HwA, _HwB, _HwC, _HwD);

}  // namespace __gnu_cxx
#endif

#undef HOSTWARP_ORDER
#undef HOSTWARP_SPECIAL_3
#undef HOSTWARP_SPECIAL_2
#undef HOSTWARP_SPECIAL_1

#endif  // HOSTWARP_DEVICE_PASS_SPECFUN_H
