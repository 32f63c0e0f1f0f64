// -ftz=true: single-precision arithmetic without subnormal numbers.
#ifndef HOSTWARP_COMPILER_DEVICE_FLUSH_SUBNORMALS_H
#define HOSTWARP_COMPILER_DEVICE_FLUSH_SUBNORMALS_H

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// setApart() makes calls of the arithmetic in functions that say of themselves that they keep subnormal numbers, as
// inline PTX without .ftz does: flushSubnormals() would take it for that of the function that they become a part of.
// pre: nothing is inlined yet.
void setApart(DeviceModule &device);

// flushSubnormals() makes operands and results of float operations zeros of their sign, where they are subnormal, in
// the functions that the front end has marked so; doubles stay. pre: functions that are part of others are inlined, but
// not yet those of the math library, whose own arithmetic needs subnormal numbers; fuseProducts() has run, since what
// is flushed in between cannot be fused any more. True: what setApart() has made is to be inlined now.
bool flushSubnormals(DeviceModule &device);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_FLUSH_SUBNORMALS_H
