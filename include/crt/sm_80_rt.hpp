// The definitions are where the declarations are.
#ifndef HOSTWARP_CRT_SM_80_RT_HPP
#define HOSTWARP_CRT_SM_80_RT_HPP
#include "sm_80_rt.h"
#endif  // HOSTWARP_CRT_SM_80_RT_HPP
