// 6-bit floating-point numbers: e2m3 and e3m2, each in the low bits of a byte [CUDA math API, FP6].
#ifndef HOSTWARP_CUDA_FP6_H
#define HOSTWARP_CUDA_FP6_H
#define __CUDA_FP6_H__
#define __CUDA_FP6_HPP__

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#if defined(__cplusplus)

#define __CUDA_FP6_TYPES_EXIST__

#define HOSTWARP_SMALL_STORAGE __nv_fp6_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp6x2_storage_t
#define HOSTWARP_SMALL_WIDTH 8
#define HOSTWARP_SMALL_NAME(before, after) before##fp6##after
#define HOSTWARP_SMALL_KIND __nv_fp6_interpretation_t
#define HOSTWARP_SMALL_FORMAT(kind) ((kind) == __NV_E2M3 ? hostwarp::numbers::e2m3() : hostwarp::numbers::e3m2())
#define HOSTWARP_SMALL_PARAMETERS const __nv_fp6_interpretation_t kind, const enum cudaRoundMode rounding
#define HOSTWARP_SMALL_ENCODE(x) \
  hostwarp::numbers::encode(HOSTWARP_SMALL_FORMAT(kind), x, hw_rounding_of(rounding), true)
#include "hostwarp/numbers/small_conversions.inc"

#if defined(__CUDA_NO_FP6_CONVERSIONS__)
#define HOSTWARP_FP6_CONVERSIONS 0
#else
#define HOSTWARP_FP6_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_FP6_CONVERSION_OPERATORS__)
#define HOSTWARP_FP6_OPERATORS 0
#else
#define HOSTWARP_FP6_OPERATORS 1
#endif

#define HOSTWARP_SMALL __nv_fp6_e2m3
#define HOSTWARP_SMALL2 __nv_fp6x2_e2m3
#define HOSTWARP_SMALL4 __nv_fp6x4_e2m3
#define HOSTWARP_SMALL_STORAGE __nv_fp6_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp6x2_storage_t
#define HOSTWARP_SMALL_STORAGE4 __nv_fp6x4_storage_t
#define HOSTWARP_SMALL_WIDTH 8
#define HOSTWARP_SMALL_ENCODE(x) \
  hostwarp::numbers::encode(hostwarp::numbers::e2m3(), x, hostwarp::numbers::toNearestEven, true)
#define HOSTWARP_SMALL_INTEGER(i) HOSTWARP_SMALL_ENCODE(static_cast<float>(i))
#define HOSTWARP_SMALL_DECODE(bits) static_cast<float>(hostwarp::numbers::decode(hostwarp::numbers::e2m3(), bits))
#define HOSTWARP_SMALL_TRUTH(bits) (((bits) & 0x1f) != 0)
#define HOSTWARP_SMALL_CONVERSIONS HOSTWARP_FP6_CONVERSIONS
#define HOSTWARP_SMALL_OPERATORS HOSTWARP_FP6_OPERATORS
#define HOSTWARP_SMALL_TO_BRAIN 0
#include "hostwarp/numbers/small_types.inc"

#define HOSTWARP_SMALL __nv_fp6_e3m2
#define HOSTWARP_SMALL2 __nv_fp6x2_e3m2
#define HOSTWARP_SMALL4 __nv_fp6x4_e3m2
#define HOSTWARP_SMALL_STORAGE __nv_fp6_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp6x2_storage_t
#define HOSTWARP_SMALL_STORAGE4 __nv_fp6x4_storage_t
#define HOSTWARP_SMALL_WIDTH 8
#define HOSTWARP_SMALL_ENCODE(x) \
  hostwarp::numbers::encode(hostwarp::numbers::e3m2(), x, hostwarp::numbers::toNearestEven, true)
#define HOSTWARP_SMALL_INTEGER(i) HOSTWARP_SMALL_ENCODE(static_cast<float>(i))
#define HOSTWARP_SMALL_DECODE(bits) static_cast<float>(hostwarp::numbers::decode(hostwarp::numbers::e3m2(), bits))
#define HOSTWARP_SMALL_TRUTH(bits) (((bits) & 0x1f) != 0)
#define HOSTWARP_SMALL_CONVERSIONS HOSTWARP_FP6_CONVERSIONS
#define HOSTWARP_SMALL_OPERATORS HOSTWARP_FP6_OPERATORS
#define HOSTWARP_SMALL_TO_BRAIN 0
#include "hostwarp/numbers/small_types.inc"

#undef HOSTWARP_FP6_CONVERSIONS
#undef HOSTWARP_FP6_OPERATORS

#endif

#endif  // HOSTWARP_CUDA_FP6_H
