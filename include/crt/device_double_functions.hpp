// The definitions are where the declarations are.
#ifndef HOSTWARP_CRT_DEVICE_DOUBLE_FUNCTIONS_HPP
#define HOSTWARP_CRT_DEVICE_DOUBLE_FUNCTIONS_HPP
#include "device_double_functions.h"
#endif  // HOSTWARP_CRT_DEVICE_DOUBLE_FUNCTIONS_HPP
