// Texture and surface references of modules, which programs written before CUDA 12 set up by the driver API. On the
// device a reference is a variable that holds the handle of a texture or surface object, 0 while it is not bound; the
// object is made anew whenever the program changes something.
#include <algorithm>
#include <memory>

#include "emu_runtime/driver/convert.h"
#include "emu_runtime/driver/modules.h"
#include "emu_runtime/execution/launch.h"
#include "emu_runtime/texture/array.h"
#include "fibers/mutex.h"

namespace hostwarp::driver_api {

namespace {

constexpr size_t textureAlignment = 512;

// HandlePlace is where kernels find the handle. A reference that cuTexRefCreate() made has none.
struct HandlePlace {
  std::weak_ptr<modules::LoadedImage> image;  // no longer there, nor is the place
  device::ContextRef context;
  uint64_t *handle = nullptr;
};

struct TextureReference {
  HandlePlace place;
  bool bound = false;
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC sampling{};
  Texels format{CU_AD_FORMAT_FLOAT, 1};
};

struct SurfaceReference {
  HandlePlace place;
  bool bound = false;
  CUDA_RESOURCE_DESC resource{};
};

template <typename Handle, typename Reference>
using ReferenceTable = device::HandleTable<Handle, std::shared_ptr<Reference>>;

ReferenceTable<CUtexref, TextureReference> &textures() {
  static auto *table = new ReferenceTable<CUtexref, TextureReference>;
  return *table;
}

ReferenceTable<CUsurfref, SurfaceReference> &surfaces() {
  static auto *table = new ReferenceTable<CUsurfref, SurfaceReference>;
  return *table;
}

Mutex mutex;  // of all references

Expected<uint64_t> objectOf(const TextureReference &reference) {
  CUtexObject object = 0;
  CUDA_TEXTURE_DESC sampling = reference.sampling;
  if (reference.resource.resType == CU_RESOURCE_TYPE_LINEAR) sampling.filterMode = CU_TR_FILTER_MODE_POINT;
  HOSTWARP_TRY(driver_api::cuTexObjectCreate(&object, &reference.resource, &sampling, nullptr));
  return object;
}

Expected<uint64_t> objectOf(const SurfaceReference &reference) {
  CUsurfObject object = 0;
  HOSTWARP_TRY(driver_api::cuSurfObjectCreate(&object, &reference.resource));
  return object;
}

void destroy(const TextureReference &, uint64_t object) { (void)driver_api::cuTexObjectDestroy(object); }
void destroy(const SurfaceReference &, uint64_t object) { (void)driver_api::cuSurfObjectDestroy(object); }

// renew() makes what kernels see agree with the reference. Kernels launched before still see what was there then, so
// it waits for them. Where no object can be made, kernels see none.
template <typename Reference>
Status renew(const Reference &reference) HOSTWARP_REQUIRES(mutex) {
  const auto image = reference.place.image.lock();
  if (!image) return {};
  HOSTWARP_TRY(reference.place.context->synchronize());
  uint64_t &handle = *reference.place.handle;
  if (handle) destroy(reference, handle);
  handle = 0;
  if (!reference.bound) return {};
  auto object = objectOf(reference);
  if (!object.ok()) return object.status();
  handle = *object;
  return {};
}

// change() lets a live reference be changed and renews it.
template <typename Table, typename Handle, typename Change>
Status change(Table &table, Handle handle, Change apply) {
  auto reference = table.find(handle);
  if (!reference) return cudaErrorInvalidValue;
  MutexLock lock(mutex);
  HOSTWARP_TRY(apply(**reference));
  return renew(**reference);
}

// adjust() changes how a texture is sampled. Settings that make sense together only come one after the other, so that
// those so far allow no object is no error yet.
template <typename Apply>
Status adjust(CUtexref handle, Apply apply) {
  auto reference = textures().find(handle);
  if (!reference) return cudaErrorInvalidValue;
  MutexLock lock(mutex);
  apply((*reference)->sampling);
  (void)renew(**reference);
  return {};
}

// ask() gives the program what `answer` takes from the reference.
template <typename Out, typename Answer>
Status ask(CUtexref handle, Out *out, Answer answer) {
  auto reference = textures().find(handle);
  if (!reference || !out) return cudaErrorInvalidValue;
  MutexLock lock(mutex);
  *out = answer(**reference);
  return {};
}

template <typename Reference>
Status bind(Reference &reference, const CUDA_RESOURCE_DESC &resource) {
  reference.resource = resource;
  reference.bound = true;
  return {};
}

CUDA_RESOURCE_DESC arrayResource(CUarray array) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

// find() gives the handle of the module's reference of this name, one for each place.
template <typename Reference, typename Table, typename Handle>
Status find(Table &table, Handle *out, CUmodule handle, const char *name) {
  if (!out || !name) return cudaErrorInvalidValue;
  auto module = moduleOf(handle);
  if (!module.ok()) return module.status();
  const hw_variable *variable = module->image->variable(name);
  if (!variable || variable->bytes != sizeof(uint64_t)) return cudaErrorSymbolNotFound;
  const modules::Variable storage{nullptr, variable};
  auto *place = reinterpret_cast<uint64_t *>(storage.address(module->context->device().delta()));
  auto known = table.findIf([&](const auto &reference) { return reference->place.handle == place; });
  if (!known) {
    auto made = std::make_shared<Reference>();
    made->place = {module->image, module->context, place};
    known = table.add(std::move(made));
  }
  *out = *known;
  return {};
}

}  // namespace

// --- References of modules ---

Status cuModuleGetTexRef(CUtexref *pTexRef, CUmodule hmod, const char *name) {
  return find<TextureReference>(textures(), pTexRef, hmod, name);
}
Status cuModuleGetSurfRef(CUsurfref *pSurfRef, CUmodule hmod, const char *name) {
  return find<SurfaceReference>(surfaces(), pSurfRef, hmod, name);
}
Status cuTexRefCreate(CUtexref *pTexRef) {
  if (!pTexRef) return cudaErrorInvalidValue;
  *pTexRef = textures().add(std::make_shared<TextureReference>());
  return {};
}
Status cuTexRefDestroy(CUtexref hTexRef) {
  auto reference = textures().find(hTexRef);
  if (!reference || (*reference)->place.handle) return cudaErrorInvalidValue;
  (void)textures().take(hTexRef);
  return {};
}
// A kernel uses the references of its module whether it is told to or not.
Status cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef) {
  HOSTWARP_TRY(execution::kernelOf(hfunc).status());
  auto reference = textures().find(hTexRef);
  const bool known = reference && (*reference)->place.handle && texunit == CU_PARAM_TR_DEFAULT;
  return known ? Status() : Status(cudaErrorInvalidValue);
}

