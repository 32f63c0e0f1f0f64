#include "emu_runtime/graph/params.h"

#include <algorithm>
#include <string>
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/execution/box_copy.h"
#include "emu_runtime/execution/grid_launch.h"
#include "emu_runtime/execution/launch_hints.h"
#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/graph/graph.h"
#include "emu_runtime/ipc/external_semaphore.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/module/registry.h"
#include "emu_runtime/stream/memory_operation.h"

namespace hostwarp::graph {

namespace {

// The keys by which `extra` passes arguments as one buffer.
void *const bufferPointerKey = reinterpret_cast<void *>(1);  // NOLINT(performance-no-int-to-ptr)
void *const bufferSizeKey = reinterpret_cast<void *>(2);     // NOLINT(performance-no-int-to-ptr)

// pointersInto() finds the parameters in a buffer that is laid out as the kernel's parameter list.
Expected<std::vector<void *>> pointersInto(const hw_kernel &code, void **extra) {
  char *buffer = nullptr;
  size_t bytes = 0;
  for (; *extra; extra += 2) {
    if (*extra == bufferPointerKey) buffer = static_cast<char *>(extra[1]);
    if (*extra == bufferSizeKey) bytes = *static_cast<size_t *>(extra[1]);
  }
  execution::PackedParameters parameters(code, buffer);
  if (code.parameterCount && (!buffer || parameters.bytes > bytes)) return cudaErrorInvalidValue;
  return std::move(parameters.addresses);
}

cudaPitchedPtr given(const memory::Pitched &memory, const memory::Box &box) {
  const size_t rows = memory.pitch ? memory.slice / memory.pitch : 1;
  return {memory.start, memory.pitch, box.width, std::max<size_t>(rows, 1)};
}

// bytesOfSymbol() is `count` bytes at `offset` in a module variable of the current device.
Expected<char *> bytesOfSymbol(const void *symbol, size_t count, size_t offset) {
  void *start = nullptr;
  size_t bytes = 0;
  HOSTWARP_TRY(api::cudaGetSymbolAddress(&start, symbol));
  HOSTWARP_TRY(api::cudaGetSymbolSize(&bytes, symbol));
  if (offset > bytes || count > bytes - offset) {
    return Status(cudaErrorInvalidValue, "the copy goes beyond the end of the variable");
  }
  return static_cast<char *>(start) + offset;
}

// checkLaunch() refuses what the current device cannot launch as soon as it is said.
Status checkLaunch(const modules::Kernel &kernel, const execution::LaunchConfiguration &configuration) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  const Status status = execution::prepare(kernel, configuration, **context).status();
  return status.ok() ? status : Status(cudaErrorInvalidValue, status.message());
}

}  // namespace

KernelParams KernelParams::of(std::shared_ptr<modules::Kernel> kernel,
                              const execution::LaunchConfiguration &configuration, void *const *arguments) {
  KernelParams params;
  params.arguments = std::make_shared<execution::Arguments>(*kernel->code(), arguments);
  params.kernel = std::move(kernel);
  params.configuration = configuration;
  params.configuration.stream = nullptr;
  if (configuration.cooperative) params.attributes[cudaLaunchAttributeCooperative].cooperative = 1;
  if (configuration.priority) params.attributes[cudaLaunchAttributePriority].priority = *configuration.priority;
  if (configuration.cluster) {
    const dim3 &cluster = *configuration.cluster;
    params.attributes[cudaLaunchAttributeClusterDimension].clusterDim = {cluster.x, cluster.y, cluster.z};
  }
  return params;
}

Expected<KernelParams> KernelParams::of(const cudaKernelNodeParams *params) {
  if (!params) return cudaErrorInvalidValue;
  auto kernel = execution::kernelOf(params->func);
  if (!kernel.ok()) return kernel.status();
  const hw_kernel &code = *(*kernel)->code();
  execution::LaunchConfiguration configuration;
  configuration.grid = params->gridDim;
  configuration.block = params->blockDim;
  configuration.dynamicShared = params->sharedMemBytes;
  HOSTWARP_TRY(checkLaunch(**kernel, configuration));
  if (params->kernelParams && params->extra) return cudaErrorInvalidValue;
  if (params->kernelParams || code.parameterCount == 0) {
    return of(*std::move(kernel), configuration, params->kernelParams);
  }
  if (!params->extra) return cudaErrorInvalidValue;
  auto pointers = pointersInto(code, params->extra);
  if (!pointers.ok()) return pointers.status();
  return of(*std::move(kernel), configuration, pointers->data());
}

