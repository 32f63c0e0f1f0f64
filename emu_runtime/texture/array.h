// CUDA arrays: opaque memory for textures and surfaces [CUDA 3.1 CUDA arrays].
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_ARRAY_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_ARRAY_H

#include <memory>
#include <vector>

#include "emu_runtime/memory/copies.h"
#include "emu_runtime/support/status.h"
#include "emu_runtime/texture/image.h"

namespace hostwarp::texture {

// Array is the object behind a cudaArray_t: one image in device memory. A level of a mipmapped array is an Array too,
// and then keeps its siblings alive.
class Array {
 public:
  // create() allocates on the current device. `extent` counts elements, 0 for a dimension the array lacks; layers and
  // cube faces are its depth.
  static Expected<std::shared_ptr<Array>> create(const cudaChannelFormatDesc &description, cudaExtent extent,
                                                 unsigned flags);
  ~Array();
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  const Image &image() const { return image_; }
  const cudaExtent &extent() const { return extent_; }
  unsigned flags() const { return flags_; }
  bool layered() const { return flags_ & (cudaArrayLayered | cudaArrayCubemap); }

  // region() is the array's memory from byte column x of row y in slice z, in the form that copies take.
  memory::Pitched region(size_t xBytes, size_t y, size_t z) const;
  // contains() tells whether a box at that place lies inside.
  bool contains(size_t xBytes, size_t y, size_t z, const memory::Box &box) const;

 private:
  Array(const Image &image, cudaExtent extent, unsigned flags) : image_(image), extent_(extent), flags_(flags) {}

  Image image_;
  cudaExtent extent_;
  unsigned flags_;
};

using ArrayRef = std::shared_ptr<Array>;

// MipmappedArray is the object behind a cudaMipmappedArray_t: level i has half of level i-1's extent, rounded down.
struct MipmappedArray {
  std::vector<ArrayRef> levels;
  std::vector<cudaArray_t> handles;  // one per level, given out by cudaGetMipmappedArrayLevel()
};

// Handles. find() gives null for what is not a live handle; thread-safe.
cudaArray_t addArray(ArrayRef array);
ArrayRef findArray(cudaArray_const_t handle);
ArrayRef takeArray(cudaArray_t handle);
cudaMipmappedArray_t addMipmapped(std::shared_ptr<MipmappedArray> array);
std::shared_ptr<MipmappedArray> findMipmapped(cudaMipmappedArray_const_t handle);
std::shared_ptr<MipmappedArray> takeMipmapped(cudaMipmappedArray_t handle);

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_ARRAY_H
