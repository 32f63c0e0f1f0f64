// Green contexts by the driver's names [CUDA 4.6 green contexts].
#include <span>
#include <utility>

#include "emu_runtime/device/green_contexts.h"
#include "emu_runtime/driver/driver.h"

namespace hostwarp::driver_api {

namespace {

static_assert(sizeof(CUdevResource) == sizeof(cudaDevResource) &&
              offsetof(CUdevResource, sm) == offsetof(cudaDevResource, sm));
static_assert(int{CU_DEV_RESOURCE_TYPE_SM} == cudaDevResourceTypeSm);
cudaDevResource *as(CUdevResource *resource) { return reinterpret_cast<cudaDevResource *>(resource); }
const cudaDevResource *as(const CUdevResource *resource) { return reinterpret_cast<const cudaDevResource *>(resource); }

Expected<std::shared_ptr<const device::Green>> greenOf(CUgreenCtx handle) {
  auto found = device::greenTable().find(handle);
  if (!found) return handle ? cudaErrorContextIsDestroyed : cudaErrorInvalidValue;
  return *std::move(found);
}

// giveSms(): the driver of CUDA 13.0 knows no other resources.
Status giveSms(CUdevResource *resource, CUdevResourceType type, const device::Resources &resources) {
  if (!resource) return cudaErrorInvalidValue;
  if (type != CU_DEV_RESOURCE_TYPE_SM) return cudaErrorInvalidResourceType;
  return device::giveResource(as(resource), cudaDevResourceTypeSm, resources);
}

}  // namespace

Status cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type) {
  auto found = device::find(device);
  return found.ok() ? giveSms(resource, type, device::resourcesOf(**found)) : found.status();
}

Status cuCtxGetDevResource(CUcontext hCtx, CUdevResource *resource, CUdevResourceType type) {
  auto context = livingContext(hCtx);
  return context.ok() ? giveSms(resource, type, device::resourcesOf(*context)) : context.status();
}

Status cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource *resource, CUdevResourceType type) {
  auto green = greenOf(hCtx);
  return green.ok() ? giveSms(resource, type, (*green)->resources) : green.status();
}

Status cuDevSmResourceSplitByCount(CUdevResource *result, unsigned *nbGroups, const CUdevResource *input,
                                   CUdevResource *remaining, unsigned useFlags, unsigned minCount) {
  return device::splitByCount(as(result), nbGroups, as(input), as(remaining), useFlags, minCount);
}

Status cuDevResourceGenerateDesc(CUdevResourceDesc *phDesc, CUdevResource *resources, unsigned nbResources) {
  if (!phDesc || !resources || !nbResources) return cudaErrorInvalidValue;
  auto described = device::describe(std::span(as(resources), nbResources), false);
  if (!described.ok()) return described.status();
  *phDesc = reinterpret_cast<CUdevResourceDesc>(device::descriptorTable().add(*std::move(described)));
  return {};
}

// Without a description the context has all of the device.
Status cuGreenCtxCreate(CUgreenCtx *phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned flags) {
  if (!phCtx || flags != CU_GREEN_CTX_DEFAULT_STREAM) return cudaErrorInvalidValue;
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  auto resources = desc ? device::descriptorTable().find(reinterpret_cast<cudaDevResourceDesc_t>(desc))
                        : device::resourcesOf(**device);
  if (!resources) return cudaErrorInvalidValue;
  if (resources->parts.front().device != dev) return cudaErrorInvalidResourceConfiguration;
  CUcontext primary = nullptr;
  HOSTWARP_TRY(driver_api::cuDevicePrimaryCtxRetain(&primary, dev));
  *phCtx = device::makeGreen(**device, *std::move(resources));
  return {};
}

Status cuGreenCtxDestroy(CUgreenCtx hCtx) {
  auto green = device::greenTable().take(hCtx);
  if (!green) return hCtx ? cudaErrorContextIsDestroyed : cudaErrorInvalidValue;
  device::destroyGreen(**green);
  // Nothing is left to release where the primary context has been reset.
  const Status released = driver_api::cuDevicePrimaryCtxRelease_v2((*green)->context->device().ordinal());
  return released.code() == cudaErrorDeviceUninitialized ? Status() : released;
}

Status cuCtxFromGreenCtx(CUcontext *pContext, CUgreenCtx hCtx) {
  auto green = greenOf(hCtx);
  if (!green.ok()) return green.status();
  if (!pContext) return cudaErrorInvalidValue;
  *pContext = (*green)->handle;
  return {};
}

Status cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long *greenCtxId) {
  auto green = greenOf(greenCtx);
  if (!green.ok()) return green.status();
  if (!greenCtxId) return cudaErrorInvalidValue;
  *greenCtxId = reinterpret_cast<uintptr_t>((*green)->handle);
  return {};
}

Status cuGreenCtxStreamCreate(CUstream *phStream, CUgreenCtx greenCtx, unsigned flags, int priority) {
  auto green = greenOf(greenCtx);
  if (!green.ok()) return green.status();
  if (!phStream || flags != CU_STREAM_NON_BLOCKING) return cudaErrorInvalidValue;
  HOSTWARP_TRY((*green)->context->status());
  *phStream = device::streamIn((*green)->context, stream::StreamKind::NonBlocking, priority);
  return {};
}

Status cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx *phCtx) {
  if (!phCtx) return cudaErrorInvalidValue;
  auto stream = device::streamOf(hStream, device::InCapture::Ignore);
  if (!stream.ok()) return stream.status();
  *phCtx = device::greenTable()
               .findIf([&](const auto &green) { return green->context == stream->context; })
               .value_or(nullptr);
  return {};
}

Status cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent) {
  if (!hCtx) return cudaErrorDeviceUninitialized;
  auto green = greenOf(hCtx);
  return green.ok() ? device::recordAll((*green)->context, hEvent) : green.status();
}
Status cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent) {
  if (!hCtx) return cudaErrorDeviceUninitialized;
  auto green = greenOf(hCtx);
  return green.ok() ? device::holdUp((*green)->context, hEvent) : green.status();
}
Status cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent) {
  auto context = livingContext(hCtx);
  return context.ok() ? device::recordAll(*context, hEvent) : context.status();
}
Status cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent) {
  auto context = livingContext(hCtx);
  return context.ok() ? device::holdUp(*context, hEvent) : context.status();
}

}  // namespace hostwarp::driver_api
