// The C library's 128-bit floating point, which clang has in the device pass from 19 on.
#ifndef HOSTWARP_DEVICE_PASS_FLOATN_H
#define HOSTWARP_DEVICE_PASS_FLOATN_H

#pragma GCC system_header

#if __clang_major__ >= 19
#include_next <bits/floatn.h>
#else
#include <features.h>
#define __HAVE_FLOAT128 0
#define __HAVE_DISTINCT_FLOAT128 0
#define __HAVE_FLOAT64X 1
#define __HAVE_FLOAT64X_LONG_DOUBLE 1
#include <bits/floatn-common.h>
#endif

#endif  // HOSTWARP_DEVICE_PASS_FLOATN_H
