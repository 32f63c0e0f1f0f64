// The definitions are where the declarations are.
#ifndef HOSTWARP_SM_20_ATOMIC_FUNCTIONS_HPP
#define HOSTWARP_SM_20_ATOMIC_FUNCTIONS_HPP
#include "sm_20_atomic_functions.h"
#endif  // HOSTWARP_SM_20_ATOMIC_FUNCTIONS_HPP