cudaKernelNodeParams KernelParams::given() const {
  cudaKernelNodeParams params{};
  params.func = const_cast<void *>(kernel->hostFunction());
  params.gridDim = configuration.grid;
  params.blockDim = configuration.block;
  params.sharedMemBytes = static_cast<unsigned>(configuration.dynamicShared);
  params.kernelParams = const_cast<void **>(arguments->pointers());
  return params;
}

// makeUpdatable() gives the node a handle for kernels, or takes over the one that it has had before.
Status KernelParams::makeUpdatable(cudaLaunchAttributeValue value) {
  auto &wish = value.deviceUpdatableKernelNode;
  if (wish.deviceUpdatable != 0 && wish.deviceUpdatable != 1) return cudaErrorInvalidValue;
  if (!wish.deviceUpdatable) return deviceNode ? Status(cudaErrorInvalidValue) : Status();
  if (deviceNode) return {};
  deviceNode = deviceNodeTable().find(wish.devNode).value_or(nullptr);
  if (!deviceNode) {
    deviceNode = std::make_shared<DeviceNode>();
    wish.devNode = deviceNodeTable().add(deviceNode);
  }
  deviceNode->reset(kernel->code(), configuration.grid, arguments);
  attributes[cudaLaunchAttributeDeviceUpdatableKernelNode] = value;
  return {};
}

// setCluster() checks the cluster against the kernel and its grid.
Status KernelParams::setCluster(const dim3 &cluster) {
  execution::LaunchConfiguration changed = configuration;
  changed.cluster = execution::isNoCluster(cluster) ? std::nullopt : std::optional<dim3>(cluster);
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  HOSTWARP_TRY(execution::prepare(*kernel, changed, **context).status());
  configuration = std::move(changed);
  return {};
}

Status KernelParams::checkHint(cudaLaunchAttributeID id, const cudaLaunchAttributeValue &value) const {
  if (!execution::isKernelHint(id))
    return {cudaErrorInvalidValue, "kernel nodes have no launch attribute " + std::to_string(id)};
  auto context = device::currentContext();
  return context.ok() ? execution::checkHint(id, value, (*context)->model()) : context.status();
}

Status KernelParams::setAttribute(cudaLaunchAttributeID id, cudaLaunchAttributeValue value) {
  switch (id) {
    case cudaLaunchAttributeCooperative:
      configuration.cooperative = value.cooperative != 0;
      break;
    case cudaLaunchAttributePriority:
      value.priority = std::clamp(value.priority, device::greatestPriority, 0);
      configuration.priority = value.priority;
      break;
    case cudaLaunchAttributeClusterDimension:
      HOSTWARP_TRY(setCluster(dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z)));
      break;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return makeUpdatable(value);
    default:
      HOSTWARP_TRY(checkHint(id, value));
  }
  attributes[id] = value;
  return {};
}

Expected<cudaLaunchAttributeValue> KernelParams::attribute(cudaLaunchAttributeID id) const {
  if (const auto found = attributes.find(id); found != attributes.end()) return found->second;
  if (const uint32_t *compiled = kernel->code()->clusterDim; id == cudaLaunchAttributeClusterDimension && compiled[0]) {
    cudaLaunchAttributeValue value = {};
    value.clusterDim = {compiled[0], compiled[1], compiled[2]};
    return value;
  }
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return execution::unsetAttribute(id);
    default:
      return Status(cudaErrorInvalidValue, "kernel nodes do not tell launch attribute " + std::to_string(id));
  }
}

CopyParams CopyParams::of(const execution::Copy &copy) {
  CopyParams params{copy, {}};
  params.given.srcPtr = graph::given(copy.from, copy.box);
  params.given.dstPtr = graph::given(copy.to, copy.box);
  params.given.extent = {copy.box.width, copy.box.height, copy.box.depth};
  params.given.kind = copy.kind;
  return params;
}

