// Buffers of OpenGL by its own numbers, the form of CUDA 2: each is a graphics resource.
#include <unordered_map>

#include "emu_runtime/api/api.h"
#include "fibers/mutex.h"

namespace hostwarp::api {

namespace {

struct Registered {
  Mutex mutex;
  std::unordered_map<unsigned, cudaGraphicsResource_t> resources HOSTWARP_GUARDED_BY(mutex);
};

Registered &registered() {
  static auto *all = new Registered;
  return *all;
}

// resourceOf() is the buffer's resource, null when the program has registered none.
cudaGraphicsResource_t resourceOf(unsigned buffer) {
  MutexLock lock(registered().mutex);
  auto found = registered().resources.find(buffer);
  return found == registered().resources.end() ? nullptr : found->second;
}

}  // namespace

Status cudaGLSetGLDevice(int device) { return api::cudaSetDevice(device); }

Status cudaGLRegisterBufferObject(unsigned bufObj) {
  if (resourceOf(bufObj)) return cudaErrorInvalidValue;
  cudaGraphicsResource_t resource = nullptr;
  HOSTWARP_TRY(api::cudaGraphicsGLRegisterBuffer(&resource, bufObj, cudaGraphicsMapFlagsNone));
  MutexLock lock(registered().mutex);
  registered().resources[bufObj] = resource;
  return {};
}

Status cudaGLUnregisterBufferObject(unsigned bufObj) {
  HOSTWARP_TRY(api::cudaGraphicsUnregisterResource(resourceOf(bufObj)));
  MutexLock lock(registered().mutex);
  registered().resources.erase(bufObj);
  return {};
}

Status cudaGLSetBufferObjectMapFlags(unsigned bufObj, unsigned flags) {
  return api::cudaGraphicsResourceSetMapFlags(resourceOf(bufObj), flags);
}

Status cudaGLMapBufferObjectAsync(void **devPtr, unsigned bufObj, cudaStream_t stream) {
  if (!devPtr) return cudaErrorInvalidValue;
  cudaGraphicsResource_t resource = resourceOf(bufObj);
  HOSTWARP_TRY(api::cudaGraphicsMapResources(1, &resource, stream));
  return api::cudaGraphicsResourceGetMappedPointer(devPtr, nullptr, resource);
}

Status cudaGLMapBufferObject(void **devPtr, unsigned bufObj) {
  return api::cudaGLMapBufferObjectAsync(devPtr, bufObj, nullptr);
}

Status cudaGLUnmapBufferObjectAsync(unsigned bufObj, cudaStream_t stream) {
  cudaGraphicsResource_t resource = resourceOf(bufObj);
  return api::cudaGraphicsUnmapResources(1, &resource, stream);
}

Status cudaGLUnmapBufferObject(unsigned bufObj) { return api::cudaGLUnmapBufferObjectAsync(bufObj, nullptr); }

}  // namespace hostwarp::api
