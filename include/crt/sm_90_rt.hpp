// The definitions are where the declarations are.
#ifndef HOSTWARP_CRT_SM_90_RT_HPP
#define HOSTWARP_CRT_SM_90_RT_HPP
#include "sm_90_rt.h"
#endif  // HOSTWARP_CRT_SM_90_RT_HPP
