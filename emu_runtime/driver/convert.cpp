#include "emu_runtime/driver/convert.h"

#include "emu_runtime/texture/array.h"

namespace hostwarp::driver_api {

namespace {

// Format is how one channel of a texel is stored.
struct Format {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr Format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

// WholeFormat is a format that says how many channels there are, and what they are.
struct WholeFormat {
  CUarray_format format;
  cudaChannelFormatDesc channels;
};
constexpr WholeFormat wholeFormats[] = {
#define HOSTWARP_CHANNEL_KIND(name, driverName, x, y, z, w, kind, normalised, code, srgb) \
  {CU_AD_FORMAT_##driverName, {x, y, z, w, cudaChannelFormatKind##name}},
#include "emu_runtime/texture/texel_formats.def"
};

unsigned countOf(const cudaChannelFormatDesc &channels) {
  return unsigned{channels.x != 0} + (channels.y != 0) + (channels.z != 0) + (channels.w != 0);
}

// bytesOfTexel() is 1 for memory that is no array.
size_t bytesOfTexel(cudaArray_t array) {
  if (!array) return 1;
  const auto found = texture::findArray(array);
  return found ? found->image().format.bytes() : 0;
}

// Side is one end of a CUDA_MEMCPY3D; Place the same in the runtime's terms.
struct Side {
  CUmemorytype type;
  void *host;
  CUdeviceptr device;
  CUarray array;
  size_t xInBytes, y, z, pitch, height;
};
struct Place {
  cudaArray_t array = nullptr;
  cudaPitchedPtr pointer{};
  cudaPos position{};
};

Expected<Place> placeOf(const Side &side, const CUDA_MEMCPY3D &copy) {
  Place place;
  place.position = {side.xInBytes, side.y, side.z};
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    place.array = reinterpret_cast<cudaArray_t>(side.array);
    const size_t bytes = bytesOfTexel(place.array);
    if (!place.array || !bytes) return cudaErrorInvalidResourceHandle;
    if (side.xInBytes % bytes) return cudaErrorInvalidValue;
    place.position.x = side.xInBytes / bytes;
    return place;
  }
  void *start = side.type == CU_MEMORYTYPE_HOST ? side.host : at(side.device);
  if (!start || side.type < CU_MEMORYTYPE_HOST || side.type > CU_MEMORYTYPE_UNIFIED) return cudaErrorInvalidValue;
  const size_t pitch = side.pitch ? side.pitch : side.xInBytes + copy.WidthInBytes;
  place.pointer = {start, pitch, pitch, side.height ? side.height : side.y + copy.Height};
  return place;
}

// Given is a side as a program gets to see it.
Side given(const Place &place, cudaMemcpyKind kind, cudaMemcpyKind hostKind) {
  Side side{};
  side.y = place.position.y;
  side.z = place.position.z;
  side.xInBytes = place.position.x * bytesOfTexel(place.array);
  if (place.array) {
    side.type = CU_MEMORYTYPE_ARRAY;
    side.array = reinterpret_cast<CUarray>(place.array);
    return side;
  }
  const bool onHost = kind == cudaMemcpyHostToHost || kind == hostKind;
  side.type = kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED : onHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (side.type == CU_MEMORYTYPE_HOST)
    side.host = place.pointer.ptr;
  else
    side.device = reinterpret_cast<CUdeviceptr>(place.pointer.ptr);
  side.pitch = place.pointer.pitch;
  side.height = place.pointer.ysize;
  return side;
}

}  // namespace

Expected<cudaChannelFormatDesc> channelsOf(Texels texels) {
  for (const WholeFormat &each : wholeFormats)
    if (each.format == texels.format && countOf(each.channels) == texels.channels) return each.channels;
  if (texels.channels != 1 && texels.channels != 2 && texels.channels != 4) return cudaErrorInvalidValue;
  for (const Format &each : formats) {
    if (each.format != texels.format) continue;
    auto bits = [&](unsigned channel) { return channel < texels.channels ? each.bits : 0; };
    return cudaChannelFormatDesc{bits(0), bits(1), bits(2), bits(3), each.kind};
  }
  return Status(cudaErrorInvalidValue, "arrays have no such format here");
}

Texels texelsOf(const cudaChannelFormatDesc &channels) {
  Texels texels{CU_AD_FORMAT_UNSIGNED_INT8, 0};
  for (const Format &each : formats)
    if (each.bits == channels.x && each.kind == channels.f) texels.format = each.format;
  for (const WholeFormat &each : wholeFormats)
    if (each.channels.f == channels.f) texels.format = each.format;
  texels.channels = countOf(channels);
  return texels;
}

cudaMemcpyKind kindBetween(CUmemorytype to, CUmemorytype from) {
  if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST) return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

Expected<cudaMemcpy3DParms> copyOf(const CUDA_MEMCPY3D *p) {
  if (!p || p->srcLOD || p->dstLOD) return cudaErrorInvalidValue;
  auto from = placeOf({p->srcMemoryType, const_cast<void *>(p->srcHost), p->srcDevice, p->srcArray, p->srcXInBytes,
                       p->srcY, p->srcZ, p->srcPitch, p->srcHeight},
                      *p);
  if (!from.ok()) return from.status();
  auto to = placeOf({p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes, p->dstY, p->dstZ,
                     p->dstPitch, p->dstHeight},
                    *p);
  if (!to.ok()) return to.status();
  // The width counts the array's texels when one takes part.
  const size_t unit = bytesOfTexel(from->array ? from->array : to->array);
  if (p->WidthInBytes % unit) return cudaErrorInvalidValue;
  cudaMemcpy3DParms params{};
  params.srcArray = from->array;
  params.srcPtr = from->pointer;
  params.srcPos = from->position;
  params.dstArray = to->array;
  params.dstPtr = to->pointer;
  params.dstPos = to->position;
  params.extent = {p->WidthInBytes / unit, p->Height, p->Depth};
  params.kind = kindBetween(p->dstMemoryType, p->srcMemoryType);
  return params;
}

CUDA_MEMCPY3D copyGiven(const cudaMemcpy3DParms &params) {
  const Side from = given({params.srcArray, params.srcPtr, params.srcPos}, params.kind, cudaMemcpyHostToDevice);
  const Side to = given({params.dstArray, params.dstPtr, params.dstPos}, params.kind, cudaMemcpyDeviceToHost);
  CUDA_MEMCPY3D p{};
  p.srcMemoryType = from.type;
  p.srcHost = from.host;
  p.srcDevice = from.device;
  p.srcArray = from.array;
  p.srcXInBytes = from.xInBytes;
  p.srcY = from.y;
  p.srcZ = from.z;
  p.srcPitch = from.pitch;
  p.srcHeight = from.height;
  p.dstMemoryType = to.type;
  p.dstHost = to.host;
  p.dstDevice = to.device;
  p.dstArray = to.array;
  p.dstXInBytes = to.xInBytes;
  p.dstY = to.y;
  p.dstZ = to.z;
  p.dstPitch = to.pitch;
  p.dstHeight = to.height;
  p.WidthInBytes = params.extent.width * bytesOfTexel(params.srcArray ? params.srcArray : params.dstArray);
  p.Height = params.extent.height;
  p.Depth = params.extent.depth;
  return p;
}

cudaKernelNodeParams kernelNodeOf(const CUDA_KERNEL_NODE_PARAMS &p) {
  cudaKernelNodeParams params{};
  params.func = p.func ? static_cast<void *>(p.func) : static_cast<void *>(p.kern);
  params.gridDim = {p.gridDimX, p.gridDimY, p.gridDimZ};
  params.blockDim = {p.blockDimX, p.blockDimY, p.blockDimZ};
  params.sharedMemBytes = p.sharedMemBytes;
  params.kernelParams = p.kernelParams;
  params.extra = p.extra;
  return params;
}

Expected<cudaGraphNodeParams> nodeOf(const CUgraphNodeParams &p) {
  cudaGraphNodeParams params{};
  params.type = static_cast<cudaGraphNodeType>(p.type);
  switch (p.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const cudaKernelNodeParams kernel = kernelNodeOf(p.kernel);
      params.kernel = {kernel.func,         kernel.gridDim, kernel.blockDim, kernel.sharedMemBytes,
                       kernel.kernelParams, kernel.extra,   nullptr};
      return params;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
      auto copy = copyOf(&p.memcpy.copyParams);
      if (!copy.ok()) return copy.status();
      params.memcpy.copyParams = *copy;
      return params;
    }
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const auto &m = p.memset;
      params.memset = {at(m.dst), m.pitch, m.value, m.elementSize, m.width, m.height};
      return params;
    }
    case CU_GRAPH_NODE_TYPE_HOST:
      params.host = {p.host.fn, p.host.userData};
      return params;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      params.graph = {p.graph.graph, static_cast<cudaGraphChildGraphNodeOwnership>(p.graph.ownership)};
      return params;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      params.eventWait.event = p.eventWait.event;
      return params;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      params.eventRecord.event = p.eventRecord.event;
      return params;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      params.alloc = *as<const cudaMemAllocNodeParamsV2>(&p.alloc);
      return params;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      params.free.dptr = at(p.free.dptr);
      return params;
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return params;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
      params.extSemSignal = *as<const cudaExternalSemaphoreSignalNodeParamsV2>(&p.extSemSignal);
      return params;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      params.extSemWait = *as<const cudaExternalSemaphoreWaitNodeParamsV2>(&p.extSemWait);
      return params;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:  // the runtime has none
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      break;
  }
  return cudaErrorInvalidValue;
}

}  // namespace hostwarp::driver_api
