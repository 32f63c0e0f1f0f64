// Numbers with the range of a float and 8 binary digits: __nv_bfloat16, __nv_bfloat162 and their functions [CUDA math
// API, bfloat16 precision].
#ifndef HOSTWARP_CUDA_BF16_H
#define HOSTWARP_CUDA_BF16_H
#define __CUDA_BF16_H__
#define __CUDA_BF16_HPP__

#include "cuda_fp16.h"

#define HOSTWARP_NUMBER __nv_bfloat16
#define HOSTWARP_NUMBER2 __nv_bfloat162
#define HOSTWARP_NUMBER_RAW __nv_bfloat16_raw
#define HOSTWARP_NUMBER2_RAW __nv_bfloat162_raw
#define HOSTWARP_OTHER_NUMBER __half
#define HOSTWARP_TRAITS hostwarp::numbers::Brain
#define HOSTWARP_NAME(before, after) before##bfloat16##after
#define HOSTWARP_BROADCAST __bfloat162bfloat162

#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define HOSTWARP_NUMBER_CONVERSIONS 0
#else
#define HOSTWARP_NUMBER_CONVERSIONS 1
#endif
#if defined(__CUDA_BF16_DISABLE_IMPLICIT_INTEGER_CONVERTS_FOR_HOST_COMPILERS__) && !defined(__CUDACC__)
#define HOSTWARP_NUMBER_INTEGERS 0
#else
#define HOSTWARP_NUMBER_INTEGERS 1
#endif

#include "hostwarp/numbers/number_types.inc"

#if defined(__cplusplus)

#define __CUDA_BF16_TYPES_EXIST__

#include "hostwarp/numbers/number_functions.inc"

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define HOSTWARP_OPERAND __nv_bfloat16
#define HOSTWARP_ONE CUDART_ONE_BF16
#define HOSTWARP_CALL(name) name
#define HOSTWARP_CONDITION(name) __h##name
#define HOSTWARP_DIVISION __hdiv
#include "hostwarp/numbers/number_operators.inc"
#endif
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define HOSTWARP_OPERAND __nv_bfloat162
#define HOSTWARP_ONE __bfloat162bfloat162(CUDART_ONE_BF16)
#define HOSTWARP_CALL(name) name##2
#define HOSTWARP_CONDITION(name) __hb##name##2
#define HOSTWARP_DIVISION __h2div
#include "hostwarp/numbers/number_operators.inc"
#endif

#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#if __cplusplus >= 201103L
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
HOSTWARP_HOST_DEVICE __half::__half(const __nv_bfloat16 other)
    : __x(hostwarp::numbers::Half::fromFloat(__bfloat162float(other))) {}
#endif
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
HOSTWARP_HOST_DEVICE __nv_bfloat16::__nv_bfloat16(const __half other)
    : __x(hostwarp::numbers::Brain::fromFloat(__half2float(other))) {}
#endif
#endif

#endif

#include "hostwarp/numbers/number_end.inc"

#endif  // HOSTWARP_CUDA_BF16_H
