// Rounding modes of the conversion functions.
#ifndef HOSTWARP_DEVICE_TYPES_H
#define HOSTWARP_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

#include "host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif  // HOSTWARP_DEVICE_TYPES_H
