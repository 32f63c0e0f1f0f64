// The definitions are where the declarations are.
#ifndef HOSTWARP_CRT_MATH_FUNCTIONS_HPP
#define HOSTWARP_CRT_MATH_FUNCTIONS_HPP
#include "math_functions.h"
#endif  // HOSTWARP_CRT_MATH_FUNCTIONS_HPP
