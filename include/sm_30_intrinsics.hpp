// The definitions are where the declarations are.
#ifndef HOSTWARP_SM_30_INTRINSICS_HPP
#define HOSTWARP_SM_30_INTRINSICS_HPP
#include "sm_30_intrinsics.h"
#endif  // HOSTWARP_SM_30_INTRINSICS_HPP
