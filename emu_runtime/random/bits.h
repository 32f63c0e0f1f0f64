// Numbers of all kinds from the bits of one draw.
#pragma once

#include <curand_kernel.h>

#include "emu_runtime/random/poisson_histogram.h"

namespace hostwarp::random {

template <class Bits>
unsigned fromHistogram(Bits bits, const PoissonHistogram &histogram) {
  const double u = uniformDouble(bits);
  const auto column = static_cast<size_t>(u * histogram.length());
  return histogram.shift + (u < histogram.limits[column] ? static_cast<unsigned>(column) : histogram.others[column]);
}

}  // namespace hostwarp::random
