// Arrays, textures and surfaces of the driver API: the runtime's, described in the driver's terms.
#include "emu_runtime/driver/convert.h"
#include "emu_runtime/texture/array.h"

namespace hostwarp::driver_api {

namespace {

static_assert(CUDA_ARRAY3D_LAYERED == cudaArrayLayered && CUDA_ARRAY3D_SURFACE_LDST == cudaArraySurfaceLoadStore &&
              CUDA_ARRAY3D_CUBEMAP == cudaArrayCubemap && CUDA_ARRAY3D_TEXTURE_GATHER == cudaArrayTextureGather);

cudaArray_t runtimes(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
cudaMipmappedArray_t runtimes(CUmipmappedArray array) { return reinterpret_cast<cudaMipmappedArray_t>(array); }

Expected<CUDA_ARRAY3D_DESCRIPTOR> descriptorOf(CUarray handle) {
  const auto array = texture::findArray(runtimes(handle));
  if (!array) return cudaErrorInvalidResourceHandle;
  const Texels texels = texelsOf(array->image().format.description());
  const cudaExtent &extent = array->extent();
  return CUDA_ARRAY3D_DESCRIPTOR{extent.width,  extent.height,   extent.depth,
                                 texels.format, texels.channels, array->flags()};
}

// --- Resources and sampling ---

Expected<cudaResourceDesc> resourceOf(const CUDA_RESOURCE_DESC *p) {
  if (!p || p->flags) return cudaErrorInvalidValue;
  cudaResourceDesc resource{};
  resource.resType = static_cast<cudaResourceType>(p->resType);
  switch (p->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      resource.res.array.array = runtimes(p->res.array.hArray);
      return resource;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      resource.res.mipmap.mipmap = runtimes(p->res.mipmap.hMipmappedArray);
      return resource;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto &linear = p->res.linear;
      auto channels = channelsOf({linear.format, linear.numChannels});
      if (!channels.ok()) return channels.status();
      resource.res.linear = {at(linear.devPtr), *channels, linear.sizeInBytes};
      return resource;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto &pitched = p->res.pitch2D;
      auto channels = channelsOf({pitched.format, pitched.numChannels});
      if (!channels.ok()) return channels.status();
      resource.res.pitch2D = {at(pitched.devPtr), *channels, pitched.width, pitched.height, pitched.pitchInBytes};
      return resource;
    }
  }
  return cudaErrorInvalidValue;
}

CUDA_RESOURCE_DESC resourceGiven(const cudaResourceDesc &resource) {
  CUDA_RESOURCE_DESC p{};
  p.resType = static_cast<CUresourcetype>(resource.resType);
  switch (resource.resType) {
    case cudaResourceTypeArray:
      p.res.array.hArray = reinterpret_cast<CUarray>(resource.res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      p.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(resource.res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear: {
      const auto &linear = resource.res.linear;
      const Texels texels = texelsOf(linear.desc);
      p.res.linear = {reinterpret_cast<CUdeviceptr>(linear.devPtr), texels.format, texels.channels, linear.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto &pitched = resource.res.pitch2D;
      const Texels texels = texelsOf(pitched.desc);
      p.res.pitch2D = {reinterpret_cast<CUdeviceptr>(pitched.devPtr),
                       texels.format,
                       texels.channels,
                       pitched.width,
                       pitched.height,
                       pitched.pitchInBytes};
      break;
    }
  }
  return p;
}

// isInteger() tells that elements read as integers unless the texture makes them fractions of one.
bool isInteger(const cudaResourceDesc &resource) {
  cudaChannelFormatDesc channels{};
  if (resource.resType == cudaResourceTypeLinear) channels = resource.res.linear.desc;
  if (resource.resType == cudaResourceTypePitch2D) channels = resource.res.pitch2D.desc;
  cudaArray_t array = nullptr;
  if (resource.resType == cudaResourceTypeArray) array = resource.res.array.array;
  if (resource.resType == cudaResourceTypeMipmappedArray) {
    const auto mipmapped = texture::findMipmapped(resource.res.mipmap.mipmap);
    if (mipmapped) array = mipmapped->handles.front();
  }
  if (const auto found = texture::findArray(array)) channels = found->image().format.description();
  return channels.f != cudaChannelFormatKindFloat && channels.x < 32;
}

cudaTextureDesc samplingOf(const CUDA_TEXTURE_DESC &p, const cudaResourceDesc &resource) {
  cudaTextureDesc sampling{};
  for (int i = 0; i < 3; ++i) sampling.addressMode[i] = static_cast<cudaTextureAddressMode>(p.addressMode[i]);
  sampling.filterMode = static_cast<cudaTextureFilterMode>(p.filterMode);
  // The driver's textures read small integers as fractions unless told otherwise; the flag means nothing for others.
  const bool asFraction = isInteger(resource) && !(p.flags & CU_TRSF_READ_AS_INTEGER);
  sampling.readMode = asFraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  sampling.sRGB = (p.flags & CU_TRSF_SRGB) != 0;
  for (int i = 0; i < 4; ++i) sampling.borderColor[i] = p.borderColor[i];
  sampling.normalizedCoords = (p.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  sampling.maxAnisotropy = p.maxAnisotropy;
  sampling.mipmapFilterMode = static_cast<cudaTextureFilterMode>(p.mipmapFilterMode);
  sampling.mipmapLevelBias = p.mipmapLevelBias;
  sampling.minMipmapLevelClamp = p.minMipmapLevelClamp;
  sampling.maxMipmapLevelClamp = p.maxMipmapLevelClamp;
  sampling.disableTrilinearOptimization = (p.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  sampling.seamlessCubemap = (p.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  return sampling;
}

CUDA_TEXTURE_DESC samplingGiven(const cudaTextureDesc &sampling, const cudaResourceDesc &resource) {
  CUDA_TEXTURE_DESC p{};
  for (int i = 0; i < 3; ++i) p.addressMode[i] = static_cast<CUaddress_mode>(sampling.addressMode[i]);
  p.filterMode = static_cast<CUfilter_mode>(sampling.filterMode);
  const bool integers = isInteger(resource) && sampling.readMode == cudaReadModeElementType;
  p.flags = (integers ? CU_TRSF_READ_AS_INTEGER : 0) |
            (sampling.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (sampling.sRGB ? CU_TRSF_SRGB : 0) |
            (sampling.disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
            (sampling.seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  p.maxAnisotropy = sampling.maxAnisotropy;
  p.mipmapFilterMode = static_cast<CUfilter_mode>(sampling.mipmapFilterMode);
  p.mipmapLevelBias = sampling.mipmapLevelBias;
  p.minMipmapLevelClamp = sampling.minMipmapLevelClamp;
  p.maxMipmapLevelClamp = sampling.maxMipmapLevelClamp;
  for (int i = 0; i < 4; ++i) p.borderColor[i] = sampling.borderColor[i];
  return p;
}

cudaResourceViewDesc viewOf(const CUDA_RESOURCE_VIEW_DESC &p) {
  cudaResourceViewDesc view{};
  view.format = static_cast<cudaResourceViewFormat>(p.format);
  view.width = p.width;
  view.height = p.height;
  view.depth = p.depth;
  view.firstMipmapLevel = p.firstMipmapLevel;
  view.lastMipmapLevel = p.lastMipmapLevel;
  view.firstLayer = p.firstLayer;
  view.lastLayer = p.lastLayer;
  return view;
}

}  // namespace

// --- Arrays ---

Status cuArray3DCreate_v2(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *p) {
  if (!pHandle || !p) return cudaErrorInvalidValue;
  auto channels = channelsOf({p->Format, p->NumChannels});
  if (!channels.ok()) return channels.status();
  return api::cudaMalloc3DArray(reinterpret_cast<cudaArray_t *>(pHandle), &*channels, {p->Width, p->Height, p->Depth},
                                p->Flags);
}
Status cuArrayCreate_v2(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *p) {
  if (!p) return cudaErrorInvalidValue;
  const CUDA_ARRAY3D_DESCRIPTOR descriptor{p->Width, p->Height, 0, p->Format, p->NumChannels, 0};
  return driver_api::cuArray3DCreate_v2(pHandle, &descriptor);
}
Status cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray) {
  auto descriptor = descriptorOf(hArray);
  if (!descriptor.ok()) return descriptor.status();
  if (!pArrayDescriptor) return cudaErrorInvalidValue;
  *pArrayDescriptor = *descriptor;
  return {};
}
Status cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray) {
  auto descriptor = descriptorOf(hArray);
  if (!descriptor.ok()) return descriptor.status();
  if (!pArrayDescriptor) return cudaErrorInvalidValue;
  *pArrayDescriptor = {descriptor->Width, descriptor->Height, descriptor->Format, descriptor->NumChannels};
  return {};
}
Status cuArrayDestroy(CUarray hArray) {
  if (!texture::findArray(runtimes(hArray))) return cudaErrorInvalidResourceHandle;
  return api::cudaFreeArray(runtimes(hArray));
}
Status cuMipmappedArrayCreate(CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *p, unsigned numMipmapLevels) {
  if (!pHandle || !p) return cudaErrorInvalidValue;
  auto channels = channelsOf({p->Format, p->NumChannels});
  if (!channels.ok()) return channels.status();
  return api::cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t *>(pHandle), &*channels,
                                       {p->Width, p->Height, p->Depth}, numMipmapLevels, p->Flags);
}
Status cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned level) {
  return api::cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t *>(pLevelArray), runtimes(hMipmappedArray),
                                         level);
}
Status cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray) {
  if (!texture::findMipmapped(runtimes(hMipmappedArray))) return cudaErrorInvalidResourceHandle;
  return api::cudaFreeMipmappedArray(runtimes(hMipmappedArray));
}

Status cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray, unsigned planeIdx) {
  return api::cudaArrayGetPlane(reinterpret_cast<cudaArray_t *>(pPlaneArray), runtimes(hArray), planeIdx);
}
Status cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements, CUarray array,
                                    CUdevice device) {
  return api::cudaArrayGetMemoryRequirements(as<cudaArrayMemoryRequirements>(memoryRequirements), runtimes(array),
                                             device);
}
Status cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                                             CUmipmappedArray mipmap, CUdevice device) {
  return api::cudaMipmappedArrayGetMemoryRequirements(as<cudaArrayMemoryRequirements>(memoryRequirements),
                                                      runtimes(mipmap), device);
}
Status cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUarray array) {
  return api::cudaArrayGetSparseProperties(as<cudaArraySparseProperties>(sparseProperties), runtimes(array));
}
Status cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUmipmappedArray mipmap) {
  return api::cudaMipmappedArrayGetSparseProperties(as<cudaArraySparseProperties>(sparseProperties), runtimes(mipmap));
}