Expected<CopyParams> CopyParams::of(const cudaMemcpy3DParms *params) {
  if (!params) return cudaErrorInvalidValue;
  auto copy = execution::boxCopy(*params);
  if (!copy.ok()) return copy.status();
  if (copy->box.bytes() == 0) return cudaErrorInvalidValue;
  HOSTWARP_TRY(execution::check(*copy));
  return CopyParams{*copy, *params};
}

Expected<CopyParams> CopyParams::of(void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  const execution::Copy copy = execution::linear(dst, src, count, kind);
  if (count == 0) return cudaErrorInvalidValue;
  HOSTWARP_TRY(execution::check(copy));
  return of(copy);
}

Expected<CopyParams> CopyParams::toSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                                          cudaMemcpyKind kind) {
  auto part = bytesOfSymbol(symbol, count, offset);
  if (!part.ok()) return part.status();
  if (!execution::toDevice(kind)) return cudaErrorInvalidMemcpyDirection;
  return of(*part, src, count, kind);
}

Expected<CopyParams> CopyParams::fromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                            cudaMemcpyKind kind) {
  auto part = bytesOfSymbol(symbol, count, offset);
  if (!part.ok()) return part.status();
  if (!execution::fromDevice(kind)) return cudaErrorInvalidMemcpyDirection;
  return of(dst, *part, count, kind);
}

FillParams FillParams::of(const execution::Fill &fill) {
  FillParams params{fill, {}};
  params.given.dst = fill.to.start;
  params.given.pitch = fill.to.pitch;
  params.given.value = fill.value;
  params.given.elementSize = static_cast<unsigned>(fill.elementBytes);
  params.given.width = fill.box.width / fill.elementBytes;
  params.given.height = fill.box.height * fill.box.depth;
  return params;
}

Expected<FillParams> FillParams::of(const cudaMemsetParams *params) {
  if (!params) return cudaErrorInvalidValue;
  const size_t element = params->elementSize;
  if (element != 1 && element != 2 && element != 4) return cudaErrorInvalidValue;
  if (!params->width || !params->height) return cudaErrorInvalidValue;
  if (reinterpret_cast<uintptr_t>(params->dst) % element)
    return Status(cudaErrorInvalidValue, "a fill starts at an element");
  execution::Fill fill;
  fill.box = {params->width * element, params->height, 1};
  fill.to = {static_cast<char *>(params->dst), params->pitch, params->pitch * params->height};
  fill.value = params->value;
  fill.elementBytes = element;
  HOSTWARP_TRY(execution::check(fill));
  return FillParams{fill, *params};
}

Expected<HostParams> HostParams::of(const cudaHostNodeParams *params) {
  if (!params || !params->fn) return cudaErrorInvalidValue;
  return HostParams{params->fn, params->userData};
}

Expected<ChildParams> ChildParams::of(cudaGraph_t handle, cudaGraphChildGraphNodeOwnership ownership) {
  GraphRef graph = Graph::find(handle);
  if (!graph) return cudaErrorInvalidValue;
  if (graph->moved) return Status(cudaErrorNotSupported, "the graph is a part of another one");
  if (ownership == cudaGraphChildGraphOwnershipMove) {
    if (!graph->takeBack()) return cudaErrorInvalidValue;
    graph->moved = true;
  } else {
    if (graph->hasMemoryNodes()) {
      return Status(cudaErrorNotSupported, "a graph with memory nodes becomes a child only by being moved");
    }
    if (graph->hasConditionalNodes()) {
      return Status(cudaErrorNotSupported, "a graph with conditional nodes becomes a child only by being moved");
    }
    graph = graph->clone();
  }
  return ChildParams{std::move(graph)};
}

