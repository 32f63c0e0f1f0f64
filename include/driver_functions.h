// Makers of the small structures of memory copies.
#ifndef HOSTWARP_DRIVER_FUNCTIONS_H
#define HOSTWARP_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz) {
  struct cudaPitchedPtr result;
  result.ptr = d;
  result.pitch = p;
  result.xsize = xsz;
  result.ysize = ysz;
  return result;
}

static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos result;
  result.x = x;
  result.y = y;
  result.z = z;
  return result;
}

static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  struct cudaExtent result;
  result.width = w;
  result.height = h;
  result.depth = d;
  return result;
}

#endif  // HOSTWARP_DRIVER_FUNCTIONS_H
