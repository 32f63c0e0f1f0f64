// One set of names for half and bfloat16, so that tests can be templates.
#ifndef HOSTWARP_CONFORMANCE_SIXTEEN_BITS_H
#define HOSTWARP_CONFORMANCE_SIXTEEN_BITS_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../check.h"
#include "exact.h"

#define SIXTEEN_BITS(Name, word, layout)                                                                    \
  struct Name {                                                                                             \
    using Number = Name##Number;                                                                            \
    using Pair = Name##Pair;                                                                                \
    static constexpr exact::Format format = exact::layout;                                                  \
    static __host__ __device__ Number make(unsigned short bits) { return __ushort_as_##word(bits); }        \
    static __host__ __device__ unsigned short bits(Number number) { return __##word##_as_ushort(number); }  \
    static __host__ __device__ Number fromFloat(float x) { return __float2##word(x); }                      \
    static __host__ __device__ Number fromFloatRz(float x) { return __float2##word##_rz(x); }               \
    static __host__ __device__ Number fromFloatRu(float x) { return __float2##word##_ru(x); }               \
    static __host__ __device__ Number fromFloatRd(float x) { return __float2##word##_rd(x); }               \
    static __host__ __device__ Number fromDouble(double x) { return __double2##word(x); }                   \
    static __host__ __device__ float toFloat(Number x) { return __##word##2float(x); }                      \
    static __host__ __device__ Pair pair(Number low, Number high) { return __halves2##word##2(low, high); } \
    static __host__ __device__ Number low(Pair pair) { return __low2##word(pair); }                         \
    static __host__ __device__ Number high(Pair pair) { return __high2##word(pair); }                       \
    INTEGER_CONVERSIONS(word, Short, short, short)                                                          \
    INTEGER_CONVERSIONS(word, Ushort, ushort, unsigned short)                                               \
    INTEGER_CONVERSIONS(word, Int, int, int)                                                                \
    INTEGER_CONVERSIONS(word, Uint, uint, unsigned)                                                         \
    INTEGER_CONVERSIONS(word, Ll, ll, long long)                                                            \
    INTEGER_CONVERSIONS(word, Ull, ull, unsigned long long)                                                 \
  };
#define INTEGER_CONVERSIONS(word, Type, name, type)                         \
  static __device__ void convert(Number x, type(&out)[4]) {                 \
    out[0] = __##word##2##name##_rn(x), out[1] = __##word##2##name##_rz(x); \
    out[2] = __##word##2##name##_ru(x), out[3] = __##word##2##name##_rd(x); \
  }                                                                         \
  static __device__ void convert(type x, Number(&out)[4]) {                 \
    out[0] = __##name##2##word##_rn(x), out[1] = __##name##2##word##_rz(x); \
    out[2] = __##name##2##word##_ru(x), out[3] = __##name##2##word##_rd(x); \
  }

using HalfNumber = __half;
using HalfPair = __half2;
using BrainNumber = __nv_bfloat16;
using BrainPair = __nv_bfloat162;
SIXTEEN_BITS(Half, half, half)
SIXTEEN_BITS(Brain, bfloat16, brain)
#undef SIXTEEN_BITS
#undef INTEGER_CONVERSIONS

constexpr exact::Mode modes[4] = {exact::Mode::nearest, exact::Mode::zero, exact::Mode::up, exact::Mode::down};

#endif
