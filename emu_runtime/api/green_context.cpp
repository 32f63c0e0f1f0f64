// Chapter "green_context": parts of a device and the execution contexts that have them [CUDA 4.6]. Names of CUDA 13.1;
// an execution context is a CUcontext by another name.
#include <span>
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/green_contexts.h"

namespace hostwarp::api {

namespace {

CUcontext handleOf(cudaExecutionContext_t context) { return reinterpret_cast<CUcontext>(context); }
cudaExecutionContext_t named(CUcontext handle) { return reinterpret_cast<cudaExecutionContext_t>(handle); }

// contextOf(): whatever is current to the thread is ignored.
Expected<device::ContextRef> contextOf(cudaExecutionContext_t context) {
  HOSTWARP_TRY(device::permitted());
  if (!context) return cudaErrorInvalidValue;
  return device::contextBehind(handleOf(context));
}

Expected<CUgreenCtx> greenOf(cudaExecutionContext_t context) {
  auto green = device::greenTable().findIf([&](const auto &each) { return each->handle == handleOf(context); });
  if (green) return *green;
  return device::contextTable().find(handleOf(context)) || !context
             ? Status(cudaErrorInvalidValue, "only what cudaGreenCtxCreate() made is destroyed")
             : Status(cudaErrorContextIsDestroyed);
}

}  // namespace

Status cudaDeviceGetDevResource(int device, cudaDevResource *resource, cudaDevResourceType type) {
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  return device::giveResource(resource, type, device::resourcesOf(**found));
}

Status cudaDevSmResourceSplitByCount(cudaDevResource *result, unsigned *nbGroups, const cudaDevResource *input,
                                     cudaDevResource *remaining, unsigned flags, unsigned minCount) {
  return device::splitByCount(result, nbGroups, input, remaining, flags, minCount);
}

Status cudaDevSmResourceSplit(cudaDevResource *result, unsigned nbGroups, const cudaDevResource *input,
                              cudaDevResource *remainder, unsigned flags, cudaDevSmResourceGroupParams *groupParams) {
  if (flags || !nbGroups || !groupParams) return cudaErrorInvalidValue;
  return device::split(result, input, remainder, std::span(groupParams, nbGroups));
}

Status cudaDevResourceGenerateDesc(cudaDevResourceDesc_t *phDesc, cudaDevResource *resources, unsigned nbResources) {
  if (!phDesc || !resources || !nbResources) return cudaErrorInvalidValue;
  auto described = device::describe(std::span(resources, nbResources), true);
  if (!described.ok()) return described.status();
  *phDesc = device::descriptorTable().add(*std::move(described));
  return {};
}

Status cudaGreenCtxCreate(cudaExecutionContext_t *phCtx, cudaDevResourceDesc_t desc, int device, unsigned flags) {
  if (!phCtx || flags) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  auto resources = device::descriptorTable().find(desc);
  if (!resources) return cudaErrorInvalidValue;
  if (resources->parts.front().device != device)
    return {cudaErrorInvalidResourceConfiguration, "the resources are of another device"};
  HOSTWARP_TRY((*found)->context()->status());
  (*found)->holdForRuntime();
  const CUgreenCtx green = device::makeGreen(**found, *std::move(resources));
  *phCtx = named((*device::greenTable().find(green))->handle);
  return {};
}

Status cudaExecutionCtxDestroy(cudaExecutionContext_t ctx) {
  HOSTWARP_TRY(device::permitted());
  auto handle = greenOf(ctx);
  if (!handle.ok()) return handle.status();
  if (auto green = device::greenTable().take(*handle)) device::destroyGreen(**green);
  return {};
}

Status cudaExecutionCtxGetDevResource(cudaExecutionContext_t ctx, cudaDevResource *resource, cudaDevResourceType type) {
  auto context = contextOf(ctx);
  return context.ok() ? device::giveResource(resource, type, device::resourcesOf(*context)) : context.status();
}

Status cudaExecutionCtxGetDevice(int *device, cudaExecutionContext_t ctx) {
  auto context = contextOf(ctx);
  if (!context.ok()) return context.status();
  if (!device) return cudaErrorInvalidValue;
  *device = (*context)->device().ordinal();
  return {};
}

Status cudaExecutionCtxGetId(cudaExecutionContext_t ctx, unsigned long long *ctxId) {
  auto context = contextOf(ctx);
  if (!context.ok()) return context.status();
  if (!ctxId) return cudaErrorInvalidValue;
  *ctxId = reinterpret_cast<uintptr_t>(ctx);
  return {};
}

Status cudaExecutionCtxStreamCreate(cudaStream_t *phStream, cudaExecutionContext_t ctx, unsigned flags, int priority) {
  auto context = contextOf(ctx);
  if (!context.ok()) return context.status();
  if (!phStream || (flags & ~unsigned{cudaStreamNonBlocking})) return cudaErrorInvalidValue;
  HOSTWARP_TRY((*context)->status());
  const auto kind = flags & cudaStreamNonBlocking ? stream::StreamKind::NonBlocking : stream::StreamKind::Blocking;
  *phStream = device::streamIn(*context, kind, priority);
  return {};
}

Status cudaExecutionCtxSynchronize(cudaExecutionContext_t ctx) {
  auto context = contextOf(ctx);
  return context.ok() ? (*context)->synchronize() : context.status();
}

Status cudaExecutionCtxRecordEvent(cudaExecutionContext_t ctx, cudaEvent_t event) {
  auto context = contextOf(ctx);
  return context.ok() ? device::recordAll(*context, event) : context.status();
}

Status cudaExecutionCtxWaitEvent(cudaExecutionContext_t ctx, cudaEvent_t event) {
  auto context = contextOf(ctx);
  return context.ok() ? device::holdUp(*context, event) : context.status();
}

Status cudaDeviceGetExecutionCtx(cudaExecutionContext_t *ctx, int device) {
  if (!ctx) return cudaErrorInvalidValue;
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  HOSTWARP_TRY((*found)->context()->status());
  (*found)->holdForRuntime();
  *ctx = named(device::primaryHandle(**found));
  return {};
}

Status cudaStreamGetDevResource(cudaStream_t hStream, cudaDevResource *resource, cudaDevResourceType type) {
  auto stream = device::streamOf(hStream, device::InCapture::Ignore);
  if (!stream.ok()) return stream.status();
  if (type != cudaDevResourceTypeSm) return {cudaErrorInvalidResourceType, "a stream has SMs only"};
  return device::giveResource(resource, type, device::resourcesOf(stream->context));
}

}  // namespace hostwarp::api
