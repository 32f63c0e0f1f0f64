// What the nodes of a graph do: one structure for each kind of node, checked when it is made.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_PARAMS_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_PARAMS_H

#include <cuda.h>
#include <driver_types.h>

#include <map>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/grid_launch.h"
#include "emu_runtime/execution/launch.h"
#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/graph/device_node.h"
#include "emu_runtime/graph/memory.h"
#include "emu_runtime/stream/external_semaphore.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::graph {

class Graph;
using GraphRef = std::shared_ptr<Graph>;

// KernelParams is a launch with its arguments, copied when the node is made. `attributes` are those that the program
// set; the configuration says what they mean.
struct KernelParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeKernel;
  using Attributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

  std::shared_ptr<modules::Kernel> kernel;
  execution::LaunchConfiguration configuration;
  std::shared_ptr<const execution::Arguments> arguments;
  Attributes attributes;
  DeviceNodeRef deviceNode;  // null unless kernels may change the node

  // of() copies the arguments, one pointer for each parameter.
  static KernelParams of(std::shared_ptr<modules::Kernel> kernel, const execution::LaunchConfiguration &configuration,
                         void *const *arguments);
  static Expected<KernelParams> of(const cudaKernelNodeParams *params);
  // given() is what a program gets to see; the pointers live as long as these parameters.
  cudaKernelNodeParams given() const;
  // setAttribute() takes over one attribute of a kernel node; attribute() returns it.
  Status setAttribute(cudaLaunchAttributeID id, cudaLaunchAttributeValue value);
  Expected<cudaLaunchAttributeValue> attribute(cudaLaunchAttributeID id) const;

 private:
  Status setCluster(const dim3 &cluster);
  Status checkHint(cudaLaunchAttributeID id, const cudaLaunchAttributeValue &value) const;
  Status makeUpdatable(cudaLaunchAttributeValue value);
};

struct CopyParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemcpy;
  execution::Copy copy;
  cudaMemcpy3DParms given;

  static CopyParams of(const execution::Copy &copy);
  static Expected<CopyParams> of(const cudaMemcpy3DParms *params);
  // one-dimensional copies between memory, and to or from a part of a module variable
  static Expected<CopyParams> of(void *dst, const void *src, size_t count, cudaMemcpyKind kind);
  static Expected<CopyParams> toSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                                       cudaMemcpyKind kind);
  static Expected<CopyParams> fromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                         cudaMemcpyKind kind);
};

struct FillParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemset;
  execution::Fill fill;
  cudaMemsetParams given;

  static FillParams of(const execution::Fill &fill);
  static Expected<FillParams> of(const cudaMemsetParams *params);
};

struct HostParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeHost;
  cudaHostFn_t function;
  void *userData;

  static Expected<HostParams> of(const cudaHostNodeParams *params);
};

struct EmptyParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
};

// ChildParams holds a graph of the node's own: a clone, or one moved here.
struct ChildParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeGraph;
  GraphRef graph;

  static Expected<ChildParams> of(cudaGraph_t graph, cudaGraphChildGraphNodeOwnership ownership);
};

template <cudaGraphNodeType nodeType>
struct EventParams {
  static constexpr cudaGraphNodeType type = nodeType;
  cudaEvent_t handle;
  device::EventRef event;

  static Expected<EventParams> of(cudaEvent_t handle) {
    auto event = device::eventTable().find(handle);
    if (!event) return cudaErrorInvalidValue;
    return EventParams{handle, *event};
  }
};
using RecordParams = EventParams<cudaGraphNodeTypeEventRecord>;
using WaitParams = EventParams<cudaGraphNodeTypeWaitEvent>;

struct AllocParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemAlloc;
  GraphMemoryRef memory;
  cudaMemAllocNodeParams given;
  std::shared_ptr<std::vector<cudaMemAccessDesc>> access;  // where given's descriptions lie

  // of() reserves the memory's addresses.
  static Expected<AllocParams> of(const cudaMemAllocNodeParams *params);
};

struct FreeParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeMemFree;
  void *pointer;
  GraphMemoryRef memory;  // null when a graph frees what cudaMallocAsync() gave

  static Expected<FreeParams> of(void *pointer);
};

// ConditionalParams runs one of its bodies, or the only one again and again, by the value behind the handle.
struct ConditionalParams {
  static constexpr cudaGraphNodeType type = cudaGraphNodeTypeConditional;
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType kind;
  std::vector<GraphRef> bodies;
  std::shared_ptr<std::vector<cudaGraph_t>> handles;  // of the bodies, for the program
};

// MemoryOpsParams waits for values in memory and writes some, one after the other. Only the driver API has such nodes.
struct MemoryOpsParams {
  static constexpr auto type = static_cast<cudaGraphNodeType>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  CUcontext context;
  std::shared_ptr<std::vector<CUstreamBatchMemOpParams>> operations;

  static Expected<MemoryOpsParams> of(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
  // given() is what a program gets to see; the array lives as long as these parameters.
  CUDA_BATCH_MEM_OP_NODE_PARAMS given() const;
};

// SemaphoreParams signals external semaphores or waits for them.
template <typename Node, cudaGraphNodeType nodeType>
struct SemaphoreParams {
  static constexpr cudaGraphNodeType type = nodeType;
  using Value = std::remove_cv_t<std::remove_pointer_t<decltype(Node::paramsArray)>>;
  struct Given {
    std::vector<cudaExternalSemaphore_t> semaphores;
    std::vector<Value> values;
  };
  stream::SemaphoreUses uses;
  std::shared_ptr<Given> asGiven;

  static Expected<SemaphoreParams> of(const cudaExternalSemaphore_t *semaphores, const Value *values, unsigned count);
  static Expected<SemaphoreParams> of(const Node *params) {
    if (!params) return cudaErrorInvalidValue;
    return of(params->extSemArray, params->paramsArray, params->numExtSems);
  }
  // given() is what a program gets to see; the arrays live as long as these parameters.
  Node given() const {
    return {asGiven->semaphores.data(), asGiven->values.data(), static_cast<unsigned>(asGiven->values.size())};
  }
};
using SignalParams = SemaphoreParams<cudaExternalSemaphoreSignalNodeParams, cudaGraphNodeTypeExtSemaphoreSignal>;
using AwaitParams = SemaphoreParams<cudaExternalSemaphoreWaitNodeParams, cudaGraphNodeTypeExtSemaphoreWait>;

using Params =
    std::variant<KernelParams, CopyParams, FillParams, HostParams, EmptyParams, ChildParams, RecordParams, WaitParams,
                 AllocParams, FreeParams, ConditionalParams, MemoryOpsParams, SignalParams, AwaitParams>;

// typeOf() is CUDA's name for the kind of node.
inline cudaGraphNodeType typeOf(const Params &params) {
  return std::visit([](const auto &kind) { return kind.type; }, params);
}

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_PARAMS_H
