// A device function that lies in the kernel's unit (BENCH_ONE_UNIT), or in another.
#ifndef HOSTWARP_BENCH_UNITS_H
#define HOSTWARP_BENCH_UNITS_H

__device__ float polynomial(float v);

#ifdef BENCH_ONE_UNIT
#include "polynomial.h"
#endif

#endif  // HOSTWARP_BENCH_UNITS_H
