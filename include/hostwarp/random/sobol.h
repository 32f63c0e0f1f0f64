// Sobol' sequences of 32 and 64 bits in Gray code order, plain and scrambled by a digital shift [Antonov and Saleev].
#ifndef HOSTWARP_RANDOM_SOBOL_H
#define HOSTWARP_RANDOM_SOBOL_H

#include "prelude.h"

// i counts the points, x is the i-th one, c the scramble constant.
#define HOSTWARP_SOBOL_STATE(name, Word, bits) \
  struct name {                                \
    Word i, x, c;                              \
    Word direction_vectors[bits];              \
  };                                           \
  typedef struct name name##_t;
HOSTWARP_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
HOSTWARP_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
HOSTWARP_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
HOSTWARP_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef HOSTWARP_SOBOL_STATE

namespace hostwarp {
namespace random {

QUALIFIERS int trailingZeros(unsigned value) { return __builtin_ctz(value); }
QUALIFIERS int trailingZeros(unsigned long long value) { return __builtin_ctzll(value); }

// sobolNext() returns the current point. The next one differs by the direction vector of the lowest zero of i; the last
// of all returns to the first.
template <class State>
QUALIFIERS auto sobolNext(State *state) -> decltype(state->x) {
  const auto point = state->x;
  const decltype(state->x) zeros = ~state->i;
  const int last = 8 * sizeof(zeros) - 1;
  state->x ^= state->direction_vectors[zeros ? trailingZeros(zeros) : last];
  ++state->i;
  return point;
}

// sobolSkip() computes the point n places ahead from its Gray code.
template <class State>
QUALIFIERS void sobolSkip(unsigned long long n, State *state) {
  state->i += static_cast<decltype(state->i)>(n);
  state->x = state->c;
  int k = 0;
  for (auto gray = state->i ^ (state->i >> 1); gray; gray >>= 1, ++k)
    if (gray & 1) state->x ^= state->direction_vectors[k];
}

template <class State, class Word>
QUALIFIERS void sobolInit(const Word *directions, Word scramble, unsigned long long offset, State *state) {
  for (unsigned k = 0; k < 8 * sizeof(Word); ++k) state->direction_vectors[k] = directions[k];
  state->i = 0;
  state->c = scramble;
  sobolSkip(offset, state);
}

}  // namespace random
}  // namespace hostwarp

#define HOSTWARP_SOBOL(State, Word)                                                   \
  QUALIFIERS Word curand(State *state) { return hostwarp::random::sobolNext(state); } \
  QUALIFIERS void skipahead(unsigned long long n, State *state) { hostwarp::random::sobolSkip(n, state); }
#define HOSTWARP_PLAIN_SOBOL(State, Word, Directions)                                    \
  HOSTWARP_SOBOL(State, Word)                                                            \
  QUALIFIERS void curand_init(Directions direction_vectors, Word offset, State *state) { \
    const Word noScramble = 0;                                                           \
    hostwarp::random::sobolInit(direction_vectors, noScramble, offset, state);           \
  }
#define HOSTWARP_SCRAMBLED_SOBOL(State, Word, Directions)                                                 \
  HOSTWARP_SOBOL(State, Word)                                                                             \
  QUALIFIERS void curand_init(Directions direction_vectors, Word scramble_c, Word offset, State *state) { \
    hostwarp::random::sobolInit(direction_vectors, scramble_c, offset, state);                            \
  }
HOSTWARP_PLAIN_SOBOL(curandStateSobol32_t, unsigned int, curandDirectionVectors32_t)
HOSTWARP_SCRAMBLED_SOBOL(curandStateScrambledSobol32_t, unsigned int, curandDirectionVectors32_t)
HOSTWARP_PLAIN_SOBOL(curandStateSobol64_t, unsigned long long, curandDirectionVectors64_t)
HOSTWARP_SCRAMBLED_SOBOL(curandStateScrambledSobol64_t, unsigned long long, curandDirectionVectors64_t)
#undef HOSTWARP_SCRAMBLED_SOBOL
#undef HOSTWARP_PLAIN_SOBOL
#undef HOSTWARP_SOBOL

#endif  // HOSTWARP_RANDOM_SOBOL_H
