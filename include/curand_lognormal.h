// Numbers whose logarithm is normally distributed [cuRAND, device API].
#ifndef HOSTWARP_CURAND_LOGNORMAL_H
#define HOSTWARP_CURAND_LOGNORMAL_H
#define CURAND_LOGNORMAL_H_

#include "curand_normal.h"

// As with normal numbers, the second of a pair waits in the state, for the next call of the same function.
#define HOSTWARP_LOG_NORMAL_KEPT(State)                                                    \
  QUALIFIERS float2 curand_log_normal2(State *state, float mean, float stddev) {           \
    const float2 pair = curand_normal2(state);                                             \
    return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y));        \
  }                                                                                        \
  QUALIFIERS double2 curand_log_normal2_double(State *state, double mean, double stddev) { \
    const double2 pair = curand_normal2_double(state);                                     \
    return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));         \
  }                                                                                        \
  QUALIFIERS float curand_log_normal(State *state, float mean, float stddev) {             \
    if (state->boxmuller_flag == hostwarp::random::keptLogNormal) {                        \
      state->boxmuller_flag = 0;                                                           \
      return state->boxmuller_extra;                                                       \
    }                                                                                      \
    const float2 pair = curand_log_normal2(state, mean, stddev);                           \
    state->boxmuller_extra = pair.y;                                                       \
    state->boxmuller_flag = hostwarp::random::keptLogNormal;                               \
    return pair.x;                                                                         \
  }                                                                                        \
  QUALIFIERS double curand_log_normal_double(State *state, double mean, double stddev) {   \
    if (state->boxmuller_flag_double == hostwarp::random::keptLogNormal) {                 \
      state->boxmuller_flag_double = 0;                                                    \
      return state->boxmuller_extra_double;                                                \
    }                                                                                      \
    const double2 pair = curand_log_normal2_double(state, mean, stddev);                   \
    state->boxmuller_extra_double = pair.y;                                                \
    state->boxmuller_flag_double = hostwarp::random::keptLogNormal;                        \
    return pair.x;                                                                         \
  }
#define HOSTWARP_LOG_NORMAL_INVERSE(State)                                               \
  QUALIFIERS float curand_log_normal(State *state, float mean, float stddev) {           \
    return expf(mean + stddev * curand_normal(state));                                   \
  }                                                                                      \
  QUALIFIERS double curand_log_normal_double(State *state, double mean, double stddev) { \
    return exp(mean + stddev * curand_normal_double(state));                             \
  }
HOSTWARP_CURAND_PAIRED(HOSTWARP_LOG_NORMAL_KEPT)
HOSTWARP_CURAND_SINGLE(HOSTWARP_LOG_NORMAL_INVERSE)
#undef HOSTWARP_LOG_NORMAL_KEPT
#undef HOSTWARP_LOG_NORMAL_INVERSE

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
  const float4 n = curand_normal4(state);
  return make_float4(expf(mean + stddev * n.x), expf(mean + stddev * n.y), expf(mean + stddev * n.z),
                     expf(mean + stddev * n.w));
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double stddev) {
  const double4 n = curand_normal4_double(state);
  return make_double4(exp(mean + stddev * n.x), exp(mean + stddev * n.y), exp(mean + stddev * n.z),
                      exp(mean + stddev * n.w));
}

#endif  // HOSTWARP_CURAND_LOGNORMAL_H
