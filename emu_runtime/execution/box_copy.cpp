#include "emu_runtime/execution/box_copy.h"

#include <algorithm>

#include "emu_runtime/texture/array.h"

namespace hostwarp::execution {

namespace {

using memory::Box;
using memory::Pitched;

// at() is the part of pitched memory that starts at `position`; x counts bytes.
Expected<Pitched> at(const cudaPitchedPtr &memory, const cudaPos &position, const Box &box) {
  const Pitched whole{static_cast<char *>(memory.ptr), memory.pitch, memory::times(memory.pitch, memory.ysize)};
  const std::optional<Pitched> part = whole.from(position.x, position.y, position.z, box);
  return part ? Expected<Pitched>(*part) : Status(cudaErrorInvalidValue, "the copy goes beyond all addresses");
}

// End is one end of a 3D copy: pitched memory, or an array, whose positions and widths count elements.
struct End {
  cudaArray_t array;
  cudaPitchedPtr memory;
  cudaPos position;
};

// elementBytes() is what a width of 1 means at this end: a byte, or an element of the array.
Expected<size_t> elementBytes(const End &end) {
  if (!end.array) return size_t{1};
  auto array = texture::findArray(end.array);
  if (!array) return Status(cudaErrorInvalidResourceHandle, "not a live array");
  if (array->image().format.isBlock())
    return Status(cudaErrorNotSupported, "compressed blocks are copied with cudaMemcpy2DToArray and FromArray");
  return array->image().format.bytes();
}

bool fits(size_t offset, size_t size, size_t room) { return offset <= room && size <= room - offset; }

// regionOf() is the memory of the box at this end.
Expected<Pitched> regionOf(const End &end, const Box &box, size_t element) {
  if (!end.array) {
    if (!end.memory.ptr) return cudaErrorInvalidValue;
    const bool oneRow = box.height == 1 && box.depth == 1;
    const bool rowsOverlap = box.width > end.memory.pitch && !oneRow;
    const bool slicesOverlap = box.height > end.memory.ysize && box.depth > 1;
    if (rowsOverlap || slicesOverlap) return cudaErrorInvalidPitchValue;
    // Where there is nothing to be distant from, there is no distance.
    const bool inRow = oneRow && end.memory.pitch == 0;
    const bool oneSlice = box.depth == 1 && end.memory.ysize == 0;
    const bool inside = (inRow || fits(end.position.x, box.width, end.memory.pitch)) &&
                        (oneSlice || fits(end.position.y, box.height, end.memory.ysize));
    if (!inside) return Status(cudaErrorInvalidValue, "the copy goes beyond the rows or slices of the memory");
    return at(end.memory, end.position, box);
  }
  auto array = texture::findArray(end.array);
  const size_t x = end.position.x * element;
  if (!array || !array->contains(x, end.position.y, end.position.z, box)) return cudaErrorInvalidValue;
  return array->region(x, end.position.y, end.position.z);
}

}  // namespace

Expected<Copy> boxCopy(const cudaMemcpy3DParms &p) {
  if (!isKind(p.kind)) return cudaErrorInvalidMemcpyDirection;
  const End to{p.dstArray, p.dstPtr, p.dstPos};
  const End from{p.srcArray, p.srcPtr, p.srcPos};
  if ((to.array && to.memory.ptr) || (from.array && from.memory.ptr)) {
    return Status(cudaErrorInvalidValue, "each side of a copy is either an array or memory");
  }
  auto toElement = elementBytes(to);
  if (!toElement.ok()) return toElement.status();
  auto fromElement = elementBytes(from);
  if (!fromElement.ok()) return fromElement.status();
  if (to.array && from.array && *toElement != *fromElement) return cudaErrorInvalidValue;
  const Box box{p.extent.width * std::max(*toElement, *fromElement), p.extent.height, p.extent.depth};
  auto target = regionOf(to, box, *toElement);
  if (!target.ok()) return target.status();
  auto source = regionOf(from, box, *fromElement);
  if (!source.ok()) return source.status();
  return Copy{*target, *source, box, p.kind};
}

}  // namespace hostwarp::execution
