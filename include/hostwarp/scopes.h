// Whom atomic operations and fences are meant for. The CPU's reach everybody.
#ifndef HOSTWARP_SCOPES_H
#define HOSTWARP_SCOPES_H

#include "device_abi.h"
#include "device_qualifiers.h"

// HOSTWARP_SCOPE_OF_BLOCK() stands in functions whose atomic operations are meant for the block's threads only.
// hw_scope_of_block() is no function: hwcc-device takes the calls away, and has the checked build hold the program to
// it.
#if HOSTWARP_CUDA_MODE
HW_DEVICE_API void hw_scope_of_block(void) HW_NOEXCEPT;
#define HOSTWARP_SCOPE_OF_BLOCK() hw_scope_of_block()
#else
#define HOSTWARP_SCOPE_OF_BLOCK()
#endif

#endif  // HOSTWARP_SCOPES_H
