// Chapter "execution": launching kernels and their attributes.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/launch.h"
#include "emu_runtime/execution/launch_hints.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/graph/device_node.h"
#include "emu_runtime/module/registry.h"

namespace hostwarp::api {

namespace {

using execution::LaunchConfiguration;

// LaunchPlan is a launch with the events that its attributes ask to record. A captured one makes of them edges by which
// others wait for the kernel's node.
struct LaunchPlan {
  struct EarlyEvent {
    cudaEvent_t event;
    cudaGraphEdgeData edge;
  };
  LaunchConfiguration configuration;
  std::vector<EarlyEvent> events;
};

// clusterOf() is what a launch asks for; three zeros ask for nothing.
Expected<std::optional<dim3>> clusterOf(unsigned x, unsigned y, unsigned z) {
  const dim3 cluster(x, y, z);
  if (execution::isImpossibleCluster(cluster)) return Status(cudaErrorInvalidClusterSize, "a cluster without blocks");
  return execution::isNoCluster(cluster) ? std::optional<dim3>() : std::optional<dim3>(cluster);
}

Status takeCluster(Expected<std::optional<dim3>> asked, std::optional<dim3> &cluster) {
  if (asked.ok()) cluster = *asked;
  return asked.status();
}

// takeHint() keeps what a captured launch hands on to its node.
Status takeHint(cudaLaunchAttribute &attribute, LaunchPlan &plan) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (attribute.id == cudaLaunchAttributeDeviceUpdatableKernelNode) {
    auto &wish = attribute.val.deviceUpdatableKernelNode;
    if (wish.deviceUpdatable) wish.devNode = graph::deviceNodeTable().add(std::make_shared<graph::DeviceNode>());
  } else {
    HOSTWARP_TRY(execution::checkHint(attribute.id, attribute.val, (*context)->model()));
  }
  plan.configuration.hints.push_back(attribute);
  return {};
}

// edgeFrom() is an edge for what may begin when all blocks have begun, or have triggered it.
cudaGraphEdgeData edgeFrom(unsigned char port, cudaGraphDependencyType type) {
  cudaGraphEdgeData edge{};
  edge.from_port = port;
  edge.type = static_cast<unsigned char>(type);
  return edge;
}

// takeEvent() takes an event that the kernel shall record before its end.
Status takeEvent(cudaEvent_t event, int flags, const cudaGraphEdgeData &edge, LaunchPlan &plan) {
  const auto found = device::eventTable().find(event);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (flags != 0 && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
  if (!(found->event->flags() & cudaEventDisableTiming))
    return {cudaErrorNotSupported, "events that kernels record before their end have no timing"};
  plan.events.push_back({event, edge});
  return {};
}

// applyAttribute() takes over one launch attribute. Hints are valid to ignore; what would change the meaning of the
// program is done or refused.
Status applyAttribute(cudaLaunchAttribute &attribute, LaunchPlan &plan) {
  const cudaLaunchAttributeValue &value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeIgnore:
      return {};
    case cudaLaunchAttributeCooperative:
      plan.configuration.cooperative = value.cooperative != 0;
      return {};
    case cudaLaunchAttributeClusterDimension:
      return takeCluster(clusterOf(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z),
                         plan.configuration.cluster);
    case cudaLaunchAttributePreferredClusterDimension:
      return takeCluster(
          clusterOf(value.preferredClusterDim.x, value.preferredClusterDim.y, value.preferredClusterDim.z),
          plan.configuration.preferredCluster);
    case cudaLaunchAttributeProgrammaticStreamSerialization:
      plan.configuration.overlaps = value.programmaticStreamSerializationAllowed != 0;
      return {};
    case cudaLaunchAttributePriority:
      plan.configuration.priority = std::clamp(value.priority, device::greatestPriority, 0);
      return {};
    case cudaLaunchAttributeProgrammaticEvent:
      return takeEvent(value.programmaticEvent.event, value.programmaticEvent.flags,
                       edgeFrom(value.programmaticEvent.triggerAtBlockStart ? cudaGraphKernelNodePortLaunchCompletion
                                                                            : cudaGraphKernelNodePortProgrammatic,
                                cudaGraphDependencyTypeProgrammatic),
                       plan);
    case cudaLaunchAttributeLaunchCompletionEvent:
      return takeEvent(value.launchCompletionEvent.event, value.launchCompletionEvent.flags,
                       edgeFrom(cudaGraphKernelNodePortLaunchCompletion, cudaGraphDependencyTypeDefault), plan);
    default:
      if (execution::isKernelHint(attribute.id) || attribute.id == cudaLaunchAttributeDeviceUpdatableKernelNode)
        return takeHint(attribute, plan);
  }
  return {cudaErrorInvalidValue, "launches have no attribute " + std::to_string(attribute.id)};
}

Expected<LaunchPlan> planOf(const cudaLaunchConfig_t *config) {
  if (!config || (config->numAttrs && !config->attrs)) return cudaErrorInvalidValue;
  LaunchPlan plan;
  plan.configuration.grid = config->gridDim;
  plan.configuration.block = config->blockDim;
  plan.configuration.dynamicShared = config->dynamicSmemBytes;
  plan.configuration.stream = config->stream;
  for (unsigned i = 0; i < config->numAttrs; ++i) HOSTWARP_TRY(applyAttribute(config->attrs[i], plan));
  return plan;
}

// record() makes the event, which promises less, stand for the end of the kernel that was launched last.
Status record(const LaunchPlan::EarlyEvent &early, cudaStream_t stream) {
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  if (!graph::capturing(*target)) return api::cudaEventRecord(early.event, stream);
  auto event = device::eventTable().find(early.event);
  return event ? graph::recordTrigger(*target, *event, early.edge) : Status(cudaErrorInvalidResourceHandle);
}

// setInRange() stores an attribute's value if it lies in [least, most].
Status setInRange(std::atomic<int> &attribute, int value, int least, int most) {
  if (value < least || value > most) return cudaErrorInvalidValue;
  attribute = value;
  return {};
}

// setCluster() stores one direction of the cluster. One that is too large is an error of the launch, one that differs
// from what the kernel was compiled for is an error here.
Status setCluster(std::atomic<int> &attribute, int value, unsigned compiled, const device_model::Gpu &gpu) {
  if (compiled) return static_cast<unsigned>(value) == compiled ? cudaSuccess : cudaErrorInvalidValue;
  return setInRange(attribute, value, 0, gpu.capability->hasClusters() ? std::numeric_limits<int>::max() : 0);
}

Status setAttribute(modules::Kernel &kernel, cudaFuncAttribute attribute, int value, const device_model::Gpu &gpu) {
  const hw_kernel &code = *kernel.code();
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      return setInRange(kernel.maxDynamicSharedBytes, value, 0,
                        static_cast<int>(device_model::dynamicSharedOptinLimit(gpu, execution::resourcesOf(kernel))));
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      return setInRange(kernel.preferredCarveout, value, cudaSharedmemCarveoutDefault, cudaSharedmemCarveoutMaxShared);
    case cudaFuncAttributeRequiredClusterWidth:
      return setCluster(kernel.clusterWidth, value, code.clusterDim[0], gpu);
    case cudaFuncAttributeRequiredClusterHeight:
      return setCluster(kernel.clusterHeight, value, code.clusterDim[1], gpu);
    case cudaFuncAttributeRequiredClusterDepth:
      return setCluster(kernel.clusterDepth, value, code.clusterDim[2], gpu);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      kernel.nonPortableClusterSize = value;
      return {};
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return setInRange(kernel.clusterSchedulingPolicy, value, cudaClusterSchedulingPolicyDefault,
                        cudaClusterSchedulingPolicyLoadBalancing);
    case cudaFuncAttributeClusterDimMustBeSet:  // read-only
    case cudaFuncAttributeMax:
      break;
  }
  return cudaErrorInvalidValue;
}

