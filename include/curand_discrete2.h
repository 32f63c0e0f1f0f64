// Numbers of a distribution given by a histogram [cuRAND, device API].
#ifndef HOSTWARP_CURAND_DISCRETE2_H
#define HOSTWARP_CURAND_DISCRETE2_H
#define CURAND_DISCRETE_H_

#include "curand_discrete.h"
#include "curand_normal.h"

namespace hostwarp {
namespace random {

// fromHistogram() looks one column up [Marsaglia, Tsang and Wang, "Fast generation of discrete random variables",
// 2004].
template <class Bits>
QUALIFIERS unsigned fromHistogram(Bits bits, curandDistributionM2Shift_t histogram) {
  const double u = uniformDouble(bits);
  const int column = static_cast<int>(floor(histogram->length * u));
  return histogram->shift +
         (u < histogram->histogram->V[column] ? static_cast<unsigned>(column) : histogram->histogram->K[column]);
}

QUALIFIERS unsigned fromNormal(double normal, curandDiscreteDistribution_t distribution) {
  return static_cast<unsigned>(distribution->stddev * normal + distribution->mean + 0.5);
}

}  // namespace random
}  // namespace hostwarp

#define HOSTWARP_DISCRETE(State)                                                                              \
  QUALIFIERS unsigned int curand_discrete(State *state, curandDiscreteDistribution_t discrete_distribution) { \
    if (discrete_distribution->method == CURAND_M2)                                                           \
      return hostwarp::random::fromHistogram(curand(state), discrete_distribution->M2);                       \
    return hostwarp::random::fromNormal(curand_normal_double(state), discrete_distribution);                  \
  }
HOSTWARP_CURAND_ALL(HOSTWARP_DISCRETE)
#undef HOSTWARP_DISCRETE

QUALIFIERS uint4 curand_discrete4(curandStatePhilox4_32_10_t *state,
                                  curandDiscreteDistribution_t discrete_distribution) {
  uint4 result;
  if (discrete_distribution->method == CURAND_M2) {
    const uint4 bits = curand4(state);
    result.x = hostwarp::random::fromHistogram(bits.x, discrete_distribution->M2);
    result.y = hostwarp::random::fromHistogram(bits.y, discrete_distribution->M2);
    result.z = hostwarp::random::fromHistogram(bits.z, discrete_distribution->M2);
    result.w = hostwarp::random::fromHistogram(bits.w, discrete_distribution->M2);
    return result;
  }
  const double4 normals = curand_normal4_double(state);
  result.x = hostwarp::random::fromNormal(normals.x, discrete_distribution);
  result.y = hostwarp::random::fromNormal(normals.y, discrete_distribution);
  result.z = hostwarp::random::fromNormal(normals.z, discrete_distribution);
  result.w = hostwarp::random::fromNormal(normals.w, discrete_distribution);
  return result;
}

#endif  // HOSTWARP_CURAND_DISCRETE2_H