// --- What they are bound to ---

Status cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned Flags) {
  if (Flags & ~unsigned{CU_TRSA_OVERRIDE_FORMAT}) return cudaErrorInvalidValue;
  CUDA_ARRAY3D_DESCRIPTOR array;
  HOSTWARP_TRY(driver_api::cuArray3DGetDescriptor_v2(&array, hArray));
  return change(textures(), hTexRef, [&](TextureReference &reference) {
    reference.format = {array.Format, array.NumChannels};
    return bind(reference, arrayResource(hArray));
  });
}
Status cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned Flags) {
  if (Flags & ~unsigned{CU_TRSA_OVERRIDE_FORMAT}) return cudaErrorInvalidValue;
  CUarray level = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR array;
  HOSTWARP_TRY(driver_api::cuMipmappedArrayGetLevel(&level, hMipmappedArray, 0));
  HOSTWARP_TRY(driver_api::cuArray3DGetDescriptor_v2(&array, level));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = hMipmappedArray;
  return change(textures(), hTexRef, [&](TextureReference &reference) {
    reference.format = {array.Format, array.NumChannels};
    return bind(reference, resource);
  });
}
Status cuTexRefSetAddress_v2(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes) {
  const size_t before = dptr % textureAlignment;
  if (before && !ByteOffset)
    return {cudaErrorInvalidValue, "memory that is not aligned for textures needs a place for the offset"};
  if (ByteOffset) *ByteOffset = before;
  return change(textures(), hTexRef, [&](TextureReference &reference) {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear = {dptr - before, reference.format.format, reference.format.channels, bytes + before};
    return bind(reference, resource);
  });
}
Status cuTexRefSetAddress2D_v3(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch) {
  if (!desc || dptr % textureAlignment) return cudaErrorInvalidValue;
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D = {dptr, desc->Format, desc->NumChannels, desc->Width, desc->Height, Pitch};
  return change(textures(), hTexRef, [&](TextureReference &reference) {
    reference.format = {desc->Format, desc->NumChannels};
    return bind(reference, resource);
  });
}
Status cuTexRefSetAddress2D_v2(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr, size_t Pitch) {
  return driver_api::cuTexRefSetAddress2D_v3(hTexRef, desc, dptr, Pitch);
}
Status cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents) {
  const Texels format{fmt, static_cast<unsigned>(NumPackedComponents)};
  HOSTWARP_TRY(channelsOf(format).status());
  return change(textures(), hTexRef, [&](TextureReference &reference) {
    reference.format = format;
    if (reference.bound && reference.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
      reference.resource.res.linear.format = format.format;
      reference.resource.res.linear.numChannels = format.channels;
    }
    return Status();
  });
}
Status cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned Flags) {
  if (Flags) return cudaErrorInvalidValue;
  return change(surfaces(), hSurfRef,
                [&](SurfaceReference &reference) { return bind(reference, arrayResource(hArray)); });
}

