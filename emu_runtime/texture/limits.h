// What arrays and textures a GPU can have: extents by kind, alignments of memory that textures read.
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_LIMITS_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_LIMITS_H

#include "emu_runtime/support/status.h"
#include "include/driver_types.h"

namespace hostwarp::texture {

// checkArray() refuses flags that do not go together and extents that the current device has no arrays of
// [CUDA cudaMalloc3DArray: valid extents].
Status checkArray(const cudaExtent &extent, unsigned flags);

// checkMipmapped() is checkArray() for the finest level of a mipmapped array.
Status checkMipmapped(const cudaExtent &extent, unsigned flags);

// longestLinear() is the most texels of this size that a texture of linear memory has, when so many of the largest ones
// fit.
size_t longestLinear(size_t ofLargest, size_t texelBytes);

// checkTexture() refuses linear and pitched memory that textures of the current device cannot read: misaligned or
// too large.
Status checkTexture(const cudaResourceDesc &description);

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_LIMITS_H
