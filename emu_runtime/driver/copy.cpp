// Copies and fills of the driver API.
#include <string>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/convert.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/texture/array.h"

namespace hostwarp::driver_api {

namespace {

using execution::Copy;
using memory::Box;
using memory::Pitched;

char *bytesAt(CUdeviceptr address) { return static_cast<char *>(at(address)); }

Expected<int> ordinalOf(CUcontext context) {
  auto entry = device::contextTable().find(context);
  if (!entry) return cudaErrorDeviceUninitialized;
  return entry->device->ordinal();
}

cudaArray_t arrayOf(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

// CopySide is one end of a CUDA_MEMCPY3D.
struct CopySide {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z;
  size_t pitch, height;
};

Expected<Pitched> regionOf(const CopySide &side, const Box &box) {
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    auto array = texture::findArray(arrayOf(side.array));
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!array->contains(side.x, side.y, side.z, box)) return cudaErrorInvalidValue;
    return array->region(side.x, side.y, side.z);
  }
  const bool onHost = side.type == CU_MEMORYTYPE_HOST;
  if (!onHost && side.type != CU_MEMORYTYPE_DEVICE && side.type != CU_MEMORYTYPE_UNIFIED) return cudaErrorInvalidValue;
  char *start = onHost ? static_cast<char *>(const_cast<void *>(side.host)) : bytesAt(side.device);
  if (!start) return cudaErrorInvalidValue;
  const size_t pitch = side.pitch ? side.pitch : memory::plus(side.x, box.width);
  if (memory::plus(side.x, box.width) > pitch) return cudaErrorInvalidValue;
  const bool empty = box.width == 0 || box.height == 0 || box.depth == 0;
  if (side.height && memory::plus(side.y, box.height) > side.height && !empty)
    return Status(cudaErrorInvalidValue, "the copy goes beyond the rows of the memory");
  const size_t slice = memory::times(pitch, side.height ? side.height : memory::plus(side.y, box.height));
  const std::optional<Pitched> region = Pitched{start, pitch, slice}.from(side.x, side.y, side.z, box);
  return region ? Expected<Pitched>(*region) : Status(cudaErrorInvalidValue, "the copy goes beyond all addresses");
}

Expected<Copy> copyBetween(const CopySide &to, const CopySide &from, const Box &box) {
  auto target = regionOf(to, box);
  if (!target.ok()) return target.status();
  auto source = regionOf(from, box);
  if (!source.ok()) return source.status();
  return Copy{*target, *source, box, kindBetween(to.type, from.type)};
}

Expected<Copy> copyOf(const CUDA_MEMCPY2D *p) {
  if (!p) return cudaErrorInvalidValue;
  return copyBetween(
      {p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes, p->dstY, 0, p->dstPitch, 0},
      {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcXInBytes, p->srcY, 0, p->srcPitch, 0},
      {p->WidthInBytes, p->Height, 1});
}

template <typename Parameters>
Expected<Copy> boxCopy(const Parameters *p) {
  if (!p || p->srcLOD || p->dstLOD) return cudaErrorInvalidValue;
  return copyBetween({p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes, p->dstY, p->dstZ,
                      p->dstPitch, p->dstHeight},
                     {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcXInBytes, p->srcY, p->srcZ,
                      p->srcPitch, p->srcHeight},
                     {p->WidthInBytes, p->Height, p->Depth});
}

Status now(const Expected<Copy> &copy) { return copy.ok() ? execution::copyNow(*copy) : copy.status(); }
Status inStream(const Expected<Copy> &copy, CUstream stream) {
  return copy.ok() ? execution::copyInStream(*copy, stream) : copy.status();
}

// Linear copies to and from arrays cover one row.
Expected<Copy> row(const CopySide &to, const CopySide &from, size_t bytes) { return copyBetween(to, from, {bytes, 1, 1}); }
CopySide arraySide(CUarray array, size_t offset) { return {CU_MEMORYTYPE_ARRAY, nullptr, 0, array, offset, 0, 0, 0, 0}; }
CopySide deviceSide(CUdeviceptr pointer) { return {CU_MEMORYTYPE_DEVICE, nullptr, pointer, nullptr, 0, 0, 0, 0, 0}; }
CopySide hostSide(const void *pointer) { return {CU_MEMORYTYPE_HOST, pointer, 0, nullptr, 0, 0, 0, 0, 0}; }

// fill() counts in elements; addresses must be multiples of their size.
Status fill(CUdeviceptr start, size_t pitch, unsigned value, size_t elementBytes, size_t width, size_t height,
            CUstream stream) {
  const size_t bytes = width * elementBytes;
  if (start % elementBytes || (height > 1 && pitch % elementBytes)) return cudaErrorInvalidValue;
  return execution::fillInStream({{bytesAt(start), pitch, pitch * height}, {bytes, height, 1}, value, elementBytes},
                                 stream);
}

Status fillRow(CUdeviceptr start, unsigned value, size_t elementBytes, size_t count, CUstream stream) {
  return fill(start, count * elementBytes, value, elementBytes, count, 1, stream);
}

}  // namespace

