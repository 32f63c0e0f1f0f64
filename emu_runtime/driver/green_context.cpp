// Green contexts: parts of a device's SMs with streams of their own [CUDA 4.6 green contexts]. The memory, functions
// and errors are the primary context's.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"

namespace hostwarp::driver_api {

namespace {

// Part is consecutive SMs of a device; the driver's structures carry it in the bytes that programs leave alone.
struct Part {
  int device = -1;
  int first = 0;
  int count = 0;

  int end() const { return first + count; }
};

struct Green {
  device::ContextRef context;
  CUcontext handle = nullptr;
  std::vector<Part> parts;
};
using GreenTable = device::HandleTable<CUgreenCtx, std::shared_ptr<const Green>>;
using DescriptorTable = device::HandleTable<CUdevResourceDesc, std::vector<Part>>;

GreenTable &greenTable() {
  static auto *table = new GreenTable;
  return *table;
}
DescriptorTable &descriptorTable() {
  static auto *table = new DescriptorTable;
  return *table;
}

CUdevResource resourceOf(const Part &part) {
  CUdevResource resource{};
  if (part.count <= 0) return resource;
  resource.type = CU_DEV_RESOURCE_TYPE_SM;
  resource.sm.smCount = static_cast<unsigned>(part.count);
  static_assert(sizeof part <= sizeof resource._internal_padding);
  std::memcpy(resource._internal_padding, &part, sizeof part);
  return resource;
}

Expected<Part> partOf(const CUdevResource &resource) {
  if (resource.type != CU_DEV_RESOURCE_TYPE_SM) return cudaErrorInvalidResourceType;
  Part part;
  std::memcpy(&part, resource._internal_padding, sizeof part);
  auto device = device::find(part.device);
  const bool sound = device.ok() && part.first >= 0 && part.count > 0 && part.end() <= (*device)->model().sms &&
                     part.count == static_cast<int>(resource.sm.smCount);
  if (!sound) return Status(cudaErrorInvalidValue, "the resource is not one that the driver gave");
  return part;
}

// Grain is the least number of SMs in a part, and what the number is a multiple of.
struct Grain {
  int least;
  int step;
};
Grain grainOf(const device_model::Gpu &gpu, unsigned flags) {
  const int major = gpu.capability->major;
  if (major >= 9) return flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING ? Grain{2, 2} : Grain{8, 8};
  if (major == 8) return {4, 2};
  return major == 7 ? Grain{2, 2} : Grain{1, 1};
}

constexpr int largestCluster = 16;

Expected<std::shared_ptr<const Green>> greenOf(CUgreenCtx handle) {
  auto found = greenTable().find(handle);
  if (!found) return handle ? cudaErrorContextIsDestroyed : cudaErrorInvalidValue;
  return *std::move(found);
}

// giveParts() hands out the SMs of a context. Parts that a program put together come from one split and lie together.
Status giveParts(CUdevResource *resource, CUdevResourceType type, const std::vector<Part> &parts) {
  if (!resource) return cudaErrorInvalidValue;
  if (type != CU_DEV_RESOURCE_TYPE_SM) return cudaErrorInvalidResourceType;
  Part whole = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) whole.count += parts[i].count;
  *resource = resourceOf(whole);
  return {};
}

// The context behind a CUcontext; the primary one is made if need be.
Expected<device::ContextRef> contextBehind(CUcontext handle) {
  auto entry = device::contextTable().find(handle ? handle : device::boundContext());
  if (!entry) return handle ? cudaErrorContextIsDestroyed : cudaErrorDeviceUninitialized;
  return entry->made ? entry->made : entry->device->context();
}

// record() makes the event stand for everything that the context has been given so far.
Status record(device::Context &context, CUevent handle) {
  auto event = device::eventTable().find(handle);
  if (!event) return cudaErrorInvalidResourceHandle;
  if (&event->context->root() != &context.root()) return cudaErrorInvalidResourceHandle;
  const auto pending = context.streams().pending();
  event->event->announce()->schedule(pending);
  return {};
}

// holdUp() makes everything that the context is given from now on wait for the event.
Status holdUp(device::Context &context, CUevent handle) {
  auto event = device::eventTable().find(handle);
  if (!event) return cudaErrorInvalidResourceHandle;
  if (auto latest = event->event->latest(); latest && !latest->done()) context.streams().holdUp(latest);
  return {};
}

}  // namespace

Status cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type) {
  auto found = device::find(device);
  if (!found.ok()) return found.status();
  return giveParts(resource, type, {{device, 0, (*found)->model().sms}});
}

Status cuCtxGetDevResource(CUcontext hCtx, CUdevResource *resource, CUdevResourceType type) {
  auto context = contextBehind(hCtx);
  if (!context.ok()) return context.status();
  const auto handle = greenTable().findIf([&](const auto &green) { return green->context == *context; });
  if (handle) return driver_api::cuGreenCtxGetDevResource(*handle, resource, type);
  return driver_api::cuDeviceGetDevResource((*context)->device().ordinal(), resource, type);
}

