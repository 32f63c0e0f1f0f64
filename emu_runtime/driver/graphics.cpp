// Graphics resources of the driver API: the runtime's.
#include "emu_runtime/driver/convert.h"

namespace hostwarp::driver_api {

namespace {

cudaGraphicsResource_t runtimes(CUgraphicsResource resource) {
  return reinterpret_cast<cudaGraphicsResource_t>(resource);
}
cudaGraphicsResource_t *runtimes(CUgraphicsResource *resources) {
  return reinterpret_cast<cudaGraphicsResource_t *>(resources);
}

}  // namespace

Status cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource, unsigned buffer, unsigned Flags) {
  return api::cudaGraphicsGLRegisterBuffer(runtimes(pCudaResource), buffer, Flags);
}
Status cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource, unsigned image, unsigned target, unsigned Flags) {
  return api::cudaGraphicsGLRegisterImage(runtimes(pCudaResource), image, target, Flags);
}
Status cuGraphicsUnregisterResource(CUgraphicsResource resource) {
  return api::cudaGraphicsUnregisterResource(runtimes(resource));
}
Status cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource resource, unsigned flags) {
  return api::cudaGraphicsResourceSetMapFlags(runtimes(resource), flags);
}
Status cuGraphicsMapResources(unsigned count, CUgraphicsResource *resources, CUstream hStream) {
  return api::cudaGraphicsMapResources(static_cast<int>(count), runtimes(resources), hStream);
}
Status cuGraphicsUnmapResources(unsigned count, CUgraphicsResource *resources, CUstream hStream) {
  return api::cudaGraphicsUnmapResources(static_cast<int>(count), runtimes(resources), hStream);
}
Status cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *pDevPtr, size_t *pSize, CUgraphicsResource resource) {
  return api::cudaGraphicsResourceGetMappedPointer(at(pDevPtr), pSize, runtimes(resource));
}
Status cuGraphicsSubResourceGetMappedArray(CUarray *pArray, CUgraphicsResource resource, unsigned arrayIndex,
                                           unsigned mipLevel) {
  return api::cudaGraphicsSubResourceGetMappedArray(reinterpret_cast<cudaArray_t *>(pArray), runtimes(resource),
                                                    arrayIndex, mipLevel);
}

}  // namespace hostwarp::driver_api