int orCompiled(const std::atomic<int> &attribute, unsigned compiled) {
  const int value = attribute;
  return value ? value : static_cast<int>(compiled);
}

cudaFuncAttributes attributesOf(const modules::Kernel &kernel, const device_model::Gpu &gpu) {
  const hw_kernel &code = *kernel.code();
  const auto resources = execution::resourcesOf(kernel);
  cudaFuncAttributes attributes{};
  attributes.sharedSizeBytes = code.staticSharedBytes;
  attributes.constSizeBytes = code.constantBytes;
  attributes.localSizeBytes = code.localBytes;
  // __block_size__ lowers neither of these two on a GPU.
  const bool sized = code.blockDim[0] != 0;
  attributes.maxThreadsPerBlock = sized ? device_model::maxThreadsPerBlock : resources.maxThreadsPerBlock;
  attributes.numRegs = resources.registers;
  const modules::Versions versions = modules::Registry::process().versionsOf(&code, modules::capabilityOf(gpu));
  attributes.ptxVersion = versions.ptx;
  attributes.binaryVersion = versions.binary;
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(device_model::dynamicSharedLimit(gpu, resources).value_or(0));
  attributes.preferredShmemCarveout = kernel.preferredCarveout;
  attributes.clusterDimMustBeSet = (code.flags & HW_KERNEL_NEEDS_CLUSTER) || (!sized && code.clusterDim[0] != 0);
  attributes.requiredClusterWidth = orCompiled(kernel.clusterWidth, code.clusterDim[0]);
  attributes.requiredClusterHeight = orCompiled(kernel.clusterHeight, code.clusterDim[1]);
  attributes.requiredClusterDepth = orCompiled(kernel.clusterDepth, code.clusterDim[2]);
  attributes.clusterSchedulingPolicyPreference = kernel.clusterSchedulingPolicy;
  attributes.nonPortableClusterSizeAllowed = kernel.nonPortableClusterSize;
  return attributes;
}

