#include "emu_runtime/texture/array.h"

#include <algorithm>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/handle_table.h"

namespace hostwarp::texture {

namespace {

// Never destroyed: static destructors of programs free arrays.
auto &arrays() {
  static auto &table = *new device::HandleTable<cudaArray_t, ArrayRef>;
  return table;
}

auto &mipmappedArrays() {
  static auto &table = *new device::HandleTable<cudaMipmappedArray_t, std::shared_ptr<MipmappedArray>>;
  return table;
}

// Rows start where cudaMallocPitch() would start them, so copies treat arrays like any pitched memory.
constexpr size_t rowAlignment = 32;

// No GPU has arrays this long in any direction; with sizes below it, rows do not overflow.
constexpr size_t longest = size_t{1} << 32;

Image layout(const TexelFormat &format, const cudaExtent &extent) {
  Image image;
  image.format = format;
  image.width = extent.width;
  image.height = std::max<size_t>(extent.height, 1);
  image.depth = std::max<size_t>(extent.depth, 1);
  image.rowBytes = (image.lineBytes() + rowAlignment - 1) / rowAlignment * rowAlignment;
  image.sliceBytes = image.rowBytes * image.rows();
  return image;
}

}  // namespace

Expected<ArrayRef> Array::create(const cudaChannelFormatDesc &description, cudaExtent extent, unsigned flags) {
  TexelFormat format;
  if (!TexelFormat::from(description, format))
    return Status(cudaErrorInvalidChannelDescriptor, "an array has 1, 2 or 4 channels of 8, 16 or 32 bits each");
  if (extent.width == 0) return Status(cudaErrorInvalidValue, "an array has a width of at least 1");
  if (std::max({extent.width, extent.height, extent.depth}) > longest) return cudaErrorInvalidValue;
  ArrayRef array(new Array(layout(format, extent), extent, flags));  // frees what it has
  Image &image = array->image_;
  void *data = nullptr;
  Status allocated = api::cudaMalloc(&data, memory::times(memory::times(image.rowBytes, image.rows()), image.depth));
  if (!allocated.ok()) return allocated;
  image.data = static_cast<std::byte *>(data);
  return array;
}

Array::~Array() {
  // A context that has been reset has freed its memory already.
  (void)api::cudaFree(image_.data);
}

memory::Pitched Array::region(size_t xBytes, size_t y, size_t z) const {
  std::byte *start = image_.data + z * image_.sliceBytes + y * image_.rowBytes + xBytes;
  return {reinterpret_cast<char *>(start), image_.rowBytes, image_.sliceBytes};
}

bool Array::contains(size_t xBytes, size_t y, size_t z, const memory::Box &box) const {
  auto fits = [](size_t offset, size_t size, size_t limit) { return offset <= limit && size <= limit - offset; };
  return fits(xBytes, box.width, image_.lineBytes()) && fits(y, box.height, image_.rows()) &&
         fits(z, box.depth, image_.depth);
}

cudaArray_t addArray(ArrayRef array) { return arrays().add(std::move(array)); }
ArrayRef findArray(cudaArray_const_t handle) {
  return arrays().find(const_cast<cudaArray_t>(handle)).value_or(nullptr);
}
ArrayRef takeArray(cudaArray_t handle) { return arrays().take(handle).value_or(nullptr); }
cudaMipmappedArray_t addMipmapped(std::shared_ptr<MipmappedArray> array) {
  return mipmappedArrays().add(std::move(array));
}
std::shared_ptr<MipmappedArray> findMipmapped(cudaMipmappedArray_const_t handle) {
  return mipmappedArrays().find(const_cast<cudaMipmappedArray_t>(handle)).value_or(nullptr);
}
std::shared_ptr<MipmappedArray> takeMipmapped(cudaMipmappedArray_t handle) {
  return mipmappedArrays().take(handle).value_or(nullptr);
}

}  // namespace hostwarp::texture
