// 8-bit floating-point numbers: e4m3, e5m2 and the powers of two e8m0 [CUDA math API, FP8].
#ifndef HOSTWARP_CUDA_FP8_H
#define HOSTWARP_CUDA_FP8_H
#define __CUDA_FP8_H__
#define __CUDA_FP8_HPP__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)

#define __CUDA_FP8_TYPES_EXIST__

#include "hostwarp/numbers/rounding_modes.h"

#define HOSTWARP_SMALL_STORAGE __nv_fp8_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp8x2_storage_t
#define HOSTWARP_SMALL_WIDTH 8
#define HOSTWARP_SMALL_NAME(before, after) before##fp8##after
#define HOSTWARP_SMALL_KIND __nv_fp8_interpretation_t
#define HOSTWARP_SMALL_FORMAT(kind) ((kind) == __NV_E4M3 ? hostwarp::numbers::e4m3() : hostwarp::numbers::e5m2())
#define HOSTWARP_SMALL_PARAMETERS const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind
#define HOSTWARP_SMALL_ENCODE(x)                                                              \
  hostwarp::numbers::encode(HOSTWARP_SMALL_FORMAT(kind), x, hostwarp::numbers::toNearestEven, \
                            saturate == __NV_SATFINITE)
#include "hostwarp/numbers/small_conversions.inc"

// --- e8m0: rounding is cudaRoundZero or cudaRoundPosInf; the sign is dropped ---

#define HOSTWARP_TO_E8M0(name, name2, type, type2, convert)                                                         \
  HOSTWARP_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_##name##_to_e8m0(const type x, const __nv_saturation_t saturate, \
                                                                    const enum cudaRoundMode rounding) {            \
    return hostwarp::numbers::encodeE8m0(convert, hw_rounding_of(rounding), saturate == __NV_SATFINITE);            \
  }                                                                                                                 \
  HOSTWARP_HOST_DEVICE __nv_fp8x2_storage_t __nv_cvt_##name2##_to_e8m0x2(                                           \
      const type2 pair, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {                      \
    const type low = {pair.x}, high = {pair.y};                                                                     \
    return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_##name##_to_e8m0(low, saturate, rounding) |                   \
                                             __nv_cvt_##name##_to_e8m0(high, saturate, rounding) << 8);             \
  }
HOSTWARP_TO_E8M0(double, double2, double, double2, x)
HOSTWARP_TO_E8M0(float, float2, float, float2, x)
HOSTWARP_TO_E8M0(bfloat16raw, bfloat162raw, __nv_bfloat16_raw, __nv_bfloat162_raw,
                 hostwarp::numbers::Brain::toFloat(x.x))
#undef HOSTWARP_TO_E8M0

HOSTWARP_HOST_DEVICE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  const __nv_bfloat16_raw result = {hostwarp::numbers::Brain::fromFloat(hostwarp::numbers::decodeE8m0(x))};
  return result;
}
HOSTWARP_HOST_DEVICE __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
  const __nv_bfloat162_raw result = {__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x)).x,
                                     __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8)).x};
  return result;
}

// --- The classes ---

#if defined(__CUDA_NO_FP8_CONVERSIONS__)
#define HOSTWARP_FP8_CONVERSIONS 0
#else
#define HOSTWARP_FP8_CONVERSIONS 1
#endif
#if defined(__CUDA_NO_FP8_CONVERSION_OPERATORS__)
#define HOSTWARP_FP8_OPERATORS 0
#else
#define HOSTWARP_FP8_OPERATORS 1
#endif

#define HOSTWARP_SMALL __nv_fp8_e4m3
#define HOSTWARP_SMALL2 __nv_fp8x2_e4m3
#define HOSTWARP_SMALL4 __nv_fp8x4_e4m3
#define HOSTWARP_SMALL_STORAGE __nv_fp8_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp8x2_storage_t
#define HOSTWARP_SMALL_STORAGE4 __nv_fp8x4_storage_t
#define HOSTWARP_SMALL_WIDTH 8
#define HOSTWARP_SMALL_ENCODE(x) \
  hostwarp::numbers::encode(hostwarp::numbers::e4m3(), x, hostwarp::numbers::toNearestEven, true)
