// Chapter "graph", the nodes: making each kind, asking for its parameters and changing them.
#include <memory>
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/any_params.h"
#include "emu_runtime/graph/handles.h"

namespace hostwarp::graph {

Status setParams(cudaGraphNode_t handle, const Expected<Params> &params) {
  auto node = nodeOf(handle);
  if (!node.ok()) return node.status();
  if (!params.ok()) return params.status();
  if ((*node)->params.index() != params->index()) return cudaErrorInvalidValue;
  HOSTWARP_TRY((*node)->graph().refuseCycle(*params));
  (*node)->params = *params;
  return {};
}

}  // namespace hostwarp::graph

namespace hostwarp::api {

using namespace graph;  // this file is the chapter's edge

namespace {

// giveParams() hands out what the program gave; the node must be of the kind.
template <typename Kind, typename Out, typename Get>
Status giveParams(cudaGraphNode_t node, Out *out, Get get) {
  HOSTWARP_TRY(device::permitted());
  const Kind *params = paramsOf<Kind>(node);
  if (!params || !out) return cudaErrorInvalidValue;
  *out = get(*params);
  return {};
}

// conditionOf() finds the handle's condition in the graph or in those that it is inside of; null: it has none there.
graph::Condition *conditionOf(GraphRef owner, cudaGraphConditionalHandle handle) {
  for (; owner; owner = owner->enclosing.lock()) {
    const auto found = owner->conditions.find(handle);
    if (found != owner->conditions.end()) return &found->second;
  }
  return nullptr;
}

// checkCondition() tells whether a node may be made for the condition: it is known and has no node yet.
Status checkCondition(const graph::Condition *condition, const cudaConditionalNodeParams &params) {
  if (!condition) return Status(cudaErrorInvalidValue, "the conditional handle is of another graph");
  if (condition->used) return Status(cudaErrorInvalidValue, "the conditional handle has a node already");
  switch (params.type) {
    case cudaGraphCondTypeIf:
      return params.size == 1 || params.size == 2 ? Status() : Status(cudaErrorInvalidValue);
    case cudaGraphCondTypeWhile:
      return params.size == 1 ? Status() : Status(cudaErrorInvalidValue);
    case cudaGraphCondTypeSwitch:
      return params.size >= 1 ? Status() : Status(cudaErrorInvalidValue);
  }
  return cudaErrorInvalidValue;
}

// addConditional() makes the node with its bodies, which the program fills.
Status addConditional(cudaGraphNode_t *out, cudaGraph_t handle, Expected<std::vector<Edge>> dependencies,
                      cudaConditionalNodeParams &given) {
  auto owner = graphOf(handle);
  if (!owner.ok()) return owner.status();
  graph::Condition *condition = conditionOf(*owner, given.handle);
  HOSTWARP_TRY(checkCondition(condition, given));
  ConditionalParams params{given.handle, given.type, {}, std::make_shared<std::vector<cudaGraph_t>>()};
  for (unsigned i = 0; i < given.size; ++i) {
    params.bodies.push_back(Graph::create());
    params.bodies.back()->enclosing = *owner;
    params.handles->push_back(params.bodies.back()->handle());
  }
  cudaGraph_t *bodies = params.handles->data();
  HOSTWARP_TRY(addNode(out, handle, std::move(dependencies), Params(std::move(params))));
  condition->used = true;
  given.phGraph_out = bodies;
  return {};
}

}  // namespace

Status cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                        const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                        cudaGraphNodeParams *nodeParams) {
  if (!nodeParams || nodeParams->reserved2) return cudaErrorInvalidValue;
  auto edges = edgesOf(pDependencies, dependencyData, numDependencies);
  if (nodeParams->type == cudaGraphNodeTypeConditional) {
    return addConditional(pGraphNode, graph, std::move(edges), nodeParams->conditional);
  }
  const bool isKernel = nodeParams->type == cudaGraphNodeTypeKernel;
  const auto context = isKernel ? reinterpret_cast<CUcontext>(nodeParams->kernel.ctx) : nullptr;
  if (context && !device::contextTable().find(context)) return cudaErrorInvalidValue;
  const device::ContextScope scope(context);
  auto params = anyParams(*nodeParams);
  void *allocated = nullptr;
  if (params.ok() && nodeParams->type == cudaGraphNodeTypeMemAlloc)
    allocated = std::get<AllocParams>(*params).given.dptr;
  HOSTWARP_TRY(addNode(pGraphNode, graph, std::move(edges), std::move(params)));
  if (allocated) nodeParams->alloc.dptr = allocated;
  return {};
}

