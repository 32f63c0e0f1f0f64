// -ftz=true: single-precision arithmetic without subnormal numbers.
#ifndef HOSTWARP_COMPILER_DEVICE_FLUSH_SUBNORMALS_H
#define HOSTWARP_COMPILER_DEVICE_FLUSH_SUBNORMALS_H

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// flushSubnormals() makes operands and results of float operations zeros of their sign, where they are subnormal, in
// the functions that the front end has marked so; doubles stay. pre: functions that are part of others are inlined, but
// not yet those of the math library, whose own arithmetic needs subnormal numbers.
void flushSubnormals(DeviceModule &device);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_FLUSH_SUBNORMALS_H
