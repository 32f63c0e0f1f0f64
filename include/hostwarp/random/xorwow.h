// XORWOW: Marsaglia's five-word xorshift generator plus a Weyl sequence ["Xorshift RNGs", 2003].
#ifndef HOSTWARP_RANDOM_XORWOW_H
#define HOSTWARP_RANDOM_XORWOW_H

#include "prelude.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace hostwarp {
namespace random {

enum : unsigned { xorwowWeyl = 362437 };

// XorwowJump is a number of steps as a polynomial over GF(2), modulo the characteristic polynomial of the five words'
// transition. Bit i of the words is the coefficient of x^i.
struct XorwowJump {
  unsigned coefficients[5];
};

// Rows of 15 jumps: 1 to 15 times 16^row steps, and as many sequences of 2^67 steps.
constexpr XorwowJump xorwowSteps[] = {
#include "xorwow_steps.inc"
};
constexpr XorwowJump xorwowSequences[] = {
#include "xorwow_sequences.inc"
};

QUALIFIERS void xorwowStep(unsigned (&v)[5]) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

// xorwowJump() takes the words as many steps ahead as `jump` stands for: the sum of the states that have a coefficient.
QUALIFIERS void xorwowJump(unsigned (&v)[5], const XorwowJump &jump) {
  unsigned sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; ++word) {
    for (unsigned bits = jump.coefficients[word], left = 32; left; --left, bits >>= 1) {
      const unsigned mask = 0 - (bits & 1);
      for (int k = 0; k < 5; ++k) sum[k] ^= v[k] & mask;
      xorwowStep(v);
    }
  }
  for (int k = 0; k < 5; ++k) v[k] = sum[k];
}

// xorwowJumps() takes one jump for each hexadecimal digit of n.
QUALIFIERS void xorwowJumps(unsigned (&v)[5], unsigned long long n, const XorwowJump *row) {
  for (; n; n >>= 4, row += 15)
    if (n & 15) xorwowJump(v, row[(n & 15) - 1]);
}

}  // namespace random
}  // namespace hostwarp

QUALIFIERS unsigned int curand(curandStateXORWOW_t *state) {
  hostwarp::random::xorwowStep(state->v);
  state->d += hostwarp::random::xorwowWeyl;
  return state->v[4] + state->d;
}

// skipahead() moves the state n numbers ahead.
QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  hostwarp::random::xorwowJumps(state->v, n, hostwarp::random::xorwowSteps);
  state->d += hostwarp::random::xorwowWeyl * static_cast<unsigned>(n);
}

// skipahead_sequence() moves the state n sequences of 2^67 numbers ahead, each a multiple of the Weyl sequence's
// period.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  hostwarp::random::xorwowJumps(state->v, n, hostwarp::random::xorwowSequences);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStateXORWOW_t *state) {
  // Two halves of the seed, each made odd-looking and multiplied, disturb Marsaglia's initial values.
  const unsigned low = (static_cast<unsigned>(seed) ^ 0xaad26b49U) * 1099087573U;
  const unsigned high = (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddU) * 2591861531U;
  state->v[0] = 123456789U + low;
  state->v[1] = 362436069U ^ low;
  state->v[2] = 521288629U + high;
  state->v[3] = 88675123U ^ high;
  state->v[4] = 5783321U + low;
  state->d = 6615241U + low + high;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

#endif  // HOSTWARP_RANDOM_XORWOW_H
