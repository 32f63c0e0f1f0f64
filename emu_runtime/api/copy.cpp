// Chapter "copy": copies and fills of linear memory.

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/box_copy.h"
#include "emu_runtime/execution/transfer.h"

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

bool isEmpty(const cudaExtent &extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

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
  return execution::boxCopy(plain);
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
  HOSTWARP_TRY(execution::checkRows({dpitch, spitch}, {width, height, 1}, execution::isKind(kind)));
  return execution::copyNow(rows(dst, dpitch, src, spitch, width, height, kind));
}

Status cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                         cudaMemcpyKind kind, cudaStream_t stream) {
  HOSTWARP_TRY(execution::checkRows({dpitch, spitch}, {width, height, 1}, execution::isKind(kind)));
  return execution::copyInStream(rows(dst, dpitch, src, spitch, width, height, kind), stream);
}

Status cudaMemcpy3D(const cudaMemcpy3DParms *p) {
  if (!p) return cudaErrorInvalidValue;
  if (isEmpty(p->extent)) return {};
  auto copy = execution::boxCopy(*p);
  return copy.ok() ? execution::copyNow(*copy) : copy.status();
}

Status cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream) {
  if (!p) return cudaErrorInvalidValue;
  if (isEmpty(p->extent)) return {};
  auto copy = execution::boxCopy(*p);
  return copy.ok() ? execution::copyInStream(*copy, stream) : copy.status();
}

Status cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
  if (count == 0) return {};
  HOSTWARP_TRY(checkPeers(dstDevice, srcDevice));
  settle(dstDevice);
  settle(srcDevice);
  return execution::copyNow(execution::linear(dst, src, count, cudaMemcpyDeviceToDevice));
}

Status cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                           cudaStream_t stream) {
  if (count == 0) return {};
  HOSTWARP_TRY(checkPeers(dstDevice, srcDevice));
  HOSTWARP_TRY(device::streamOf(stream).status());  // which captures none of these
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
  const bool oneRow = extent.height == 1 && extent.depth == 1;
  const bool inside = (oneRow || extent.width <= pitchedDevPtr.pitch) && extent.height <= pitchedDevPtr.ysize;
  if (!inside && !isEmpty(extent)) return {cudaErrorInvalidValue, "the fill goes beyond the memory's rows or slices"};
  const size_t slice = pitchedDevPtr.pitch * pitchedDevPtr.ysize;
  return execution::fillInStream(
      fillOf(pitchedDevPtr.ptr, pitchedDevPtr.pitch, slice, value, {extent.width, extent.height, extent.depth}),
      stream);
}

}  // namespace hostwarp::api
