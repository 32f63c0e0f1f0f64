// Half-precision numbers: __half, __half2 and their functions [CUDA math API, half precision].
#ifndef HOSTWARP_CUDA_FP16_H
#define HOSTWARP_CUDA_FP16_H
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__

#include "hostwarp/numbers/prelude.h"

#define HOSTWARP_NUMBER __half
#define HOSTWARP_NUMBER2 __half2
#define HOSTWARP_NUMBER_RAW __half_raw
#define HOSTWARP_NUMBER2_RAW __half2_raw
#define HOSTWARP_OTHER_NUMBER __nv_bfloat16
#define HOSTWARP_TRAITS hostwarp::numbers::Half
#define HOSTWARP_NAME(before, after) before##half##after
#define HOSTWARP_BROADCAST __half2half2

#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define HOSTWARP_NUMBER_CONVERSIONS 0
#else
#define HOSTWARP_NUMBER_CONVERSIONS 1
#endif
#if defined(__CUDA_FP16_DISABLE_IMPLICIT_INTEGER_CONVERTS_FOR_HOST_COMPILERS__) && !defined(__CUDACC__)
#define HOSTWARP_NUMBER_INTEGERS 0
#else
#define HOSTWARP_NUMBER_INTEGERS 1
#endif

#include "hostwarp/numbers/number_types.inc"

#if defined(__cplusplus)

#define __CUDA_FP16_TYPES_EXIST__

#include "hostwarp/numbers/number_functions.inc"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#if !defined(__CUDA_NO_HALF_OPERATORS__)
#define HOSTWARP_OPERAND __half
#define HOSTWARP_ONE CUDART_ONE_FP16
#define HOSTWARP_CALL(name) name
#define HOSTWARP_CONDITION(name) __h##name
#define HOSTWARP_DIVISION __hdiv
#include "hostwarp/numbers/number_operators.inc"
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
#define HOSTWARP_OPERAND __half2
#define HOSTWARP_ONE __half2half2(CUDART_ONE_FP16)
#define HOSTWARP_CALL(name) name##2
#define HOSTWARP_CONDITION(name) __hb##name##2
#define HOSTWARP_DIVISION __h2div
#include "hostwarp/numbers/number_operators.inc"
#endif

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#endif

#include "hostwarp/numbers/number_end.inc"

#endif  // HOSTWARP_CUDA_FP16_H
