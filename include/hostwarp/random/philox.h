// Philox4x32-10: ten rounds of a keyed bijection of a 128-bit counter [Salmon and others, "Parallel random numbers: as
// easy as 1, 2, 3", 2011].
#ifndef HOSTWARP_RANDOM_PHILOX_H
#define HOSTWARP_RANDOM_PHILOX_H

#include "prelude.h"

// `output` is what counter and key give; STATE counts how many of its four numbers have been drawn.
struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// curand_Philox4x32_10() is the bijection itself.
QUALIFIERS uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ULL * counter.x;
    const unsigned long long b = 0xCD9E8D57ULL * counter.z;
    counter.x = static_cast<unsigned>(b >> 32) ^ counter.y ^ key.x;
    counter.z = static_cast<unsigned>(a >> 32) ^ counter.w ^ key.y;
    counter.y = static_cast<unsigned>(b);
    counter.w = static_cast<unsigned>(a);
    key.x += 0x9E3779B9U;
    key.y += 0xBB67AE85U;
  }
  return counter;
}

namespace hostwarp {
namespace random {

// philoxAdvance() adds n to the lower half of the counter, with a carry into the upper one.
QUALIFIERS void philoxAdvance(curandStatePhilox4_32_10_t *state, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(state->ctr.y) << 32) + state->ctr.x + n;
  state->ctr.x = static_cast<unsigned>(low);
  state->ctr.y = static_cast<unsigned>(low >> 32);
  if (low < n && ++state->ctr.z == 0) ++state->ctr.w;
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

}  // namespace random
}  // namespace hostwarp

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *state) {
  const uint4 out = state->output;
  const unsigned result = state->STATE == 0 ? out.x : state->STATE == 1 ? out.y : state->STATE == 2 ? out.z : out.w;
  if (++state->STATE == 4) {
    hostwarp::random::philoxAdvance(state, 1);
    state->STATE = 0;
  }
  return result;
}

// curand4() is the next four numbers.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *state) {
  const uint4 a = state->output;
  hostwarp::random::philoxAdvance(state, 1);
  const uint4 b = state->output;
  switch (state->STATE) {
    case 1:
      return make_uint4(a.y, a.z, a.w, b.x);
    case 2:
      return make_uint4(a.z, a.w, b.x, b.y);
    case 3:
      return make_uint4(a.w, b.x, b.y, b.z);
    default:
      return a;
  }
}

QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  state->STATE += static_cast<unsigned>(n & 3);
  hostwarp::random::philoxAdvance(state, n / 4 + state->STATE / 4);
  state->STATE &= 3;
}

// skipahead_sequence() moves the state n sequences of 2^66 numbers ahead: the upper half of the counter.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  const unsigned long long high = (static_cast<unsigned long long>(state->ctr.w) << 32) + state->ctr.z + n;
  state->ctr.z = static_cast<unsigned>(high);
  state->ctr.w = static_cast<unsigned>(high >> 32);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                            curandStatePhilox4_32_10_t *state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  state->STATE = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

#endif  // HOSTWARP_RANDOM_PHILOX_H
