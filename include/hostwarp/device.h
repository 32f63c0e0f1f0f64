// Everything that device code can use without including more than <cuda_runtime.h>.
//
// pre: nothing of the standard library that declares math functions has been included before (in CUDA mode; hwcc
// includes <cuda_runtime.h> first).
#ifndef HOSTWARP_DEVICE_H
#define HOSTWARP_DEVICE_H

#if defined(__cplusplus) && !defined(HOSTWARP_HOST_ONLY)

#pragma GCC system_header

#include "c_library.h"
#include "device_qualifiers.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "atomics.h"
#include "builtin_variables.h"
#include "cluster_functions.h"
#include "conversions.h"
#include "dynamic_shared.h"
#include "fast_math.h"
#include "integer_intrinsics.h"
#include "lambda_traits.h"
#include "math_functions.h"
#include "memory_access.h"
#include "nv_atomics.h"
#include "refused_operands.h"
#include "rounding.h"
#include "simd_intrinsics.h"
#include "synchronization.h"
#include "texture_functions.h"
#include "variable_arguments.h"
#include "warp.h"

#endif

#endif  // HOSTWARP_DEVICE_H
