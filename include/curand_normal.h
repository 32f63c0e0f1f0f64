// Normally distributed numbers, mean 0 and deviation 1 [cuRAND, device API]. Pseudorandom generators give pairs by Box
// and Muller's transformation, MTGP32 and the quasirandom ones single numbers by inversion.
#ifndef HOSTWARP_CURAND_NORMAL_H
#define HOSTWARP_CURAND_NORMAL_H
#define CURAND_NORMAL_H_

#include "curand_uniform.h"

namespace hostwarp {
namespace random {

// What a state's kept number is; 0 says that there is none.
enum { keptNormal = 1, keptLogNormal = 2 };

QUALIFIERS float2 polar(float radius, float angle) {
  const float r = sqrtf(-2.0f * logf(radius));
  return make_float2(r * sinf(angle), r * cosf(angle));
}
QUALIFIERS double2 polar(double radius, double halfTurns) {
  const double r = sqrt(-2.0 * log(radius));
  double2 result;
  sincospi(halfTurns, &result.x, &result.y);
  return make_double2(r * result.x, r * result.y);
}

QUALIFIERS float2 boxMuller(unsigned x, unsigned y) {
  const float step = step32f * 6.2831855f;
  return polar(uniformFloat(x), y * step + step / 2);
}
QUALIFIERS double2 boxMuller(uint4 bits) {
  return polar(uniformDouble(bits.x, bits.y), joined(bits.z, bits.w) * (2 * step53) + step53);
}

// normalInverse() is the number whose distribution function is the middle of the interval that the bits name; the
// upper half mirrors the lower, where floats are denser.
QUALIFIERS float normalInverse(unsigned bits) {
  const bool upper = bits > 0x80000000U;
  return (upper ? 1.4142135f : -1.4142135f) * erfcinvf(2.0f * uniformFloat(upper ? ~bits : bits));
}
QUALIFIERS float normalInverse(unsigned long long bits) { return normalInverse(static_cast<unsigned>(bits >> 32)); }
QUALIFIERS double normalInverseDouble(unsigned long long bits) {
  const bool upper = bits > 0x8000000000000000ULL;
  return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2 * uniformDouble(upper ? ~bits : bits));
}
QUALIFIERS double normalInverseDouble(unsigned bits) {
  const bool upper = bits > 0x80000000U;
  return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv((upper ? ~bits : bits) * 2 * step32 + step32);
}

}  // namespace random
}  // namespace hostwarp

#define HOSTWARP_NORMAL_PAIR(State)                       \
  QUALIFIERS float2 curand_normal2(State *state) {        \
    const unsigned x = curand(state);                     \
    return hostwarp::random::boxMuller(x, curand(state)); \
  }
#define HOSTWARP_NORMAL_KEPT(State)                                     \
  QUALIFIERS float curand_normal(State *state) {                        \
    if (state->boxmuller_flag == hostwarp::random::keptNormal) {        \
      state->boxmuller_flag = 0;                                        \
      return state->boxmuller_extra;                                    \
    }                                                                   \
    const float2 pair = curand_normal2(state);                          \
    state->boxmuller_extra = pair.y;                                    \
    state->boxmuller_flag = hostwarp::random::keptNormal;               \
    return pair.x;                                                      \
  }                                                                     \
  QUALIFIERS double curand_normal_double(State *state) {                \
    if (state->boxmuller_flag_double == hostwarp::random::keptNormal) { \
      state->boxmuller_flag_double = 0;                                 \
      return state->boxmuller_extra_double;                             \
    }                                                                   \
    const double2 pair = curand_normal2_double(state);                  \
    state->boxmuller_extra_double = pair.y;                             \
    state->boxmuller_flag_double = hostwarp::random::keptNormal;        \
    return pair.x;                                                      \
  }
#define HOSTWARP_NORMAL_INVERSE(State)                                                                    \
  QUALIFIERS float curand_normal(State *state) { return hostwarp::random::normalInverse(curand(state)); } \
  QUALIFIERS double curand_normal_double(State *state) { return hostwarp::random::normalInverseDouble(curand(state)); }

HOSTWARP_NORMAL_PAIR(curandStateXORWOW_t)
HOSTWARP_NORMAL_PAIR(curandStatePhilox4_32_10_t)

QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t *state) {
  uint4 bits;
  bits.x = curand(state);
  bits.y = curand(state);
  bits.z = curand(state);
  bits.w = curand(state);
  return hostwarp::random::boxMuller(bits);
}

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = curand4(state);
  const float2 first = hostwarp::random::boxMuller(bits.x, bits.y);
  const float2 second = hostwarp::random::boxMuller(bits.z, bits.w);
  return make_float4(first.x, first.y, second.x, second.y);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  return hostwarp::random::boxMuller(curand4(state));
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  const double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}

QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t *state) {
  const float radius = curand_uniform(state);
  return hostwarp::random::polar(radius, curand_uniform(state) * 6.2831855f);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
  const double radius = curand_uniform_double(state);
  return hostwarp::random::polar(radius, 2 * curand_uniform_double(state));
}

HOSTWARP_CURAND_PAIRED(HOSTWARP_NORMAL_KEPT)
HOSTWARP_CURAND_SINGLE(HOSTWARP_NORMAL_INVERSE)
#undef HOSTWARP_NORMAL_PAIR
#undef HOSTWARP_NORMAL_KEPT
#undef HOSTWARP_NORMAL_INVERSE

#endif  // HOSTWARP_CURAND_NORMAL_H