Status cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *nodeParams) {
  return nodeParams ? setParams(node, anyParams(*nodeParams)) : Status(cudaErrorInvalidValue);
}

Status cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
                                        unsigned defaultLaunchValue, unsigned flags) {
  static std::atomic<cudaGraphConditionalHandle> next{1};
  auto owner = graphOf(graph);
  if (!owner.ok()) return owner.status();
  if (!pHandle_out || (flags & ~unsigned{cudaGraphCondAssignDefault})) return cudaErrorInvalidValue;
  *pHandle_out = next.fetch_add(1);
  (*owner)->conditions[*pHandle_out] = {defaultLaunchValue, (flags & cudaGraphCondAssignDefault) != 0, false};
  return {};
}

// --- Kernel nodes ---

Status cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                              size_t numDependencies, const cudaKernelNodeParams *pNodeParams) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(KernelParams::of(pNodeParams)));
}

Status cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *pNodeParams) {
  return giveParams<KernelParams>(node, pNodeParams, [](const KernelParams &params) { return params.given(); });
}

Status cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *pNodeParams) {
  HOSTWARP_TRY(device::permitted());
  KernelParams *params = paramsOf<KernelParams>(node);
  if (!params) return cudaErrorInvalidValue;
  auto changed = KernelParams::of(pNodeParams);
  if (!changed.ok()) return changed.status();
  for (const auto &[id, value] : params->attributes) HOSTWARP_TRY(changed->setAttribute(id, value));
  *params = *std::move(changed);
  return {};
}

Status cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc) {
  HOSTWARP_TRY(device::permitted());
  KernelParams *to = paramsOf<KernelParams>(hDst);
  const KernelParams *from = paramsOf<KernelParams>(hSrc);
  if (!to || !from) return cudaErrorInvalidValue;
  if (to->deviceNode || from->deviceNode)
    return {cudaErrorInvalidValue, "attributes of nodes that kernels may change are not copied"};
  const KernelParams::Attributes attributes = from->attributes;
  for (const auto &[id, value] : attributes) HOSTWARP_TRY(to->setAttribute(id, value));
  return {};
}

Status cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                       cudaLaunchAttributeValue *value_out) {
  HOSTWARP_TRY(device::permitted());
  const KernelParams *params = paramsOf<KernelParams>(hNode);
  if (!params || !value_out) return cudaErrorInvalidValue;
  auto value = params->attribute(attr);
  if (value.ok()) *value_out = *value;
  return value.status();
}

Status cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                       const cudaLaunchAttributeValue *value) {
  HOSTWARP_TRY(device::permitted());
  KernelParams *params = paramsOf<KernelParams>(hNode);
  return params && value ? params->setAttribute(attr, *value) : Status(cudaErrorInvalidValue);
}

// --- Copy nodes ---

Status cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                              size_t numDependencies, const cudaMemcpy3DParms *pCopyParams) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(CopyParams::of(pCopyParams)));
}

Status cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                size_t numDependencies, void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(CopyParams::of(dst, src, count, kind)));
}

Status cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies, size_t numDependencies, const void *symbol,
                                      const void *src, size_t count, size_t offset, cudaMemcpyKind kind) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(CopyParams::toSymbol(symbol, src, count, offset, kind)));
}

Status cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                        const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(CopyParams::fromSymbol(dst, symbol, count, offset, kind)));
}

Status cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *pNodeParams) {
  return giveParams<CopyParams>(node, pNodeParams, [](const CopyParams &params) { return params.given; });
}

Status cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *pNodeParams) {
  return setParams(node, wider(CopyParams::of(pNodeParams)));
}

Status cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                      cudaMemcpyKind kind) {
  return setParams(node, wider(CopyParams::of(dst, src, count, kind)));
}

