// MRG32k3a: L'Ecuyer's combination of two recurrences of order three ["Good parameters and implementations for combined
// multiple recursive random number generators", 1999].
#ifndef HOSTWARP_RANDOM_MRG32K3A_H
#define HOSTWARP_RANDOM_MRG32K3A_H

#include "prelude.h"

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace hostwarp {
namespace random {

// MrgRecurrence is x[n+3] = c0 x[n] + c1 x[n+1] + c2 x[n+2] modulo m; a negative coefficient is given as its
// complement.
template <unsigned m, unsigned c0, unsigned c1, unsigned c2>
struct MrgRecurrence {
  typedef unsigned long long Wide;
  enum : unsigned { modulus = m };

  // Jump is a number of steps n as the polynomial x^n modulo the recurrence's characteristic polynomial.
  struct Jump {
    unsigned coefficients[3];
  };

  static HOSTWARP_RANDOM_CONSTEXPR unsigned add(Wide a, Wide b) { return static_cast<unsigned>((a + b) % m); }
  static HOSTWARP_RANDOM_CONSTEXPR unsigned times(Wide a, Wide b) { return static_cast<unsigned>(a * b % m); }
  static HOSTWARP_RANDOM_CONSTEXPR unsigned combine(unsigned a0, unsigned a1, unsigned a2, unsigned b0, unsigned b1,
                                                    unsigned b2) {
    return add(static_cast<Wide>(times(a0, b0)) + times(a1, b1), times(a2, b2));
  }
  static HOSTWARP_RANDOM_CONSTEXPR unsigned next(unsigned x0, unsigned x1, unsigned x2) {
    return combine(c0, c1, c2, x0, x1, x2);
  }

  static HOSTWARP_RANDOM_CONSTEXPR Jump times(const Jump &a, const Jump &b) {
    const unsigned *p = a.coefficients, *q = b.coefficients;
    const unsigned fourth = times(p[2], q[2]);
    const unsigned third = combine(p[1], p[2], fourth, q[2], q[1], c2);
    return {
        {add(times(p[0], q[0]), times(third, c0)),
         add(static_cast<Wide>(times(p[0], q[1])) + times(p[1], q[0]),
             static_cast<Wide>(times(third, c1)) + times(fourth, c0)),
         add(static_cast<Wide>(combine(p[0], p[1], p[2], q[2], q[1], q[0])) + times(third, c2), times(fourth, c1))}};
  }
  // powerOfTwo() is the jump of 2^doublings steps.
  static HOSTWARP_RANDOM_CONSTEXPR Jump powerOfTwo(int doublings) {
    Jump jump = {{0, 1, 0}};
    for (int i = 0; i < doublings; ++i) jump = times(jump, jump);
    return jump;
  }
  static HOSTWARP_RANDOM_CONSTEXPR Jump power(Jump base, unsigned long long n) {
    Jump result = {{1, 0, 0}};
    for (; n; n >>= 1, base = times(base, base))
      if (n & 1) result = times(result, base);
    return result;
  }

  static HOSTWARP_RANDOM_CONSTEXPR void jump(unsigned (&x)[3], const Jump &jump) {
    const unsigned *p = jump.coefficients;
    const unsigned x3 = next(x[0], x[1], x[2]), x4 = next(x[1], x[2], x3);
    const unsigned y0 = combine(p[0], p[1], p[2], x[0], x[1], x[2]);
    const unsigned y1 = combine(p[0], p[1], p[2], x[1], x[2], x3);
    x[2] = combine(p[0], p[1], p[2], x[2], x3, x4);
    x[1] = y1;
    x[0] = y0;
  }
};

typedef MrgRecurrence<4294967087U, 4294967087U - 810728U, 1403580U, 0> Mrg1;
typedef MrgRecurrence<4294944443U, 4294944443U - 1370589U, 0, 527612U> Mrg2;

// mrgNext() is the generator's number, 1 to 4294967087.
QUALIFIERS unsigned mrgNext(curandStateMRG32k3a_t *state) {
  const unsigned x = Mrg1::next(state->s1[0], state->s1[1], state->s1[2]);
  const unsigned y = Mrg2::next(state->s2[0], state->s2[1], state->s2[2]);
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = x;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = y;
  return x > y ? x - y : x - y + Mrg1::modulus;
}

// mrgJump() takes the state n times 2^doublings numbers ahead.
template <int doublings>
QUALIFIERS void mrgJump(unsigned long long n, curandStateMRG32k3a_t *state) {
  constexpr Mrg1::Jump once1 = Mrg1::powerOfTwo(doublings);
  constexpr Mrg2::Jump once2 = Mrg2::powerOfTwo(doublings);
  if (n == 0) return;
  Mrg1::jump(state->s1, Mrg1::power(once1, n));
  Mrg2::jump(state->s2, Mrg2::power(once2, n));
}

}  // namespace random
}  // namespace hostwarp

// curand() stretches the generator's range over all 32 bits.
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state) {
  return static_cast<unsigned>(hostwarp::random::mrgNext(state) * 1.000000048662);
}

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
  hostwarp::random::mrgJump<0>(n, state);
}

// skipahead_subsequence() moves the state n subsequences of 2^76 numbers ahead.
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  hostwarp::random::mrgJump<76>(n, state);
}

// skipahead_sequence() moves the state n sequences of 2^127 numbers ahead.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  hostwarp::random::mrgJump<127>(n, state);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateMRG32k3a_t *state) {
  using hostwarp::random::Mrg1;
  using hostwarp::random::Mrg2;
  const unsigned low = seed ? static_cast<unsigned>(seed) ^ 0x55555555U : 1;
  const unsigned high = seed ? static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaaU : 1;
  const unsigned words[4] = {low, high, low, high};
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = Mrg1::times(words[i], 12345);
    state->s2[i] = Mrg2::times(words[i + 1], 12345);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

#endif  // HOSTWARP_RANDOM_MRG32K3A_H
