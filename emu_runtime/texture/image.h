// A rectangular block of texels in memory, as samplers and surfaces see it: one mipmap level of an array, or linear or
// pitched memory.
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_IMAGE_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_IMAGE_H

#include <cstddef>

#include "emu_runtime/texture/texel.h"

namespace hostwarp::texture {

// Image describes texels; it does not own them. Extents count texels; an extent the image lacks is 1. For layered
// images and cubemaps `depth` counts layers (6 per cube). Rows of memory hold elements: texels, or blocks of them.
struct Image {
  std::byte *data = nullptr;
  TexelFormat format;
  size_t width = 1, height = 1, depth = 1;
  size_t rowBytes = 0, sliceBytes = 0;

  std::byte *at(size_t x, size_t y, size_t z) const {
    if (format.isBlock()) x /= blockEdge, y /= blockEdge;
    return data + z * sliceBytes + y * rowBytes + x * format.bytes();
  }
  // lineBytes() is the size of the elements of a row, rows() how many there are.
  size_t lineBytes() const { return (width + format.edge() - 1) / format.edge() * format.bytes(); }
  size_t rows() const { return (height + format.edge() - 1) / format.edge(); }
};

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_IMAGE_H
