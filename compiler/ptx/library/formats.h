// The small floating-point formats of include/hostwarp/numbers, by the numbers that the emitter gives them.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_FORMATS_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_FORMATS_H

#include "compiler/ptx/library/interface.h"

#define HOSTWARP_NATIVE_HALF 1
#include "include/hostwarp/numbers/sixteen_bits.h"

namespace numbers = hostwarp::numbers;

// The order is that of SmallFormat in convert.h.
constexpr numbers::Format formats[] = {
    {5, 10, numbers::ieee},       // f16
    {8, 7, numbers::ieee},        // bf16
    {8, 10, numbers::ieee},       // tf32, without its 13 low zeros
    {4, 3, numbers::oneNan},      // e4m3
    {5, 2, numbers::ieee},        // e5m2
    {2, 3, numbers::noSpecials},  // e2m3
    {3, 2, numbers::noSpecials},  // e3m2
    {2, 1, numbers::noSpecials},  // e2m1
};

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_FORMATS_H