Status cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return api::cudaMemcpy(at(dst), at(src), ByteCount, cudaMemcpyDefault);
}
Status cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return api::cudaMemcpyAsync(at(dst), at(src), ByteCount, cudaMemcpyDefault, hStream);
}
Status cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t ByteCount) {
  return api::cudaMemcpy(at(dst), src, ByteCount, cudaMemcpyHostToDevice);
}
Status cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t ByteCount) {
  return api::cudaMemcpy(dst, at(src), ByteCount, cudaMemcpyDeviceToHost);
}
Status cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return api::cudaMemcpy(at(dst), at(src), ByteCount, cudaMemcpyDeviceToDevice);
}
Status cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t ByteCount, CUstream hStream) {
  return api::cudaMemcpyAsync(at(dst), src, ByteCount, cudaMemcpyHostToDevice, hStream);
}
Status cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return api::cudaMemcpyAsync(dst, at(src), ByteCount, cudaMemcpyDeviceToHost, hStream);
}
Status cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return api::cudaMemcpyAsync(at(dst), at(src), ByteCount, cudaMemcpyDeviceToDevice, hStream);
}

Status cuMemcpyPeer(CUdeviceptr dst, CUcontext dstContext, CUdeviceptr src, CUcontext srcContext, size_t ByteCount) {
  auto to = ordinalOf(dstContext), from = ordinalOf(srcContext);
  if (!to.ok() || !from.ok()) return cudaErrorDeviceUninitialized;
  return api::cudaMemcpyPeer(at(dst), *to, at(src), *from, ByteCount);
}
Status cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dstContext, CUdeviceptr src, CUcontext srcContext, size_t ByteCount,
                         CUstream hStream) {
  auto to = ordinalOf(dstContext), from = ordinalOf(srcContext);
  if (!to.ok() || !from.ok()) return cudaErrorDeviceUninitialized;
  return api::cudaMemcpyPeerAsync(at(dst), *to, at(src), *from, ByteCount, hStream);
}

Status cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr src, size_t ByteCount) {
  return now(row(arraySide(dstArray, dstOffset), deviceSide(src), ByteCount));
}
Status cuMemcpyAtoD_v2(CUdeviceptr dst, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return now(row(deviceSide(dst), arraySide(srcArray, srcOffset), ByteCount));
}
Status cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void *src, size_t ByteCount) {
  return now(row(arraySide(dstArray, dstOffset), hostSide(src), ByteCount));
}
Status cuMemcpyAtoH_v2(void *dst, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return now(row(hostSide(dst), arraySide(srcArray, srcOffset), ByteCount));
}
Status cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return now(row(arraySide(dstArray, dstOffset), arraySide(srcArray, srcOffset), ByteCount));
}
Status cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void *src, size_t ByteCount, CUstream hStream) {
  return inStream(row(arraySide(dstArray, dstOffset), hostSide(src), ByteCount), hStream);
}
Status cuMemcpyAtoHAsync_v2(void *dst, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream) {
  return inStream(row(hostSide(dst), arraySide(srcArray, srcOffset), ByteCount), hStream);
}

Status cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy) { return now(copyOf(pCopy)); }
Status cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy) { return now(copyOf(pCopy)); }
Status cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream) { return inStream(copyOf(pCopy), hStream); }
Status cuMemcpy3D_v2(const CUDA_MEMCPY3D *pCopy) { return now(boxCopy(pCopy)); }
Status cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *pCopy, CUstream hStream) { return inStream(boxCopy(pCopy), hStream); }
Status cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy) { return now(boxCopy(pCopy)); }
Status cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream) {
  return inStream(boxCopy(pCopy), hStream);
}

Status cuMemsetD8_v2(CUdeviceptr dst, unsigned char uc, size_t N) { return fillRow(dst, uc, 1, N, nullptr); }
Status cuMemsetD16_v2(CUdeviceptr dst, unsigned short us, size_t N) { return fillRow(dst, us, 2, N, nullptr); }
Status cuMemsetD32_v2(CUdeviceptr dst, unsigned ui, size_t N) { return fillRow(dst, ui, 4, N, nullptr); }
Status cuMemsetD8Async(CUdeviceptr dst, unsigned char uc, size_t N, CUstream s) { return fillRow(dst, uc, 1, N, s); }
Status cuMemsetD16Async(CUdeviceptr dst, unsigned short us, size_t N, CUstream s) { return fillRow(dst, us, 2, N, s); }
Status cuMemsetD32Async(CUdeviceptr dst, unsigned ui, size_t N, CUstream s) { return fillRow(dst, ui, 4, N, s); }
Status cuMemsetD2D8_v2(CUdeviceptr dst, size_t pitch, unsigned char uc, size_t Width, size_t Height) {
  return fill(dst, pitch, uc, 1, Width, Height, nullptr);
}
Status cuMemsetD2D16_v2(CUdeviceptr dst, size_t pitch, unsigned short us, size_t Width, size_t Height) {
  return fill(dst, pitch, us, 2, Width, Height, nullptr);
}
Status cuMemsetD2D32_v2(CUdeviceptr dst, size_t pitch, unsigned ui, size_t Width, size_t Height) {
  return fill(dst, pitch, ui, 4, Width, Height, nullptr);
}
Status cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char uc, size_t Width, size_t Height, CUstream s) {
  return fill(dst, pitch, uc, 1, Width, Height, s);
}
Status cuMemsetD2D16Async(CUdeviceptr dst, size_t pitch, unsigned short us, size_t Width, size_t Height, CUstream s) {
  return fill(dst, pitch, us, 2, Width, Height, s);
}
Status cuMemsetD2D32Async(CUdeviceptr dst, size_t pitch, unsigned ui, size_t Width, size_t Height, CUstream s) {
  return fill(dst, pitch, ui, 4, Width, Height, s);
}

}  // namespace hostwarp::driver_api