struct KernelOnDevice {
  std::shared_ptr<modules::Kernel> kernel;
  device::ContextRef context;
};

Expected<KernelOnDevice> kernelHere(const void *func) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto kernel = execution::kernelOf(func);
  if (!kernel.ok()) return kernel.status();
  return KernelOnDevice{*std::move(kernel), *context};
}

}  // namespace

Status cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                        cudaStream_t stream) {
  LaunchConfiguration configuration;
  configuration.grid = gridDim;
  configuration.block = blockDim;
  configuration.dynamicShared = sharedMem;
  configuration.stream = stream;
  return execution::launch(func, configuration, args);
}

Status cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                   cudaStream_t stream) {
  LaunchConfiguration configuration;
  configuration.grid = gridDim;
  configuration.block = blockDim;
  configuration.dynamicShared = sharedMem;
  configuration.stream = stream;
  configuration.cooperative = true;
  return execution::launch(func, configuration, args);
}

Status cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args) {
  auto plan = planOf(config);
  if (!plan.ok()) return plan.status();
  HOSTWARP_TRY(execution::launch(func, plan->configuration, args));
  for (const LaunchPlan::EarlyEvent &early : plan->events) HOSTWARP_TRY(record(early, plan->configuration.stream));
  return {};
}

Status cudaFuncSetCacheConfig(const void *func, cudaFuncCache cacheConfig) {
  auto here = kernelHere(func);
  if (!here.ok()) return here.status();
  return setInRange(here->kernel->cacheConfig, cacheConfig, cudaFuncCachePreferNone, cudaFuncCachePreferEqual);
}

Status cudaFuncSetSharedMemConfig(const void *func, cudaSharedMemConfig config) {
  auto here = kernelHere(func);
  if (!here.ok()) return here.status();
  const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return known ? Status() : Status(cudaErrorInvalidValue);
}

Status cudaFuncGetAttributes(cudaFuncAttributes *attr, const void *func) {
  if (!attr) return cudaErrorInvalidValue;
  auto here = kernelHere(func);
  if (!here.ok()) return here.status();
  *attr = attributesOf(*here->kernel, here->context->device().model());
  return {};
}

Status cudaFuncSetAttribute(const void *func, cudaFuncAttribute attr, int value) {
  auto here = kernelHere(func);
  if (!here.ok()) return here.status();
  return setAttribute(*here->kernel, attr, value, here->context->device().model());
}

// A kernel's handle is its host function: every function that takes the one takes the other.
Status cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr) {
  if (!kernelPtr) return cudaErrorInvalidValue;
  auto kernel = execution::kernelOf(entryFuncAddr);
  if (!kernel.ok()) {
    const bool unknown = kernel.status().code() == cudaErrorInvalidResourceHandle;
    return unknown ? cudaErrorInvalidDeviceFunction : kernel.status();
  }
  *kernelPtr = static_cast<cudaKernel_t>(const_cast<void *>((*kernel)->hostFunction()));
  return {};
}

Status cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attr, int value, int device) {
  auto target = device::find(device);
  if (!target.ok()) return target.status();
  auto found = execution::kernelOf(kernel);
  if (!found.ok()) return found.status();
  return setAttribute(**found, attr, value, (*target)->model());
}

Status cudaFuncGetName(const char **name, const void *func) {
  if (!name) return cudaErrorInvalidValue;
  if (const hw_kernel *waiting = modules::Registry::process().onDemand(func)) {
    *name = waiting->name;
    return {};
  }
  auto kernel = execution::kernelOf(func);
  if (!kernel.ok()) return kernel.status();
  *name = (*kernel)->code()->name;
  return {};
}

Status cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  if (!paramOffset) return cudaErrorInvalidValue;
  auto kernel = execution::kernelOf(func);
  if (!kernel.ok()) return kernel.status();
  const hw_kernel &code = *(*kernel)->code();
  if (paramIndex >= code.parameterCount) return cudaErrorInvalidValue;
  size_t offset = 0;
  for (size_t i = 0; i <= paramIndex; ++i) {
    const size_t alignment = std::max(1U, code.parameters[i].alignment);
    offset = (offset + alignment - 1) / alignment * alignment;
    if (i < paramIndex) offset += code.parameters[i].bytes;
  }
  *paramOffset = offset;
  if (paramSize) *paramSize = code.parameters[paramIndex].bytes;
  return {};
}

}  // namespace hostwarp::api
