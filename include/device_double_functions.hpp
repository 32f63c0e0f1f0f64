// The definitions are where the declarations are.
#ifndef HOSTWARP_DEVICE_DOUBLE_FUNCTIONS_HPP
#define HOSTWARP_DEVICE_DOUBLE_FUNCTIONS_HPP
#include "device_double_functions.h"
#endif  // HOSTWARP_DEVICE_DOUBLE_FUNCTIONS_HPP
