// CUDA's built-in vector types and dim3 [CUDA 5.4.8 built-in types].
#ifndef HOSTWARP_VECTOR_TYPES_H
#define HOSTWARP_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#include "host_defines.h"

// HOSTWARP_VECTOR defines one vector type: its element, its members and its alignment (0 leaves the element's own).
#define HOSTWARP_VECTOR(name, element, alignment, ...) \
  struct alignment name {                              \
    element __VA_ARGS__;                               \
  };                                                   \
  typedef struct name name;

// HOSTWARP_VECTORS defines the widths 1 to 3 of a family; only the width 2 has an alignment of its own.
#define HOSTWARP_VECTORS(family, element, alignment2)              \
  HOSTWARP_VECTOR(family##1, element, , x)                         \
  HOSTWARP_VECTOR(family##2, element, __align__(alignment2), x, y) \
  HOSTWARP_VECTOR(family##3, element, , x, y, z)

HOSTWARP_VECTORS(char, signed char, 2)
HOSTWARP_VECTORS(uchar, unsigned char, 2)
HOSTWARP_VECTORS(short, short, 4)
HOSTWARP_VECTORS(ushort, unsigned short, 4)
HOSTWARP_VECTORS(int, int, 8)
HOSTWARP_VECTORS(uint, unsigned int, 8)
HOSTWARP_VECTORS(long, long, 2 * sizeof(long))
HOSTWARP_VECTORS(ulong, unsigned long, 2 * sizeof(long))
HOSTWARP_VECTORS(longlong, long long, 16)
HOSTWARP_VECTORS(ulonglong, unsigned long long, 16)
HOSTWARP_VECTORS(float, float, 8)
HOSTWARP_VECTORS(double, double, 16)

HOSTWARP_VECTOR(char4, signed char, __align__(4), x, y, z, w)
HOSTWARP_VECTOR(uchar4, unsigned char, __align__(4), x, y, z, w)
HOSTWARP_VECTOR(short4, short, __align__(8), x, y, z, w)
HOSTWARP_VECTOR(ushort4, unsigned short, __align__(8), x, y, z, w)
HOSTWARP_VECTOR(int4, int, __align__(16), x, y, z, w)
HOSTWARP_VECTOR(uint4, unsigned int, __align__(16), x, y, z, w)
HOSTWARP_VECTOR(float4, float, __align__(16), x, y, z, w)

// Four 64-bit elements exist with both alignments that hardware loads come in; the plain name is the 16-byte one.
#define HOSTWARP_WIDE_VECTORS(family, element)                       \
  HOSTWARP_VECTOR(family##4, element, __align__(16), x, y, z, w)     \
  HOSTWARP_VECTOR(family##4_16a, element, __align__(16), x, y, z, w) \
  HOSTWARP_VECTOR(family##4_32a, element, __align__(32), x, y, z, w)

HOSTWARP_WIDE_VECTORS(long, long)
HOSTWARP_WIDE_VECTORS(ulong, unsigned long)
HOSTWARP_WIDE_VECTORS(longlong, long long)
HOSTWARP_WIDE_VECTORS(ulonglong, unsigned long long)
HOSTWARP_WIDE_VECTORS(double, double)

#undef HOSTWARP_WIDE_VECTORS
#undef HOSTWARP_VECTORS
#undef HOSTWARP_VECTOR

// dim3 is the extent of a grid, cluster or block; what is left out is 1.
struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
#define HOSTWARP_CONSTEXPR constexpr
#else
#define HOSTWARP_CONSTEXPR
#endif
  __host__ __device__ HOSTWARP_CONSTEXPR dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ HOSTWARP_CONSTEXPR dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ HOSTWARP_CONSTEXPR operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif  // HOSTWARP_VECTOR_TYPES_H
