// The definitions are where the declarations are.
#ifndef HOSTWARP_SM_20_INTRINSICS_HPP
#define HOSTWARP_SM_20_INTRINSICS_HPP
#include "sm_20_intrinsics.h"
#endif  // HOSTWARP_SM_20_INTRINSICS_HPP
