// Chapter "graph", executables: instantiating, launching, changing.
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/any_params.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/graph/handles.h"

namespace hostwarp::graph {

namespace {

// Part is an executable and the node of its snapshot that stands for one of the instantiated graph.
struct Part {
  ExecutableRef executable;
  Node *node;
};

Expected<Part> partOf(cudaGraphExec_t handle, cudaGraphNode_t original) {
  auto executable = executableOf(handle);
  if (!executable.ok()) return executable.status();
  auto node = nodeOf(original);
  if (!node.ok()) return node.status();
  Node *own = (*executable)->nodeOf(**node);
  if (!own) return Status(cudaErrorInvalidValue, "the executable was not made from the node's graph");
  return Part{*executable, own};
}

}  // namespace

Status changeParams(cudaGraphExec_t executable, cudaGraphNode_t node, Expected<Params> params) {
  auto part = partOf(executable, node);
  if (!part.ok()) return part.status();
  if (!params.ok()) return params.status();
  return part->executable->change(*part->node, *std::move(params));
}

}  // namespace hostwarp::graph

namespace hostwarp::api {

using namespace graph;  // this file is the chapter's edge

namespace {

Expected<cudaGraphExec_t> instantiate(cudaGraph_t handle, unsigned long long flags, Plan::Failure &failure) {
  auto graph = graphOf(handle);
  if (!graph.ok()) return graph.status();
  HOSTWARP_TRY(refuseUnsafe());
  if ((*graph)->moved) return Status(cudaErrorNotSupported, "a graph that was moved into another one is a part of it");
  auto made = Executable::instantiate(**graph, flags, failure);
  if (!made.ok()) return made.status();
  return executableTable().add(*std::move(made));
}

}  // namespace

Status cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags) {
  return api::cudaGraphInstantiateWithFlags(pGraphExec, graph, flags);
}

Status cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags) {
  // An upload needs a stream, which only cudaGraphInstantiateWithParams() can be given.
  if (!pGraphExec || (flags & cudaGraphInstantiateFlagUpload)) return cudaErrorInvalidValue;
  Plan::Failure failure;
  auto made = instantiate(graph, flags, failure);
  if (!made.ok()) return made.status();
  *pGraphExec = *made;
  return {};
}

Status cudaGraphInstantiateWithParams(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                      cudaGraphInstantiateParams *instantiateParams) {
  if (!pGraphExec || !instantiateParams) return cudaErrorInvalidValue;
  Plan::Failure failure;
  auto made = instantiate(graph, instantiateParams->flags, failure);
  instantiateParams->result_out = made.ok() ? cudaGraphInstantiateSuccess : failure.result;
  instantiateParams->errNode_out = failure.culprit ? failure.culprit->handle() : nullptr;
  if (!made.ok()) return made.status();
  *pGraphExec = *made;
  return {};
}

Status cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long *flags) {
  auto executable = executableOf(graphExec);
  if (!executable.ok()) return executable.status();
  if (!flags) return cudaErrorInvalidValue;
  // An H200 tells of these; an upload is over, and priorities it keeps to itself.
  *flags = (*executable)->flags() & (cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch);
  return {};
}

Status cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
  auto executable = executableOf(graphExec);
  if (!executable.ok()) return executable.status();
  HOSTWARP_TRY(device::streamOf(stream).status());
  return (*executable)->upload();
}

Status cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  auto executable = executableOf(graphExec);
  if (!executable.ok()) return executable.status();
  auto target = device::streamOf(stream);
  if (!target.ok()) return target.status();
  return (*executable)->launch(*target);
}

Status cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  HOSTWARP_TRY(device::permitted());
  auto executable = executableTable().take(graphExec);
  if (!executable) return cudaErrorInvalidValue;
  (*executable)->forgetLast();
  return {};
}

Status cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphExecUpdateResultInfo *resultInfo) {
  cudaGraphExecUpdateResultInfo info{cudaGraphExecUpdateError, nullptr, nullptr};
  auto executable = executableOf(hGraphExec);
  auto graph = graphOf(hGraph);
  Status status = cudaErrorInvalidValue;
  if (executable.ok() && graph.ok() && !(*graph)->moved) status = (*executable)->update(**graph, info);
  if (resultInfo) *resultInfo = info;
  return status;
}

Status cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node, cudaGraphNodeParams *nodeParams) {
  return nodeParams ? changeParams(graphExec, node, anyParams(*nodeParams)) : Status(cudaErrorInvalidValue);
}

Status cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                        const cudaKernelNodeParams *pNodeParams) {
  auto part = partOf(hGraphExec, node);
  if (!part.ok()) return part.status();
  const auto *own = std::get_if<KernelParams>(&part->node->params);
  if (!own) return cudaErrorInvalidValue;
  auto params = KernelParams::of(pNodeParams);
  if (!params.ok()) return params.status();
  for (const auto &[id, value] : own->attributes) HOSTWARP_TRY(params->setAttribute(id, value));
  return part->executable->change(*part->node, *std::move(params));
}

Status cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                        const cudaMemcpy3DParms *pNodeParams) {
  return changeParams(hGraphExec, node, wider(CopyParams::of(pNodeParams)));
}

Status cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst, const void *src,
                                          size_t count, cudaMemcpyKind kind) {
  return changeParams(hGraphExec, node, wider(CopyParams::of(dst, src, count, kind)));
}

Status cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const void *symbol,
                                                const void *src, size_t count, size_t offset, cudaMemcpyKind kind) {
  return changeParams(hGraphExec, node, wider(CopyParams::toSymbol(symbol, src, count, offset, kind)));
}

Status cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                                  const void *symbol, size_t count, size_t offset,
                                                  cudaMemcpyKind kind) {
  return changeParams(hGraphExec, node, wider(CopyParams::fromSymbol(dst, symbol, count, offset, kind)));
}

Status cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                        const cudaMemsetParams *pNodeParams) {
  return changeParams(hGraphExec, node, wider(FillParams::of(pNodeParams)));
}

Status cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                      const cudaHostNodeParams *pNodeParams) {
  return changeParams(hGraphExec, node, wider(HostParams::of(pNodeParams)));
}

Status cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, cudaGraph_t childGraph) {
  auto child = graphOf(childGraph);
  if (!child.ok()) return child.status();
  return changeParams(hGraphExec, node, Params(ChildParams{*child}));
}

Status cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event) {
  return changeParams(hGraphExec, hNode, wider(RecordParams::of(event)));
}

Status cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event) {
  return changeParams(hGraphExec, hNode, wider(WaitParams::of(event)));
}

Status cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                          const cudaExternalSemaphoreSignalNodeParams *nodeParams) {
  return changeParams(hGraphExec, hNode, wider(SignalParams::of(nodeParams)));
}

Status cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                        const cudaExternalSemaphoreWaitNodeParams *nodeParams) {
  return changeParams(hGraphExec, hNode, wider(AwaitParams::of(nodeParams)));
}

Status cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned isEnabled) {
  auto part = partOf(hGraphExec, hNode);
  if (!part.ok()) return part.status();
  return part->executable->enable(*part->node, isEnabled != 0);
}

Status cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned *isEnabled) {
  auto part = partOf(hGraphExec, hNode);
  if (!part.ok()) return part.status();
  if (!isEnabled || !Executable::canBeDisabled(*part->node)) return cudaErrorInvalidValue;
  *isEnabled = part->node->enabled ? 1 : 0;
  return {};
}

}  // namespace hostwarp::api
