// 4-bit floating-point numbers: e2m1; two fill a byte [CUDA math API, FP4].
#ifndef HOSTWARP_CUDA_FP4_H
#define HOSTWARP_CUDA_FP4_H
#define __CUDA_FP4_H__
#define __CUDA_FP4_HPP__

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#if defined(__cplusplus)

#define __CUDA_FP4_TYPES_EXIST__

#define HOSTWARP_SMALL_STORAGE __nv_fp4_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp4x2_storage_t
#define HOSTWARP_SMALL_WIDTH 4
#define HOSTWARP_SMALL_NAME(before, after) before##fp4##after
#define HOSTWARP_SMALL_KIND __nv_fp4_interpretation_t
#define HOSTWARP_SMALL_FORMAT(kind) (static_cast<void>(kind), hostwarp::numbers::e2m1())
#define HOSTWARP_SMALL_PARAMETERS const __nv_fp4_interpretation_t kind, const enum cudaRoundMode rounding
#define HOSTWARP_SMALL_ENCODE(x) \
  hostwarp::numbers::encode(HOSTWARP_SMALL_FORMAT(kind), x, hw_rounding_of(rounding), true)
#include "hostwarp/numbers/small_conversions.inc"

#if defined(__CUDA_NO_FP4_CONVERSIONS__)
#define HOSTWARP_FP4_CONVERSIONS 0
#else
#define HOSTWARP_FP4_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_FP4_CONVERSION_OPERATORS__)
#define HOSTWARP_FP4_OPERATORS 0
#else
#define HOSTWARP_FP4_OPERATORS 1
#endif

#define HOSTWARP_SMALL __nv_fp4_e2m1
#define HOSTWARP_SMALL2 __nv_fp4x2_e2m1
#define HOSTWARP_SMALL4 __nv_fp4x4_e2m1
#define HOSTWARP_SMALL_STORAGE __nv_fp4_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp4x2_storage_t
#define HOSTWARP_SMALL_STORAGE4 __nv_fp4x4_storage_t
#define HOSTWARP_SMALL_WIDTH 4
#define HOSTWARP_SMALL_ENCODE(x) \
  hostwarp::numbers::encode(hostwarp::numbers::e2m1(), x, hostwarp::numbers::toNearestEven, true)
#define HOSTWARP_SMALL_INTEGER(i) HOSTWARP_SMALL_ENCODE(static_cast<float>(i))
#define HOSTWARP_SMALL_DECODE(bits) static_cast<float>(hostwarp::numbers::decode(hostwarp::numbers::e2m1(), bits))
#define HOSTWARP_SMALL_TRUTH(bits) (((bits) & 0x7) != 0)
#define HOSTWARP_SMALL_CONVERSIONS HOSTWARP_FP4_CONVERSIONS
#define HOSTWARP_SMALL_OPERATORS HOSTWARP_FP4_OPERATORS
#define HOSTWARP_SMALL_TO_BRAIN 0
#include "hostwarp/numbers/small_types.inc"

#undef HOSTWARP_FP4_CONVERSIONS
#undef HOSTWARP_FP4_OPERATORS

#endif

#endif  // HOSTWARP_CUDA_FP4_H
