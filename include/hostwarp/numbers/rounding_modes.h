// cudaRoundMode in the terms of formats.h.
#ifndef HOSTWARP_NUMBERS_ROUNDING_MODES_H
#define HOSTWARP_NUMBERS_ROUNDING_MODES_H

#include "../../device_types.h"
#include "formats.h"

HOSTWARP_HOST_DEVICE int hw_rounding_of(enum cudaRoundMode mode) {
  return mode == cudaRoundZero     ? hostwarp::numbers::toZero
         : mode == cudaRoundPosInf ? hostwarp::numbers::upward
         : mode == cudaRoundMinInf ? hostwarp::numbers::downward
                                   : hostwarp::numbers::toNearestEven;
}

#endif  // HOSTWARP_NUMBERS_ROUNDING_MODES_H
