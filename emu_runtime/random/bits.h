// Numbers of all kinds from the bits of one draw.
#pragma once

#include <curand_kernel.h>

#include <algorithm>

#include "emu_runtime/random/poisson_histogram.h"

namespace hostwarp::random {

template <class Bits>
unsigned fromHistogram(Bits bits, const PoissonHistogram &histogram) {
  const double u = uniformDouble(bits);
  const auto column = static_cast<size_t>(u * histogram.length());
  return histogram.shift + (u < histogram.limits[column] ? static_cast<unsigned>(column) : histogram.others[column]);
}

// fromCumulative() is the first value whose cumulative probability reaches the uniform number.
template <class Bits>
unsigned fromCumulative(Bits bits, const PoissonHistogram &histogram) {
  const auto &sums = histogram.cumulative;
  const auto found = std::lower_bound(sums.begin(), sums.end() - 1, uniformDouble(bits));
  return histogram.shift + static_cast<unsigned>(found - sums.begin());
}

}  // namespace hostwarp::random
