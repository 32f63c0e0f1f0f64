// Poisson distributed numbers [cuRAND, device API]. Pseudorandom generators: Knuth's product of uniforms for small
// means, rejection for medium ones, a rounded normal for large ones. MTGP32 and the quasirandom ones: inversion.
#ifndef HOSTWARP_CURAND_POISSON_H
#define HOSTWARP_CURAND_POISSON_H
#define CURAND_POISSON_H_

#include "curand_normal.h"

namespace hostwarp {
namespace random {

QUALIFIERS unsigned roundedNormal(double normal, double lambda) {
  return static_cast<unsigned>(sqrt(lambda) * normal + lambda + 0.5);
}

// poissonProduct() counts the uniform numbers whose product stays above e^-lambda [Knuth, volume 2].
template <class State>
QUALIFIERS unsigned poissonProduct(State *state, float lambda) {
  unsigned count = 0;
  for (float product = expf(lambda) * curand_uniform(state); product > 1; product *= curand_uniform(state)) ++count;
  return count;
}

// GammaCurve approximates the distribution function of a gamma variable of shape a by the square of a logistic curve.
// The constants are cuRAND's, since results follow from them.
struct GammaCurve {
  float shape, slope, shift;
};
QUALIFIERS GammaCurve gammaCurve(float a) {
  GammaCurve curve;
  curve.shape = a;
  curve.slope = 1.43248035075540910f * (1.0f / sqrtf(a - 0.12400979329415655f)) + 0.00025361074907033f;
  curve.shift = 0.21096734870196546f * (1.0f / sqrtf(a - 1.97381164089999420f)) + 0.94201734077887530f;
  return curve;
}
QUALIFIERS float gammaProbability(const GammaCurve &curve, float x) {
  const float root = 1.0f + expf(curve.slope * (curve.shape - x) - curve.shift);
  return 1.0f / (root * root);
}
QUALIFIERS float gammaQuantile(const GammaCurve &curve, float probability) {
  const float t = curve.shift + logf(1.0f / sqrtf(probability) - 1.0f);
  return -t * (1.0f / curve.slope) + curve.shape;
}

// logFactorial() is log(n!), to some 13 digits [Stirling's series from 8! on].
QUALIFIERS double logFactorial(int n) {
  if (n < 8) {
    double product = 1;
    for (int i = 2; i <= n; ++i) product *= i;
    return log(product);
  }
  const double a = n + 1.0, inverse = 1 / a, square = inverse * inverse;
  const double series =
      inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188))));
  return (a - 0.5) * log(a) - a + 0.91893853320467274 + series;
}

// poissonRejection() draws from the curve, and accepts as often as the true probability of the number demands.
template <class State>
QUALIFIERS unsigned poissonRejection(State *state, float lambda) {
  const float logLambda = logf(lambda);
  const GammaCurve curve = gammaCurve(lambda);
  for (;;) {
    const float x = floorf(gammaQuantile(curve, curand_uniform(state)));
    const float height = curand_uniform(state);
    const float bound = (gammaProbability(curve, x + 1.0f) - gammaProbability(curve, x)) * 1.3f;
    if (!(bound >= 1e-20 && x >= 0)) continue;
    const float probability = expf(-lambda + x * logLambda - static_cast<float>(logFactorial(static_cast<int>(x))));
    if (height * bound < probability) return static_cast<unsigned>(x);
  }
}

// Uniform in (0, 1): with 1 itself the search below would not end.
QUALIFIERS double openUniform(unsigned bits) { return bits * step32 + step32 / 2; }
QUALIFIERS double openUniform(unsigned long long bits) { return (bits >> 11) * step53 + step53 / 4; }

// poissonInverse() adds up probabilities until they reach u. They are scaled by e^-500 at a time, which is as much as a
// double can take.
template <class Bits>
QUALIFIERS unsigned poissonInverse(Bits bits, double lambda) {
  const double u = openUniform(bits);
  double term = 1, sum = 1;
  unsigned count = 0;
  for (int scaled = 0; scaled < lambda; scaled += 500) {
    const double scale = exp(lambda > scaled + 500.0 ? -500.0 : scaled - lambda);
    term *= scale;
    sum *= scale;
    while (u > sum) {
      ++count;
      term *= lambda / count;
      sum += term;
    }
  }
  return count;
}

template <class Bits>
QUALIFIERS unsigned poissonFromBits(Bits bits, double lambda) {
  return lambda < 1000 ? poissonInverse(bits, lambda) : roundedNormal(normalInverseDouble(bits), lambda);
}

}  // namespace random
}  // namespace hostwarp

#define HOSTWARP_POISSON_PSEUDO(State)                                                              \
  QUALIFIERS unsigned int curand_poisson(State *state, double lambda) {                             \
    if (lambda < 64) return hostwarp::random::poissonProduct(state, static_cast<float>(lambda));    \
    if (lambda > 4000) return hostwarp::random::roundedNormal(curand_normal_double(state), lambda); \
    return hostwarp::random::poissonRejection(state, static_cast<float>(lambda));                   \
  }
#define HOSTWARP_POISSON_INVERSE(State)                                 \
  QUALIFIERS unsigned int curand_poisson(State *state, double lambda) { \
    return hostwarp::random::poissonFromBits(curand(state), lambda);    \
  }
HOSTWARP_CURAND_PAIRED(HOSTWARP_POISSON_PSEUDO)
HOSTWARP_CURAND_SINGLE(HOSTWARP_POISSON_INVERSE)
#undef HOSTWARP_POISSON_PSEUDO
#undef HOSTWARP_POISSON_INVERSE

QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  uint4 result;
  if (lambda > 4000) {
    const double4 normals = curand_normal4_double(state);
    result.x = hostwarp::random::roundedNormal(normals.x, lambda);
    result.y = hostwarp::random::roundedNormal(normals.y, lambda);
    result.z = hostwarp::random::roundedNormal(normals.z, lambda);
    result.w = hostwarp::random::roundedNormal(normals.w, lambda);
    return result;
  }
  result.x = curand_poisson(state, lambda);
  result.y = curand_poisson(state, lambda);
  result.z = curand_poisson(state, lambda);
  result.w = curand_poisson(state, lambda);
  return result;
}

#endif  // HOSTWARP_CURAND_POISSON_H