Status cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource *resource, CUdevResourceType type) {
  auto green = greenOf(hCtx);
  return green.ok() ? giveParts(resource, type, (*green)->parts) : green.status();
}

Status cuDevSmResourceSplitByCount(CUdevResource *result, unsigned *nbGroups, const CUdevResource *input,
                                   CUdevResource *remaining, unsigned useFlags, unsigned minCount) {
  constexpr unsigned known =
      CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
  if (!nbGroups || !input || (useFlags & ~known)) return cudaErrorInvalidValue;
  auto whole = partOf(*input);
  if (!whole.ok()) return whole.status();
  const device_model::Gpu &gpu = (*device::find(whole->device))->model();
  Grain grain = grainOf(gpu, useFlags);
  if (useFlags & CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE && gpu.capability->major >= 9)
    grain.least = std::max(grain.least, largestCluster);
  if (minCount > static_cast<unsigned>(whole->count)) return cudaErrorInvalidResourceConfiguration;
  const int wanted = std::max(static_cast<int>(minCount), grain.least);
  const int each = (wanted + grain.step - 1) / grain.step * grain.step;
  const auto possible = static_cast<unsigned>(whole->count / each);
  if (possible == 0) return cudaErrorInvalidResourceConfiguration;
  if (!result) {
    *nbGroups = possible;
    return {};
  }
  *nbGroups = std::min(*nbGroups, possible);
  Part next{whole->device, whole->first, each};
  for (unsigned i = 0; i < *nbGroups; ++i, next.first += each) result[i] = resourceOf(next);
  if (remaining) *remaining = resourceOf({whole->device, next.first, whole->end() - next.first});
  return {};
}

Status cuDevResourceGenerateDesc(CUdevResourceDesc *phDesc, CUdevResource *resources, unsigned nbResources) {
  if (!phDesc || !resources || !nbResources) return cudaErrorInvalidValue;
  std::vector<Part> parts;
  for (unsigned i = 0; i < nbResources; ++i) {
    auto part = partOf(resources[i]);
    if (!part.ok()) return part.status();
    parts.push_back(*part);
  }
  std::ranges::sort(parts, {}, &Part::first);
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].device != parts[0].device || parts[i].first < parts[i - 1].end())
      return {cudaErrorInvalidResourceConfiguration, "the resources overlap or are of several devices"};
  }
  *phDesc = descriptorTable().add(std::move(parts));
  return {};
}

Status cuGreenCtxCreate(CUgreenCtx *phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned flags) {
  if (!phCtx || flags != CU_GREEN_CTX_DEFAULT_STREAM) return cudaErrorInvalidValue;
  auto device = device::find(dev);
  if (!device.ok()) return device.status();
  auto parts = descriptorTable().find(desc);
  if (!parts) return cudaErrorInvalidValue;
  if (parts->front().device != dev) return cudaErrorInvalidResourceConfiguration;
  int sms = 0;
  for (const Part &part : *parts) sms += part.count;
  CUcontext primary = nullptr;
  HOSTWARP_TRY(driver_api::cuDevicePrimaryCtxRetain(&primary, dev));
  auto green = std::make_shared<Green>();
  green->context = (*device)->makePart(sms);
  green->handle = device::contextTable().add({*device, green->context});
  green->parts = *std::move(parts);
  *phCtx = greenTable().add(std::move(green));
  return {};
}

Status cuGreenCtxDestroy(CUgreenCtx hCtx) {
  auto green = greenTable().take(hCtx);
  if (!green) return hCtx ? cudaErrorContextIsDestroyed : cudaErrorInvalidValue;
  device::Device &device = (*green)->context->device();
  device.destroyContext((*green)->context);
  if (device::boundContext() == (*green)->handle) device::bindContext(nullptr);
  (void)device::contextTable().take((*green)->handle);
  return driver_api::cuDevicePrimaryCtxRelease_v2(device.ordinal());
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
  const int kept = std::clamp(priority, device::greatestPriority, 0);
  const device::ContextRef &context = (*green)->context;
  HOSTWARP_TRY(context->status());
  *phStream = device::streamTable().add({context, context->streams().create(stream::StreamKind::NonBlocking, kept)});
  return {};
}

Status cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx *phCtx) {
  if (!phCtx) return cudaErrorInvalidValue;
  auto stream = device::streamOf(hStream, device::InCapture::Ignore);
  if (!stream.ok()) return stream.status();
  *phCtx = greenTable().findIf([&](const auto &green) { return green->context == stream->context; }).value_or(nullptr);
  return {};
}

Status cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent) {
  auto green = greenOf(hCtx);
  return green.ok() ? record(*(*green)->context, hEvent) : green.status();
}
Status cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent) {
  auto green = greenOf(hCtx);
  return green.ok() ? holdUp(*(*green)->context, hEvent) : green.status();
}
Status cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent) {
  auto context = contextBehind(hCtx);
  return context.ok() ? record(**context, hEvent) : context.status();
}
Status cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent) {
  auto context = contextBehind(hCtx);
  return context.ok() ? holdUp(**context, hEvent) : context.status();
}

}  // namespace hostwarp::driver_api
