// Numbers uniform in (0, 1] [cuRAND, device API].
#ifndef HOSTWARP_CURAND_UNIFORM_H
#define HOSTWARP_CURAND_UNIFORM_H
#define CURAND_UNIFORM_H_

#include "hostwarp/random/states.h"

namespace hostwarp {
namespace random {

constexpr float step32f = 1.0f / 4294967296.0f;
constexpr double step32 = 1.0 / 4294967296.0;
constexpr double step53 = 1.0 / 9007199254740992.0;

// Bits become the middle of the interval that they name; the last one rounds to 1. Floats take the upper 32 bits,
// doubles the upper 53.
QUALIFIERS float uniformFloat(unsigned bits) { return bits * step32f + step32f / 2; }
QUALIFIERS float uniformFloat(unsigned long long bits) { return uniformFloat(static_cast<unsigned>(bits >> 32)); }
QUALIFIERS double uniformDouble(unsigned bits) { return bits * step32 + step32; }
QUALIFIERS double uniformDouble(unsigned long long bits) { return (bits >> 11) * step53 + step53 / 2; }

// joined() has 53 bits that depend on both words.
QUALIFIERS unsigned long long joined(unsigned low, unsigned high) {
  return low ^ (static_cast<unsigned long long>(high) << 21);
}
QUALIFIERS double uniformDouble(unsigned low, unsigned high) { return joined(low, high) * step53 + step53 / 2; }

// MRG32k3a's own numbers, divided by their count.
QUALIFIERS double mrgUniform(curandStateMRG32k3a_t *state) { return mrgNext(state) * 2.3283065498378288e-10; }

}  // namespace random
}  // namespace hostwarp

#define HOSTWARP_UNIFORM(State) \
  QUALIFIERS float curand_uniform(State *state) { return hostwarp::random::uniformFloat(curand(state)); }
#define HOSTWARP_UNIFORM_DOUBLE(State) \
  QUALIFIERS double curand_uniform_double(State *state) { return hostwarp::random::uniformDouble(curand(state)); }

HOSTWARP_UNIFORM(curandStateXORWOW_t)
HOSTWARP_UNIFORM(curandStatePhilox4_32_10_t)
HOSTWARP_CURAND_SINGLE(HOSTWARP_UNIFORM)
HOSTWARP_UNIFORM_DOUBLE(curandStatePhilox4_32_10_t)
HOSTWARP_CURAND_SINGLE(HOSTWARP_UNIFORM_DOUBLE)
#undef HOSTWARP_UNIFORM
#undef HOSTWARP_UNIFORM_DOUBLE

QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *state) {
  const unsigned low = curand(state);
  return hostwarp::random::uniformDouble(low, curand(state));
}

QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *state) {
  return static_cast<float>(hostwarp::random::mrgUniform(state));
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *state) { return hostwarp::random::mrgUniform(state); }

QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = curand4(state);
  return make_float4(hostwarp::random::uniformFloat(bits.x), hostwarp::random::uniformFloat(bits.y),
                     hostwarp::random::uniformFloat(bits.z), hostwarp::random::uniformFloat(bits.w));
}
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = curand4(state);
  return make_double2(hostwarp::random::uniformDouble(bits.x, bits.y), hostwarp::random::uniformDouble(bits.z, bits.w));
}
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  const double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}

#endif  // HOSTWARP_CURAND_UNIFORM_H