#define HOSTWARP_SMALL_INTEGER(i) HOSTWARP_SMALL_ENCODE(static_cast<float>(i))
#define HOSTWARP_SMALL_DECODE(bits) static_cast<float>(hostwarp::numbers::decode(hostwarp::numbers::e4m3(), bits))
#define HOSTWARP_SMALL_TRUTH(bits) (((bits) & 0x7f) != 0)
#define HOSTWARP_SMALL_CONVERSIONS HOSTWARP_FP8_CONVERSIONS
#define HOSTWARP_SMALL_OPERATORS HOSTWARP_FP8_OPERATORS
#define HOSTWARP_SMALL_TO_BRAIN 0
#include "hostwarp/numbers/small_types.inc"

#define HOSTWARP_SMALL __nv_fp8_e5m2
#define HOSTWARP_SMALL2 __nv_fp8x2_e5m2
#define HOSTWARP_SMALL4 __nv_fp8x4_e5m2
#define HOSTWARP_SMALL_STORAGE __nv_fp8_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp8x2_storage_t
#define HOSTWARP_SMALL_STORAGE4 __nv_fp8x4_storage_t
#define HOSTWARP_SMALL_WIDTH 8
#define HOSTWARP_SMALL_ENCODE(x) \
  hostwarp::numbers::encode(hostwarp::numbers::e5m2(), x, hostwarp::numbers::toNearestEven, true)
#define HOSTWARP_SMALL_INTEGER(i) HOSTWARP_SMALL_ENCODE(static_cast<float>(i))
#define HOSTWARP_SMALL_DECODE(bits) static_cast<float>(hostwarp::numbers::decode(hostwarp::numbers::e5m2(), bits))
#define HOSTWARP_SMALL_TRUTH(bits) (((bits) & 0x7f) != 0)
#define HOSTWARP_SMALL_CONVERSIONS HOSTWARP_FP8_CONVERSIONS
#define HOSTWARP_SMALL_OPERATORS HOSTWARP_FP8_OPERATORS
#define HOSTWARP_SMALL_TO_BRAIN 0
#include "hostwarp/numbers/small_types.inc"

#define HOSTWARP_SMALL __nv_fp8_e8m0
#define HOSTWARP_SMALL2 __nv_fp8x2_e8m0
#define HOSTWARP_SMALL4 __nv_fp8x4_e8m0
#define HOSTWARP_SMALL_STORAGE __nv_fp8_storage_t
#define HOSTWARP_SMALL_STORAGE2 __nv_fp8x2_storage_t
#define HOSTWARP_SMALL_STORAGE4 __nv_fp8x4_storage_t
#define HOSTWARP_SMALL_WIDTH 8
#define HOSTWARP_SMALL_ENCODE(x) hostwarp::numbers::encodeE8m0(x, hostwarp::numbers::upward, true)
#define HOSTWARP_SMALL_INTEGER(i) hostwarp::numbers::encodeE8m0Integer(i)
#define HOSTWARP_SMALL_DECODE(bits) hostwarp::numbers::decodeE8m0(bits)
#define HOSTWARP_SMALL_TRUTH(bits) true
#define HOSTWARP_SMALL_CONVERSIONS HOSTWARP_FP8_CONVERSIONS
#define HOSTWARP_SMALL_OPERATORS HOSTWARP_FP8_OPERATORS
#define HOSTWARP_SMALL_TO_BRAIN 1
#include "hostwarp/numbers/small_types.inc"

#undef HOSTWARP_FP8_CONVERSIONS
#undef HOSTWARP_FP8_OPERATORS

#endif

#endif  // HOSTWARP_CUDA_FP8_H
