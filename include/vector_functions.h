// make_<type>() for every built-in vector type [CUDA 5.4.8 built-in types].
#ifndef HOSTWARP_VECTOR_FUNCTIONS_H
#define HOSTWARP_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_HPP__

#include "vector_types.h"

#define HOSTWARP_MAKE1(type, element)                                 \
  static __inline__ __host__ __device__ type make_##type(element x) { \
    type t;                                                           \
    t.x = x;                                                          \
    return t;                                                         \
  }
#define HOSTWARP_MAKE2(type, element)                                            \
  static __inline__ __host__ __device__ type make_##type(element x, element y) { \
    type t;                                                                      \
    t.x = x;                                                                     \
    t.y = y;                                                                     \
    return t;                                                                    \
  }
#define HOSTWARP_MAKE3(type, element)                                                       \
  static __inline__ __host__ __device__ type make_##type(element x, element y, element z) { \
    type t;                                                                                 \
    t.x = x;                                                                                \
    t.y = y;                                                                                \
    t.z = z;                                                                                \
    return t;                                                                               \
  }
#define HOSTWARP_MAKE4(type, element)                                                                  \
  static __inline__ __host__ __device__ type make_##type(element x, element y, element z, element w) { \
    type t;                                                                                            \
    t.x = x;                                                                                           \
    t.y = y;                                                                                           \
    t.z = z;                                                                                           \
    t.w = w;                                                                                           \
    return t;                                                                                          \
  }
#define HOSTWARP_MAKE(family, element) \
  HOSTWARP_MAKE1(family##1, element)   \
  HOSTWARP_MAKE2(family##2, element)   \
  HOSTWARP_MAKE3(family##3, element)   \
  HOSTWARP_MAKE4(family##4, element)
#define HOSTWARP_MAKE_WIDE(family, element) \
  HOSTWARP_MAKE(family, element)            \
  HOSTWARP_MAKE4(family##4_16a, element)    \
  HOSTWARP_MAKE4(family##4_32a, element)

HOSTWARP_MAKE(char, signed char)
HOSTWARP_MAKE(uchar, unsigned char)
HOSTWARP_MAKE(short, short)
HOSTWARP_MAKE(ushort, unsigned short)
HOSTWARP_MAKE(int, int)
HOSTWARP_MAKE(uint, unsigned int)
HOSTWARP_MAKE(float, float)
HOSTWARP_MAKE_WIDE(long, long)
HOSTWARP_MAKE_WIDE(ulong, unsigned long)
HOSTWARP_MAKE_WIDE(longlong, long long)
HOSTWARP_MAKE_WIDE(ulonglong, unsigned long long)
HOSTWARP_MAKE_WIDE(double, double)

#undef HOSTWARP_MAKE_WIDE
#undef HOSTWARP_MAKE
#undef HOSTWARP_MAKE4
#undef HOSTWARP_MAKE3
#undef HOSTWARP_MAKE2
#undef HOSTWARP_MAKE1

#endif  // HOSTWARP_VECTOR_FUNCTIONS_H
