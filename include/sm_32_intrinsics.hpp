// The definitions are where the declarations are.
#ifndef HOSTWARP_SM_32_INTRINSICS_HPP
#define HOSTWARP_SM_32_INTRINSICS_HPP
#include "sm_32_intrinsics.h"
#endif  // HOSTWARP_SM_32_INTRINSICS_HPP
