// The definitions are where the declarations are.
#ifndef HOSTWARP_MATH_FUNCTIONS_HPP
#define HOSTWARP_MATH_FUNCTIONS_HPP
#include "math_functions.h"
#endif  // HOSTWARP_MATH_FUNCTIONS_HPP
