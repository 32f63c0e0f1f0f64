// The definitions are where the declarations are.
#ifndef HOSTWARP_CRT_SM_100_RT_HPP
#define HOSTWARP_CRT_SM_100_RT_HPP
#include "sm_100_rt.h"
#endif  // HOSTWARP_CRT_SM_100_RT_HPP
