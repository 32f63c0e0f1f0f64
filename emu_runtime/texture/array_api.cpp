// The array chapter of the runtime API [CUDA 5.x memory management: arrays]. A copy to or from an array is a pitched
// copy to or from its memory.
#include <algorithm>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/context.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/texture/array.h"
#include "emu_runtime/texture/limits.h"
#include "emu_runtime/texture/texture_object.h"

namespace hostwarp::api {

namespace {

using texture::Array;
using texture::ArrayRef;

Status makeArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, cudaExtent extent, unsigned flags) {
  if (!array || !desc) return cudaErrorInvalidValue;
  *array = nullptr;
  HOSTWARP_TRY(texture::checkArray(extent, flags));
  Expected<ArrayRef> made = Array::create(*desc, extent, flags);
  if (!made.ok()) return made.status();
  *array = texture::addArray(*made);
  return {};
}

// ordinary() answers a question that only special arrays have an answer to, which no live one is.
template <class Array>
Status ordinary(const void *answer, const Array &array, const char *what) {
  if (!array) return Status(cudaErrorInvalidResourceHandle, "not a live array");
  return answer ? Status(cudaErrorInvalidValue, what) : Status(cudaErrorInvalidValue);
}

constexpr const char *mappedAtOnce = "the array was not made with cudaArrayDeferredMapping";
constexpr const char *denseArray = "the array was not made with cudaArraySparse";

// Place is the part of an array that a copy touches.
Expected<memory::Pitched> place(cudaArray_const_t handle, size_t xBytes, size_t y, size_t width, size_t height) {
  ArrayRef array = texture::findArray(handle);
  if (!array) return Status(cudaErrorInvalidResourceHandle, "not a live array");
  if (width == 0 || height == 0) return memory::Pitched{};  // of which nothing is copied
  if (!array->contains(xBytes, y, 0, {width, height, 1}))
    return Status(cudaErrorInvalidValue, "the copy reaches outside of the array");
  const size_t block = array->image().format.isBlock() ? array->image().format.bytes() : 1;
  if (xBytes % block || width % block) return Status(cudaErrorInvalidValue, "a copy moves whole compressed blocks");
  return array->region(xBytes, y, 0);
}

// byRows() cuts a linear run of `count` bytes that starts at (xBytes, y) into the rows of the array and calls
// copy(array memory, offset in the run, bytes) for each piece.
template <class Copy>
Status byRows(cudaArray_const_t handle, size_t xBytes, size_t y, size_t count, Copy copy) {
  ArrayRef array = texture::findArray(handle);
  if (!array) return Status(cudaErrorInvalidResourceHandle, "not a live array");
  const size_t rowBytes = array->image().lineBytes();
  const size_t rows = array->image().height;
  if (count && (xBytes >= rowBytes || y >= rows || count > (rows - y) * rowBytes - xBytes))
    return Status(cudaErrorInvalidValue, "the copy reaches outside of the array");
  for (size_t done = 0; done < count; xBytes = 0, ++y) {
    const size_t piece = std::min(count - done, rowBytes - xBytes);
    HOSTWARP_TRY(copy(array->region(xBytes, y, 0).start, done, piece));
    done += piece;
  }
  return {};
}

}  // namespace

Status cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width, size_t height,
                       unsigned int flags) {
  return makeArray(array, desc, {width, height, 0}, flags);
}

Status cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, cudaExtent extent, unsigned int flags) {
  return makeArray(array, desc, extent, flags);
}

Status cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray, const cudaChannelFormatDesc *desc,
                                cudaExtent extent, unsigned int numLevels, unsigned int flags) {
  if (!mipmappedArray || !desc) return cudaErrorInvalidValue;
  numLevels = std::max(numLevels, 1U);
  HOSTWARP_TRY(texture::checkMipmapped(extent, flags));
  auto mipmapped = std::make_shared<texture::MipmappedArray>();
  const bool halveDepth = !(flags & (cudaArrayLayered | cudaArrayCubemap));
  auto half = [](size_t size) { return size > 1 ? size / 2 : size; };
  for (unsigned level = 0; level < numLevels; ++level) {
    Expected<ArrayRef> made = Array::create(*desc, extent, flags);
    if (!made.ok()) return made.status();
    mipmapped->levels.push_back(*made);
    const bool last = std::max({extent.width, extent.height, halveDepth ? extent.depth : 1}) <= 1;
    if (last) break;
    extent = {half(extent.width), half(extent.height), halveDepth ? half(extent.depth) : extent.depth};
  }
  // Only now that there is memory for all levels do they get handles, which keep them.
  for (const ArrayRef &level : mipmapped->levels) mipmapped->handles.push_back(texture::addArray(level));
  *mipmappedArray = texture::addMipmapped(std::move(mipmapped));
  return {};
}

// waitForUsers(): like memory, an array is freed when the work that may use it is done.
static Status waitForUsers() {
  auto context = device::contextIfNeeded();
  if (!context.ok()) return context.status();
  if (*context) {
    (*context)->streams().waitAll();
  } else {
    for (const auto &device : device::devices())
      for (const device::ContextRef &each : device::contextsOf(*device)) each->streams().waitAll();
  }
  texture::dropUnused();
  return {};
}

Status cudaFreeArray(cudaArray_t array) {
  if (!array) return {};
  HOSTWARP_TRY(waitForUsers());
  return texture::takeArray(array) ? Status() : Status(cudaErrorContextIsDestroyed, "not a live array");
}