namespace {

// checkAccess(): all memory is reachable from everywhere, with reads and writes.
Status checkAccess(const cudaMemAccessDesc &access) {
  if (access.flags != cudaMemAccessFlagsProtReadWrite)
    return {cudaErrorNotSupported, "memory of graphs is for reading and writing"};
  if (access.location.type == cudaMemLocationTypeDevice && !device::find(access.location.id).ok())
    return cudaErrorInvalidDevice;
  return access.location.type == cudaMemLocationTypeInvalid ? cudaErrorInvalidValue : cudaSuccess;
}

Status checkPool(const cudaMemPoolProps &pool) {
  if (pool.allocType != cudaMemAllocationTypePinned || pool.location.type == cudaMemLocationTypeInvalid)
    return cudaErrorInvalidValue;
  if (pool.handleTypes != cudaMemHandleTypeNone || pool.location.type != cudaMemLocationTypeDevice)
    return {cudaErrorNotSupported, "memory of graphs is a device's, and of one process"};
  return {};
}

}  // namespace

Expected<AllocParams> AllocParams::of(const cudaMemAllocNodeParams *params) {
  if (!params || params->bytesize == 0) return cudaErrorInvalidValue;
  const cudaMemPoolProps &pool = params->poolProps;
  HOSTWARP_TRY(checkPool(pool));
  if (params->accessDescCount && !params->accessDescs) return cudaErrorInvalidValue;
  for (size_t i = 0; i < params->accessDescCount; ++i) HOSTWARP_TRY(checkAccess(params->accessDescs[i]));
  auto device = device::find(pool.location.id);
  if (!device.ok()) return cudaErrorInvalidValue;
  auto memory = GraphMemory::reserve(**device, params->bytesize);
  if (!memory) return cudaErrorMemoryAllocation;
  // The program's array need not live on. All memory is reachable from every device, whatever it says.
  const auto *first = params->accessDescs;
  auto access = std::make_shared<std::vector<cudaMemAccessDesc>>(first, first + params->accessDescCount);
  AllocParams made{memory, *params, access};
  made.given.dptr = memory->start();
  made.given.accessDescs = access->empty() ? nullptr : access->data();
  return made;
}

Expected<FreeParams> FreeParams::of(void *pointer) {
  auto allocation = memory::AllocationTable::process().find(pointer);
  if (!allocation || reinterpret_cast<uintptr_t>(pointer) != allocation->start) return cudaErrorInvalidValue;
  if (allocation->kind == memory::Kind::Graph) return FreeParams{pointer, GraphMemory::at(pointer)};
  return Status(cudaErrorInvalidValue, "graphs free what graphs have allocated");
}

Expected<MemoryOpsParams> MemoryOpsParams::of(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
  if (!params || params->count > stream::mostMemoryOperations || params->flags) return cudaErrorInvalidValue;
  if (!params->paramArray && params->count > 0) return cudaErrorInvalidValue;
  const auto *first = params->paramArray;
  for (unsigned i = 0; i < params->count; ++i) HOSTWARP_TRY(stream::memoryOperation(first[i], nullptr).status());
  return MemoryOpsParams{params->ctx,
                         std::make_shared<std::vector<CUstreamBatchMemOpParams>>(first, first + params->count)};
}

CUDA_BATCH_MEM_OP_NODE_PARAMS MemoryOpsParams::given() const {
  CUDA_BATCH_MEM_OP_NODE_PARAMS params{};
  params.ctx = context;
  params.count = static_cast<unsigned>(operations->size());
  params.paramArray = operations->data();
  return params;
}

template <typename Node, cudaGraphNodeType nodeType>
Expected<SemaphoreParams<Node, nodeType>> SemaphoreParams<Node, nodeType>::of(const cudaExternalSemaphore_t *semaphores,
                                                                              const Value *values, unsigned count) {
  auto uses = ipc::usesOf(semaphores, values, count);
  if (!uses.ok()) return uses.status();
  Given given{{semaphores, semaphores + count}, {values, values + count}};
  return SemaphoreParams{*std::move(uses), std::make_shared<Given>(std::move(given))};
}
template struct SemaphoreParams<cudaExternalSemaphoreSignalNodeParams, cudaGraphNodeTypeExtSemaphoreSignal>;
template struct SemaphoreParams<cudaExternalSemaphoreWaitNodeParams, cudaGraphNodeTypeExtSemaphoreWait>;

}  // namespace hostwarp::graph
