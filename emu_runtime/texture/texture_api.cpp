// The texture and surface object chapters of the runtime API [CUDA 5.5].
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/context.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/texture/limits.h"
#include "emu_runtime/texture/texture_object.h"

namespace hostwarp::api {

using texture::findObject;
using texture::TextureObject;

// destroy() leaves the object to the kernels that have been launched.
static Status destroy(uint64_t handle) {
  if (handle == 0) return {};
  HOSTWARP_TRY(graph::refuseUnsafe());
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  return texture::destroyObject(handle, (*context)->streams().pending())
             ? Status()
             : Status(cudaErrorInvalidValue, "not a live texture or surface object");
}

Status cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const cudaResourceDesc *pResDesc,
                               const cudaTextureDesc *pTexDesc, const cudaResourceViewDesc *pResViewDesc) {
  if (!pTexObject || !pResDesc) return cudaErrorInvalidValue;
  if (!pTexDesc) return cudaErrorInvalidResourceHandle;
  HOSTWARP_TRY(graph::refuseUnsafe());
  HOSTWARP_TRY(texture::checkTexture(*pResDesc));
  Expected<uint64_t> made = texture::makeTexture(*pResDesc, *pTexDesc, pResViewDesc);
  if (!made.ok()) return made.status();
  *pTexObject = *made;
  return {};
}

Status cudaDestroyTextureObject(cudaTextureObject_t texObject) { return destroy(texObject); }

Status cudaGetTextureObjectResourceDesc(cudaResourceDesc *pResDesc, cudaTextureObject_t texObject) {
  const TextureObject *object = findObject(texObject);
  if (!pResDesc || !object) return cudaErrorInvalidValue;
  *pResDesc = object->resource;
  return {};
}

Status cudaGetTextureObjectTextureDesc(cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject) {
  const TextureObject *object = findObject(texObject);
  if (!pTexDesc || !object) return cudaErrorInvalidValue;
  *pTexDesc = object->sampling;
  return {};
}

Status cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *pResViewDesc, cudaTextureObject_t texObject) {
  const TextureObject *object = findObject(texObject);
  if (!pResViewDesc || !object) return cudaErrorInvalidValue;
  // Without a view a GPU says success, and leaves what was there before.
  *pResViewDesc = object->view.value_or(cudaResourceViewDesc{});
  return {};
}

Status cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const cudaResourceDesc *pResDesc) {
  if (!pSurfObject || !pResDesc) return cudaErrorInvalidValue;
  HOSTWARP_TRY(graph::refuseUnsafe());
  Expected<uint64_t> made = texture::makeSurface(*pResDesc);
  if (!made.ok()) return made.status();
  *pSurfObject = *made;
  return {};
}

Status cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) { return destroy(surfObject); }

Status cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject) {
  const TextureObject *object = findObject(surfObject);
  if (!pResDesc || !object) return cudaErrorInvalidValue;
  *pResDesc = object->resource;
  return {};
}

}  // namespace hostwarp::api