Status cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray) {
  if (!mipmappedArray) return {};
  HOSTWARP_TRY(waitForUsers());
  auto mipmapped = texture::takeMipmapped(mipmappedArray);
  if (!mipmapped) return Status(cudaErrorContextIsDestroyed, "not a live mipmapped array");
  for (cudaArray_t level : mipmapped->handles) (void)texture::takeArray(level);
  return {};
}

Status cudaGetMipmappedArrayLevel(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                  unsigned int level) {
  auto mipmapped = texture::findMipmapped(mipmappedArray);
  if (!mipmapped) return cudaErrorInvalidResourceHandle;
  if (!levelArray || level >= mipmapped->handles.size()) return cudaErrorInvalidValue;
  *levelArray = mipmapped->handles[level];
  return {};
}

Status cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned int *flags, cudaArray_t array) {
  ArrayRef found = texture::findArray(array);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (desc) *desc = found->image().format.description();
  if (extent) *extent = found->extent();
  if (flags) *flags = found->flags();
  return {};
}

Status cudaArrayGetPlane(cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned) {
  return ordinary(pPlaneArray, texture::findArray(hArray), "the array's format has one plane");
}

Status cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array, int device) {
  if (auto found = device::find(device); !found.ok()) return found.status();
  return ordinary(memoryRequirements, texture::findArray(array), mappedAtOnce);
}

Status cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *memoryRequirements,
                                               cudaMipmappedArray_t mipmap, int device) {
  if (auto found = device::find(device); !found.ok()) return found.status();
  return ordinary(memoryRequirements, texture::findMipmapped(mipmap), mappedAtOnce);
}

Status cudaArrayGetSparseProperties(cudaArraySparseProperties *sparseProperties, cudaArray_t array) {
  return ordinary(sparseProperties, texture::findArray(array), denseArray);
}

Status cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *sparseProperties, cudaMipmappedArray_t mipmap) {
  return ordinary(sparseProperties, texture::findMipmapped(mipmap), denseArray);
}

Status cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  ArrayRef found = texture::findArray(array);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (!desc) return cudaErrorInvalidValue;
  *desc = found->image().format.description();
  return {};
}

Status cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                           size_t width, size_t height, cudaMemcpyKind kind) {
  HOSTWARP_TRY(execution::checkRows({spitch}, {width, height, 1}, execution::toDevice(kind)));
  auto to = place(dst, wOffset, hOffset, width, height);
  return to.ok() ? api::cudaMemcpy2D(to->start, to->pitch, src, spitch, width, height, kind) : to.status();
}

Status cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  HOSTWARP_TRY(execution::checkRows({spitch}, {width, height, 1}, execution::toDevice(kind)));
  auto to = place(dst, wOffset, hOffset, width, height);
  return to.ok() ? api::cudaMemcpy2DAsync(to->start, to->pitch, src, spitch, width, height, kind, stream) : to.status();
}

Status cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                             size_t width, size_t height, cudaMemcpyKind kind) {
  HOSTWARP_TRY(execution::checkRows({dpitch}, {width, height, 1}, execution::fromDevice(kind)));
  auto from = place(src, wOffset, hOffset, width, height);
  return from.ok() ? api::cudaMemcpy2D(dst, dpitch, from->start, from->pitch, width, height, kind) : from.status();
}

Status cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                  size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  HOSTWARP_TRY(execution::checkRows({dpitch}, {width, height, 1}, execution::fromDevice(kind)));
  auto from = place(src, wOffset, hOffset, width, height);
  return from.ok() ? api::cudaMemcpy2DAsync(dst, dpitch, from->start, from->pitch, width, height, kind, stream)
                   : from.status();
}

Status cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  HOSTWARP_TRY(execution::checkRows({}, {width, height, 1}, execution::toDevice(kind) && execution::fromDevice(kind)));
  auto from = place(src, wOffsetSrc, hOffsetSrc, width, height);
  if (!from.ok()) return from.status();
  return api::cudaMemcpy2DToArray(dst, wOffsetDst, hOffsetDst, from->start, from->pitch, width, height, kind);
}

Status cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                         cudaMemcpyKind kind) {
  return byRows(dst, wOffset, hOffset, count, [&](char *to, size_t at, size_t bytes) {
    return api::cudaMemcpy(to, static_cast<const char *>(src) + at, bytes, kind);
  });
}

Status cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return byRows(dst, wOffset, hOffset, count, [&](char *to, size_t at, size_t bytes) {
    return api::cudaMemcpyAsync(to, static_cast<const char *>(src) + at, bytes, kind, stream);
  });
}

Status cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                           cudaMemcpyKind kind) {
  return byRows(src, wOffset, hOffset, count, [&](char *from, size_t at, size_t bytes) {
    return api::cudaMemcpy(static_cast<char *>(dst) + at, from, bytes, kind);
  });
}

Status cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                                cudaMemcpyKind kind, cudaStream_t stream) {
  return byRows(src, wOffset, hOffset, count, [&](char *from, size_t at, size_t bytes) {
    return api::cudaMemcpyAsync(static_cast<char *>(dst) + at, from, bytes, kind, stream);
  });
}

Status cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                              size_t wOffsetSrc, size_t hOffsetSrc, size_t count, cudaMemcpyKind kind) {
  return byRows(src, wOffsetSrc, hOffsetSrc, count, [&](char *from, size_t at, size_t bytes) {
    ArrayRef to = texture::findArray(dst);
    if (!to) return Status(cudaErrorInvalidResourceHandle);
    const size_t rowBytes = to->image().lineBytes();
    const size_t target = wOffsetDst + at;
    return api::cudaMemcpyToArray(dst, target % rowBytes, hOffsetDst + target / rowBytes, from, bytes, kind);
  });
}

}  // namespace hostwarp::api