Status cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef) {
  auto reference = textures().find(hTexRef);
  const bool has = reference && (*reference)->bound && (*reference)->resource.resType == CU_RESOURCE_TYPE_ARRAY;
  if (!phArray || !has) return cudaErrorInvalidValue;
  *phArray = (*reference)->resource.res.array.hArray;
  return {};
}
Status cuTexRefGetMipmappedArray(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef) {
  auto reference = textures().find(hTexRef);
  const bool has =
      reference && (*reference)->bound && (*reference)->resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  if (!phMipmappedArray || !has) return cudaErrorInvalidValue;
  *phMipmappedArray = (*reference)->resource.res.mipmap.hMipmappedArray;
  return {};
}
Status cuTexRefGetAddress_v2(CUdeviceptr *pdptr, CUtexref hTexRef) {
  auto reference = textures().find(hTexRef);
  if (!pdptr || !reference || !(*reference)->bound) return cudaErrorInvalidValue;
  const CUDA_RESOURCE_DESC &resource = (*reference)->resource;
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    *pdptr = resource.res.linear.devPtr;
  } else if (resource.resType == CU_RESOURCE_TYPE_PITCH2D) {
    *pdptr = resource.res.pitch2D.devPtr;
  } else {
    return cudaErrorInvalidValue;
  }
  return {};
}
Status cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef) {
  HOSTWARP_TRY(ask(hTexRef, pFormat, [](const TextureReference &reference) { return reference.format.format; }));
  return ask(hTexRef, pNumChannels,
             [](const TextureReference &reference) { return static_cast<int>(reference.format.channels); });
}
Status cuSurfRefGetArray(CUarray *phArray, CUsurfref hSurfRef) {
  auto reference = surfaces().find(hSurfRef);
  if (!phArray || !reference || !(*reference)->bound) return cudaErrorInvalidValue;
  *phArray = (*reference)->resource.res.array.hArray;
  return {};
}

// --- How they are sampled ---

#define HOSTWARP_SETTING(set, get, Value, field)                                                            \
  Status set(CUtexref hTexRef, Value value) {                                                               \
    return adjust(hTexRef, [&](CUDA_TEXTURE_DESC &sampling) { sampling.field = value; });                   \
  }                                                                                                         \
  Status get(Value *value, CUtexref hTexRef) {                                                              \
    return ask(hTexRef, value, [](const TextureReference &reference) { return reference.sampling.field; }); \
  }
HOSTWARP_SETTING(cuTexRefSetFilterMode, cuTexRefGetFilterMode, CUfilter_mode, filterMode)
HOSTWARP_SETTING(cuTexRefSetMipmapFilterMode, cuTexRefGetMipmapFilterMode, CUfilter_mode, mipmapFilterMode)
HOSTWARP_SETTING(cuTexRefSetMipmapLevelBias, cuTexRefGetMipmapLevelBias, float, mipmapLevelBias)
HOSTWARP_SETTING(cuTexRefSetFlags, cuTexRefGetFlags, unsigned, flags)
#undef HOSTWARP_SETTING

Status cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am) {
  if (dim < 0 || dim > 2) return cudaErrorInvalidValue;
  return adjust(hTexRef, [&](CUDA_TEXTURE_DESC &sampling) { sampling.addressMode[dim] = am; });
}
Status cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref hTexRef, int dim) {
  if (dim < 0 || dim > 2) return cudaErrorInvalidValue;
  return ask(hTexRef, pam, [&](const TextureReference &reference) { return reference.sampling.addressMode[dim]; });
}
Status cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned maxAniso) {
  return adjust(hTexRef, [&](CUDA_TEXTURE_DESC &sampling) { sampling.maxAnisotropy = maxAniso; });
}
Status cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref hTexRef) {
  return ask(hTexRef, pmaxAniso,
             [](const TextureReference &reference) { return static_cast<int>(reference.sampling.maxAnisotropy); });
}
Status cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp) {
  return adjust(hTexRef, [&](CUDA_TEXTURE_DESC &sampling) {
    sampling.minMipmapLevelClamp = minMipmapLevelClamp;
    sampling.maxMipmapLevelClamp = maxMipmapLevelClamp;
  });
}
Status cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp, CUtexref hTexRef) {
  HOSTWARP_TRY(ask(hTexRef, pminMipmapLevelClamp,
                   [](const TextureReference &reference) { return reference.sampling.minMipmapLevelClamp; }));
  return ask(hTexRef, pmaxMipmapLevelClamp,
             [](const TextureReference &reference) { return reference.sampling.maxMipmapLevelClamp; });
}
Status cuTexRefSetBorderColor(CUtexref hTexRef, float *pBorderColor) {
  if (!pBorderColor) return cudaErrorInvalidValue;
  return adjust(hTexRef, [&](CUDA_TEXTURE_DESC &sampling) { std::copy_n(pBorderColor, 4, sampling.borderColor); });
}
Status cuTexRefGetBorderColor(float *pBorderColor, CUtexref hTexRef) {
  auto reference = textures().find(hTexRef);
  if (!reference || !pBorderColor) return cudaErrorInvalidValue;
  std::copy_n((*reference)->sampling.borderColor, 4, pBorderColor);
  return {};
}

}  // namespace hostwarp::driver_api
