// Requests for generators that make one number of one draw.
#pragma once

#include <curand_kernel.h>

#include "emu_runtime/random/bits.h"
#include "emu_runtime/random/request.h"

namespace hostwarp::random {

// invert() calls write(f), where f makes one number of the bits of one draw; write() knows where they come from and go.
// Poisson numbers of a mean below `histogramMean` come from the square histogram, the others from cumulative
// probabilities.
template <class Write>
void invert(const Request &r, double histogramMean, Write write) {
  const auto mean = r.mean, deviation = r.deviation;
  const auto meanf = static_cast<float>(mean), deviationf = static_cast<float>(deviation);
  switch (r.kind) {
    case Kind::Integer:
    case Kind::LongLong:
      return write([](auto bits) { return bits; });
    case Kind::Uniform:
      return write([](auto bits) { return uniformFloat(bits); });
    case Kind::UniformDouble:
      return write([](auto bits) { return uniformDouble(bits); });
    case Kind::Normal:
      return write([=](auto bits) { return meanf + deviationf * normalInverse(bits); });
    case Kind::NormalDouble:
      return write([=](auto bits) { return mean + deviation * normalInverseDouble(bits); });
    case Kind::LogNormal:
      return write([=](auto bits) { return expf(meanf + deviationf * normalInverse(bits)); });
    case Kind::LogNormalDouble:
      return write([=](auto bits) { return exp(mean + deviation * normalInverseDouble(bits)); });
    case Kind::Poisson:
      if (!r.histogram) return write([=](auto bits) { return roundedNormal(normalInverseDouble(bits), mean); });
      if (mean < histogramMean) return write([&r](auto bits) { return fromHistogram(bits, *r.histogram); });
      return write([&r](auto bits) { return fromCumulative(bits, *r.histogram); });
  }
}

}  // namespace hostwarp::random
