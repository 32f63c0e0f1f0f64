// The definitions are where the declarations are.
#ifndef HOSTWARP_DEVICE_FUNCTIONS_HPP
#define HOSTWARP_DEVICE_FUNCTIONS_HPP
#include "device_functions.h"
#endif  // HOSTWARP_DEVICE_FUNCTIONS_HPP
