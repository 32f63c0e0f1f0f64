// What a CUtensorMap holds: cuTensorMapEncode*() write it, tensor copies in kernels read it [CUDA 4.11.2 TMA].
#ifndef HOSTWARP_TENSOR_MAP_H
#define HOSTWARP_TENSOR_MAP_H

#include <stdint.h>

namespace hostwarp {

// TensorMap's dimensions go from the innermost to the outermost. Numbers of enumerations are CUDA's. In an interleaved
// layout, channels come in slices of 16 or 32 bytes, which are the elements: the innermost dimension is W, the last but
// one numbers the slices, of which a copy takes one.
struct TensorMap {
  static constexpr int kMostDimensions = 5;
  static constexpr int kMostSpatial = 3;  // W, H and D of an image to column map

  uint64_t address;
  uint64_t strides[kMostDimensions - 1];  // in bytes, of the dimensions from the second on
  uint32_t last[kMostDimensions];         // the greatest coordinate
  uint16_t box[kMostDimensions];          // elements to be traversed
  uint8_t steps[kMostDimensions];         // every how many of them is taken
  uint8_t rank;
  uint8_t type;  // CUtensorMapDataType
  uint8_t elementBytes;
  uint8_t swizzle;  // CUtensorMapSwizzle
  uint8_t fillsNan;
  uint8_t interleave;  // CUtensorMapInterleave
  uint8_t isImage;     // image to column: what follows is in use, and `box` is not
  uint16_t channels;
  uint16_t pixels;
  int16_t lower[kMostSpatial];  // the box in which the first pixel of a filter moves, from the image's lower corner
  int16_t upper[kMostSpatial];  // and from its upper one
  uint8_t reserved[27];
};

static_assert(sizeof(TensorMap) == 128, "a CUtensorMap has 128 bytes");

}  // namespace hostwarp

#endif  // HOSTWARP_TENSOR_MAP_H