Status cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *src, size_t count,
                                            size_t offset, cudaMemcpyKind kind) {
  return setParams(node, wider(CopyParams::toSymbol(symbol, src, count, offset, kind)));
}

Status cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
                                              size_t offset, cudaMemcpyKind kind) {
  return setParams(node, wider(CopyParams::fromSymbol(dst, symbol, count, offset, kind)));
}

// --- Fill, host, empty, child and event nodes ---

Status cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                              size_t numDependencies, const cudaMemsetParams *pMemsetParams) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(FillParams::of(pMemsetParams)));
}

Status cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *pNodeParams) {
  return giveParams<FillParams>(node, pNodeParams, [](const FillParams &params) { return params.given; });
}

Status cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *pNodeParams) {
  return setParams(node, wider(FillParams::of(pNodeParams)));
}

Status cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                            size_t numDependencies, const cudaHostNodeParams *pNodeParams) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(HostParams::of(pNodeParams)));
}

Status cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *pNodeParams) {
  return giveParams<HostParams>(
      node, pNodeParams, [](const HostParams &params) { return cudaHostNodeParams{params.function, params.userData}; });
}

Status cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *pNodeParams) {
  return setParams(node, wider(HostParams::of(pNodeParams)));
}

Status cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                             size_t numDependencies) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies), Params(EmptyParams{}));
}

Status cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                  size_t numDependencies, cudaGraph_t childGraph) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(ChildParams::of(childGraph, cudaGraphChildGraphOwnershipClone)));
}

Status cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *pGraph) {
  return giveParams<ChildParams>(node, pGraph, [](const ChildParams &params) { return params.graph->handle(); });
}

Status cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, cudaEvent_t event) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies), wider(RecordParams::of(event)));
}

Status cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out) {
  return giveParams<RecordParams>(node, event_out, [](const RecordParams &params) { return params.handle; });
}

Status cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setParams(node, wider(RecordParams::of(event)));
}

Status cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                 size_t numDependencies, cudaEvent_t event) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies), wider(WaitParams::of(event)));
}

Status cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out) {
  return giveParams<WaitParams>(node, event_out, [](const WaitParams &params) { return params.handle; });
}

Status cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setParams(node, wider(WaitParams::of(event)));
}

// --- External semaphores ---

Status cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                const cudaExternalSemaphoreSignalNodeParams *nodeParams) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(SignalParams::of(nodeParams)));
}

Status cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t hNode,
                                                      cudaExternalSemaphoreSignalNodeParams *params_out) {
  return giveParams<SignalParams>(hNode, params_out, [](const SignalParams &params) { return params.given(); });
}

Status cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t hNode,
                                                      const cudaExternalSemaphoreSignalNodeParams *nodeParams) {
  return setParams(hNode, wider(SignalParams::of(nodeParams)));
}

Status cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                              const cudaExternalSemaphoreWaitNodeParams *nodeParams) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies),
                 wider(AwaitParams::of(nodeParams)));
}

Status cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t hNode,
                                                    cudaExternalSemaphoreWaitNodeParams *params_out) {
  return giveParams<AwaitParams>(hNode, params_out, [](const AwaitParams &params) { return params.given(); });
}

Status cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t hNode,
                                                    const cudaExternalSemaphoreWaitNodeParams *nodeParams) {
  return setParams(hNode, wider(AwaitParams::of(nodeParams)));
}

// --- Memory nodes ---

Status cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                size_t numDependencies, cudaMemAllocNodeParams *nodeParams) {
  auto params = AllocParams::of(nodeParams);
  if (!params.ok()) return params.status();
  void *allocated = params->given.dptr;
  HOSTWARP_TRY(addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies), wider(std::move(params))));
  nodeParams->dptr = allocated;
  return {};
}

Status cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *params_out) {
  return giveParams<AllocParams>(node, params_out, [](const AllocParams &params) { return params.given; });
}

Status cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                               size_t numDependencies, void *dptr) {
  return addNode(pGraphNode, graph, edgesOf(pDependencies, nullptr, numDependencies), wider(FreeParams::of(dptr)));
}

Status cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out) {
  return giveParams<FreeParams>(node, static_cast<void **>(dptr_out),
                                [](const FreeParams &params) { return params.pointer; });
}

}  // namespace hostwarp::api
