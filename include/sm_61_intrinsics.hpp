// The definitions are where the declarations are.
#ifndef HOSTWARP_SM_61_INTRINSICS_HPP
#define HOSTWARP_SM_61_INTRINSICS_HPP
#include "sm_61_intrinsics.h"
#endif  // HOSTWARP_SM_61_INTRINSICS_HPP