// --- Texture and surface objects ---

Status cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc, const CUDA_TEXTURE_DESC *pTexDesc,
                         const CUDA_RESOURCE_VIEW_DESC *pResViewDesc) {
  if (!pTexDesc) return cudaErrorInvalidValue;
  auto resource = resourceOf(pResDesc);
  if (!resource.ok()) return resource.status();
  const cudaTextureDesc sampling = samplingOf(*pTexDesc, *resource);
  cudaResourceViewDesc view{};
  if (pResViewDesc) view = viewOf(*pResViewDesc);
  return api::cudaCreateTextureObject(pTexObject, &*resource, &sampling, pResViewDesc ? &view : nullptr);
}
Status cuTexObjectDestroy(CUtexObject texObject) { return api::cudaDestroyTextureObject(texObject); }
Status cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject) {
  cudaResourceDesc resource;
  HOSTWARP_TRY(api::cudaGetTextureObjectResourceDesc(pResDesc ? &resource : nullptr, texObject));
  *pResDesc = resourceGiven(resource);
  return {};
}
Status cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *pTexDesc, CUtexObject texObject) {
  cudaResourceDesc resource;
  cudaTextureDesc sampling;
  HOSTWARP_TRY(api::cudaGetTextureObjectResourceDesc(&resource, texObject));
  HOSTWARP_TRY(api::cudaGetTextureObjectTextureDesc(pTexDesc ? &sampling : nullptr, texObject));
  *pTexDesc = samplingGiven(sampling, resource);
  return {};
}
Status cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *pResViewDesc, CUtexObject texObject) {
  cudaResourceViewDesc view;
  HOSTWARP_TRY(api::cudaGetTextureObjectResourceViewDesc(pResViewDesc ? &view : nullptr, texObject));
  *pResViewDesc = {static_cast<CUresourceViewFormat>(view.format),
                   view.width,
                   view.height,
                   view.depth,
                   view.firstMipmapLevel,
                   view.lastMipmapLevel,
                   view.firstLayer,
                   view.lastLayer,
                   {}};
  return {};
}
Status cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc) {
  auto resource = resourceOf(pResDesc);
  return resource.ok() ? api::cudaCreateSurfaceObject(pSurfObject, &*resource) : resource.status();
}
Status cuSurfObjectDestroy(CUsurfObject surfObject) { return api::cudaDestroySurfaceObject(surfObject); }
Status cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject) {
  cudaResourceDesc resource;
  HOSTWARP_TRY(api::cudaGetSurfaceObjectResourceDesc(pResDesc ? &resource : nullptr, surfObject));
  *pResDesc = resourceGiven(resource);
  return {};
}

}  // namespace hostwarp::driver_api
