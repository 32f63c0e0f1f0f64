// The definitions are where the declarations are.
#ifndef HOSTWARP_DEVICE_ATOMIC_FUNCTIONS_HPP
#define HOSTWARP_DEVICE_ATOMIC_FUNCTIONS_HPP
#include "device_atomic_functions.h"
#endif  // HOSTWARP_DEVICE_ATOMIC_FUNCTIONS_HPP
