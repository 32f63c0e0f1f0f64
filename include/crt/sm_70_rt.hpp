// The definitions are where the declarations are.
#ifndef HOSTWARP_CRT_SM_70_RT_HPP
#define HOSTWARP_CRT_SM_70_RT_HPP
#include "sm_70_rt.h"
#endif  // HOSTWARP_CRT_SM_70_RT_HPP
