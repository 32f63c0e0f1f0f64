// Chapter "copy": copies and fills of linear memory.
#include <algorithm>
#include <string>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/texture/array.h"

namespace hostwarp::api {

namespace {

using execution::Copy;
using execution::Fill;
using memory::Box;
using memory::Pitched;

char *bytesOf(const void *pointer) { return static_cast<char *>(const_cast<void *>(pointer)); }

Copy rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return {{bytesOf(dst), dpitch, dpitch * height}, {bytesOf(src), spitch, spitch * height}, {width, height, 1}, kind};
}

Status checkPitches(size_t dpitch, size_t spitch, size_t width) {
  return width <= dpitch && width <= spitch ? Status() : Status(cudaErrorInvalidPitchValue);
}

// at() is the part of pitched memory that starts at `position`; x counts bytes.
Pitched at(const cudaPitchedPtr &memory, const cudaPos &position) {
  const size_t slice = memory.pitch * memory.ysize;
  return {bytesOf(memory.ptr) + position.z * slice + position.y * memory.pitch + position.x, memory.pitch, slice};
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
  return array->image().format.bytes();
}

// regionOf() is the memory of the box at this end.
Expected<Pitched> regionOf(const End &end, const Box &box, size_t element) {
  if (!end.array) {
    if (!end.memory.ptr) return cudaErrorInvalidValue;
    if (box.width > end.memory.pitch && box.height > 1) return cudaErrorInvalidPitchValue;
    return at(end.memory, end.position);
  }
  auto array = texture::findArray(end.array);
  const size_t x = end.position.x * element;
  if (!array || !array->contains(x, end.position.y, end.position.z, box)) return cudaErrorInvalidValue;
  return array->region(x, end.position.y, end.position.z);
}

Expected<Copy> boxCopy(const cudaMemcpy3DParms *p) {
  if (!p) return cudaErrorInvalidValue;
  const End to{p->dstArray, p->dstPtr, p->dstPos};
  const End from{p->srcArray, p->srcPtr, p->srcPos};
  auto toElement = elementBytes(to);
  if (!toElement.ok()) return toElement.status();
  auto fromElement = elementBytes(from);
  if (!fromElement.ok()) return fromElement.status();
  if (to.array && from.array && *toElement != *fromElement) return cudaErrorInvalidValue;
  const Box box{p->extent.width * std::max(*toElement, *fromElement), p->extent.height, p->extent.depth};
  auto target = regionOf(to, box, *toElement);
  if (!target.ok()) return target.status();
  auto source = regionOf(from, box, *fromElement);
  if (!source.ok()) return source.status();
  return Copy{*target, *source, box, p->kind};
}

Expected<Copy> peerBoxCopy(const cudaMemcpy3DPeerParms *p) {
  if (!p) return cudaErrorInvalidValue;
  for (int device : {p->dstDevice, p->srcDevice}) {
    if (auto found = device::find(device); !found.ok()) return found.status();
  }
  cudaMemcpy3DParms plain{};
  plain.srcArray = p->srcArray;
  plain.srcPos = p->srcPos;
  plain.srcPtr = p->srcPtr;
  plain.dstArray = p->dstArray;
  plain.dstPos = p->dstPos;
  plain.dstPtr = p->dstPtr;
  plain.extent = p->extent;
  plain.kind = cudaMemcpyDeviceToDevice;
  return boxCopy(&plain);
}

Fill fillOf(void *start, size_t pitch, size_t slice, int value, const Box &box) {
  return {{bytesOf(start), pitch, slice}, box, static_cast<uint32_t>(value) & 0xFF, 1};
}

Status checkPeers(int dstDevice, int srcDevice) {
  for (int device : {dstDevice, srcDevice}) {
    if (auto found = device::find(device); !found.ok()) return found.status();
  }
  return {};
}

// settle() waits for everything on a device: a copy between devices is ordered with the work of both.
void settle(int device) {
  if (device::devices()[static_cast<size_t>(device)]->active()) {
    auto context = device::devices()[static_cast<size_t>(device)]->context();
    context->streams().wait(*context->streams().legacy());
  }
}

}  // namespace

Status cudaMemcpy(void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  return execution::copyNow(execution::linear(dst, src, count, kind));
}

Status cudaMemcpyAsync(void *dst, const void *src, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return execution::copyInStream(execution::linear(dst, src, count, kind), stream);
}

Status cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                    cudaMemcpyKind kind) {
  HOSTWARP_TRY(checkPitches(dpitch, spitch, width));
  return execution::copyNow(rows(dst, dpitch, src, spitch, width, height, kind));
}

Status cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         cudaMemcpyKind kind, cudaStream_t stream) {
  HOSTWARP_TRY(checkPitches(dpitch, spitch, width));
  return execution::copyInStream(rows(dst, dpitch, src, spitch, width, height, kind), stream);
}

Status cudaMemcpy3D(const cudaMemcpy3DParms *p) {
  auto copy = boxCopy(p);
  return copy.ok() ? execution::copyNow(*copy) : copy.status();
}

Status cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream) {
  auto copy = boxCopy(p);
  return copy.ok() ? execution::copyInStream(*copy, stream) : copy.status();
}

Status cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
  HOSTWARP_TRY(checkPeers(dstDevice, srcDevice));
  settle(dstDevice);
  settle(srcDevice);
  return execution::copyNow(execution::linear(dst, src, count, cudaMemcpyDeviceToDevice));
}

Status cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                           cudaStream_t stream) {
  HOSTWARP_TRY(checkPeers(dstDevice, srcDevice));
  return execution::copyInStream(execution::linear(dst, src, count, cudaMemcpyDeviceToDevice), stream);
}

Status cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p) {
  auto copy = peerBoxCopy(p);
  if (!copy.ok()) return copy.status();
  settle(p->dstDevice);
  settle(p->srcDevice);
  return execution::copyNow(*copy);
}

Status cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
  auto copy = peerBoxCopy(p);
  return copy.ok() ? execution::copyInStream(*copy, stream) : copy.status();
}

Status cudaMemset(void *devPtr, int value, size_t count) { return cudaMemsetAsync(devPtr, value, count, nullptr); }

Status cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream) {
  return execution::fillInStream(fillOf(devPtr, count, count, value, {count, 1, 1}), stream);
}

Status cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(devPtr, pitch, value, width, height, nullptr);
}

Status cudaMemset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return execution::fillInStream(fillOf(devPtr, pitch, pitch * height, value, {width, height, 1}), stream);
}

Status cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
  return api::cudaMemset3DAsync(pitchedDevPtr, value, extent, nullptr);
}

Status cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream) {
  const size_t slice = pitchedDevPtr.pitch * pitchedDevPtr.ysize;
  return execution::fillInStream(
      fillOf(pitchedDevPtr.ptr, pitchedDevPtr.pitch, slice, value, {extent.width, extent.height, extent.depth}),
      stream);
}

}  // namespace hostwarp::api
