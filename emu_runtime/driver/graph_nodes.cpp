// Nodes of graphs of the driver API: made, asked for and changed as the runtime's nodes.
#include "emu_runtime/driver/convert.h"
#include "emu_runtime/graph/handles.h"

namespace hostwarp::driver_api {

namespace {

cudaMemsetParams fillOf(const CUDA_MEMSET_NODE_PARAMS &p) {
  return {at(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}

Expected<graph::Params> memoryOpsOf(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
  return graph::wider(graph::MemoryOpsParams::of(params));
}

Status addMemoryOps(CUgraphNode *node, CUgraph graph, Expected<std::vector<graph::Edge>> dependencies,
                    const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
  const ContextScope scope(params ? params->ctx : nullptr);
  return graph::addNode(node, graph, std::move(dependencies), memoryOpsOf(params));
}

}  // namespace

// --- Nodes of any kind ---

Status cuGraphAddNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                         const CUgraphEdgeData *dependencyData, size_t numDependencies, CUgraphNodeParams *nodeParams) {
  if (!nodeParams) return cudaErrorInvalidValue;
  const auto *edges = as<const cudaGraphEdgeData>(dependencyData);
  if (nodeParams->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
    auto &given = nodeParams->conditional;
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional = {given.handle, static_cast<cudaGraphConditionalNodeType>(given.type), given.size, nullptr};
    HOSTWARP_TRY(api::cudaGraphAddNode(phGraphNode, hGraph, dependencies, edges, numDependencies, &params));
    given.phGraph_out = params.conditional.phGraph_out;
    return {};
  }
  if (nodeParams->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return addMemoryOps(phGraphNode, hGraph, graph::edgesOf(dependencies, edges, numDependencies), &nodeParams->memOp);
  auto params = nodeOf(*nodeParams);
  if (!params.ok()) return params.status();
  HOSTWARP_TRY(api::cudaGraphAddNode(phGraphNode, hGraph, dependencies, edges, numDependencies, &*params));
  if (nodeParams->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    nodeParams->alloc.dptr = reinterpret_cast<CUdeviceptr>(params->alloc.dptr);
  return {};
}
Status cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams) {
  if (!nodeParams) return cudaErrorInvalidValue;
  if (nodeParams->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return graph::setParams(hNode, memoryOpsOf(&nodeParams->memOp));
  auto params = nodeOf(*nodeParams);
  return params.ok() ? api::cudaGraphNodeSetParams(hNode, &*params) : params.status();
}
Status cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams) {
  if (!nodeParams) return cudaErrorInvalidValue;
  if (nodeParams->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return graph::changeParams(hGraphExec, hNode, memoryOpsOf(&nodeParams->memOp));
  auto params = nodeOf(*nodeParams);
  return params.ok() ? api::cudaGraphExecNodeSetParams(hGraphExec, hNode, &*params) : params.status();
}

// --- Operations on memory ---

Status cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return addMemoryOps(phGraphNode, hGraph, graph::edgesOf(dependencies, nullptr, numDependencies), nodeParams);
}
Status cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out) {
  const auto *params = graph::paramsOf<graph::MemoryOpsParams>(hNode);
  if (!params || !nodeParams_out) return cudaErrorInvalidValue;
  *nodeParams_out = params->given();
  return {};
}
Status cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return graph::setParams(hNode, memoryOpsOf(nodeParams));
}
Status cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return graph::changeParams(hGraphExec, hNode, memoryOpsOf(nodeParams));
}

// --- External semaphores: the structures are the same in both APIs ---

Status cuGraphAddExternalSemaphoresSignalNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                              size_t numDependencies,
                                              const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams) {
  return api::cudaGraphAddExternalSemaphoresSignalNode(phGraphNode, hGraph, dependencies, numDependencies,
                                                       as<const cudaExternalSemaphoreSignalNodeParams>(nodeParams));
}
Status cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params_out) {
  return api::cudaGraphExternalSemaphoresSignalNodeGetParams(hNode,
                                                             as<cudaExternalSemaphoreSignalNodeParams>(params_out));
}
Status cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode,
                                                    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams) {
  return api::cudaGraphExternalSemaphoresSignalNodeSetParams(
      hNode, as<const cudaExternalSemaphoreSignalNodeParams>(nodeParams));
}
Status cuGraphExecExternalSemaphoresSignalNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                        const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *nodeParams) {
  return api::cudaGraphExecExternalSemaphoresSignalNodeSetParams(
      hGraphExec, hNode, as<const cudaExternalSemaphoreSignalNodeParams>(nodeParams));
}
Status cuGraphAddExternalSemaphoresWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                            size_t numDependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams) {
  return api::cudaGraphAddExternalSemaphoresWaitNode(phGraphNode, hGraph, dependencies, numDependencies,
                                                     as<const cudaExternalSemaphoreWaitNodeParams>(nodeParams));
}
Status cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode, CUDA_EXT_SEM_WAIT_NODE_PARAMS *params_out) {
  return api::cudaGraphExternalSemaphoresWaitNodeGetParams(hNode, as<cudaExternalSemaphoreWaitNodeParams>(params_out));
}
Status cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams) {
  return api::cudaGraphExternalSemaphoresWaitNodeSetParams(hNode,
                                                           as<const cudaExternalSemaphoreWaitNodeParams>(nodeParams));
}
Status cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                      const CUDA_EXT_SEM_WAIT_NODE_PARAMS *nodeParams) {
  return api::cudaGraphExecExternalSemaphoresWaitNodeSetParams(
      hGraphExec, hNode, as<const cudaExternalSemaphoreWaitNodeParams>(nodeParams));
}

// --- Kernels ---

Status cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                               size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  if (!nodeParams) return cudaErrorInvalidValue;
  const ContextScope scope(nodeParams->func ? nullptr : nodeParams->ctx);
  const cudaKernelNodeParams params = kernelNodeOf(*nodeParams);
  return api::cudaGraphAddKernelNode(phGraphNode, hGraph, dependencies, numDependencies, &params);
}
Status cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  cudaKernelNodeParams params;
  HOSTWARP_TRY(api::cudaGraphKernelNodeGetParams(hNode, nodeParams ? &params : nullptr));
  const dim3 &grid = params.gridDim, &block = params.blockDim;
  *nodeParams = {static_cast<CUfunction>(params.func),
                 grid.x,
                 grid.y,
                 grid.z,
                 block.x,
                 block.y,
                 block.z,
                 params.sharedMemBytes,
                 params.kernelParams,
                 params.extra,
                 static_cast<CUkernel>(params.func),
                 device::handleOf((*graph::nodeOf(hNode))->context())};
  return {};
}
Status cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  if (!nodeParams) return cudaErrorInvalidValue;
  const cudaKernelNodeParams params = kernelNodeOf(*nodeParams);
  return api::cudaGraphKernelNodeSetParams(hNode, &params);
}
Status cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
                                         const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  if (!nodeParams) return cudaErrorInvalidValue;
  const cudaKernelNodeParams params = kernelNodeOf(*nodeParams);
  return api::cudaGraphExecKernelNodeSetParams(hGraphExec, hNode, &params);
}
Status cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  return api::cudaGraphKernelNodeCopyAttributes(dst, src);
}
Status cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value_out) {
  return api::cudaGraphKernelNodeGetAttribute(hNode, static_cast<cudaLaunchAttributeID>(attr),
                                              as<cudaLaunchAttributeValue>(value_out));
}
Status cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value) {
  return api::cudaGraphKernelNodeSetAttribute(hNode, static_cast<cudaLaunchAttributeID>(attr),
                                              as<const cudaLaunchAttributeValue>(value));
}

// --- Copies and fills ---

Status cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                            size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx) {
  const ContextScope scope(ctx);
  auto params = copyOf(copyParams);
  if (!params.ok()) return params.status();
  return api::cudaGraphAddMemcpyNode(phGraphNode, hGraph, dependencies, numDependencies, &*params);
}
Status cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams) {
  cudaMemcpy3DParms params;
  HOSTWARP_TRY(api::cudaGraphMemcpyNodeGetParams(hNode, nodeParams ? &params : nullptr));
  *nodeParams = copyGiven(params);
  return {};
}
Status cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams) {
  auto params = copyOf(nodeParams);
  return params.ok() ? api::cudaGraphMemcpyNodeSetParams(hNode, &*params) : params.status();
}
Status cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D *copyParams,
                                      CUcontext ctx) {
  const ContextScope scope(ctx);
  auto params = copyOf(copyParams);
  return params.ok() ? api::cudaGraphExecMemcpyNodeSetParams(hGraphExec, hNode, &*params) : params.status();
}
Status cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                            size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  if (!memsetParams) return cudaErrorInvalidValue;
  const ContextScope scope(ctx);
  const cudaMemsetParams params = fillOf(*memsetParams);
  return api::cudaGraphAddMemsetNode(phGraphNode, hGraph, dependencies, numDependencies, &params);
}
Status cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams) {
  return api::cudaGraphMemsetNodeGetParams(hNode, as<cudaMemsetParams>(nodeParams));
}
Status cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams) {
  return api::cudaGraphMemsetNodeSetParams(hNode, as<const cudaMemsetParams>(nodeParams));
}
Status cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  const ContextScope scope(ctx);
  return api::cudaGraphExecMemsetNodeSetParams(hGraphExec, hNode, as<const cudaMemsetParams>(memsetParams));
}

// --- Host functions, empty nodes, child graphs, events ---

Status cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                          size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams) {
  return api::cudaGraphAddHostNode(phGraphNode, hGraph, dependencies, numDependencies,
                                   as<const cudaHostNodeParams>(nodeParams));
}
Status cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams) {
  return api::cudaGraphHostNodeGetParams(hNode, as<cudaHostNodeParams>(nodeParams));
}
Status cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams) {
  return api::cudaGraphHostNodeSetParams(hNode, as<const cudaHostNodeParams>(nodeParams));
}
Status cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                    const CUDA_HOST_NODE_PARAMS *nodeParams) {
  return api::cudaGraphExecHostNodeSetParams(hGraphExec, hNode, as<const cudaHostNodeParams>(nodeParams));
}
Status cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                           size_t numDependencies) {
  return api::cudaGraphAddEmptyNode(phGraphNode, hGraph, dependencies, numDependencies);
}
Status cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                size_t numDependencies, CUgraph childGraph) {
  return api::cudaGraphAddChildGraphNode(phGraphNode, hGraph, dependencies, numDependencies, childGraph);
}
Status cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph) {
  return api::cudaGraphChildGraphNodeGetGraph(hNode, phGraph);
}
Status cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph) {
  return api::cudaGraphExecChildGraphNodeSetParams(hGraphExec, hNode, childGraph);
}
Status cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                 size_t numDependencies, CUevent event) {
  return api::cudaGraphAddEventRecordNode(phGraphNode, hGraph, dependencies, numDependencies, event);
}
Status cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out) {
  return api::cudaGraphEventRecordNodeGetEvent(hNode, event_out);
}
Status cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return api::cudaGraphEventRecordNodeSetEvent(hNode, event);
}
Status cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return api::cudaGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event);
}
Status cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                               size_t numDependencies, CUevent event) {
  return api::cudaGraphAddEventWaitNode(phGraphNode, hGraph, dependencies, numDependencies, event);
}
Status cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out) {
  return api::cudaGraphEventWaitNodeGetEvent(hNode, event_out);
}
Status cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return api::cudaGraphEventWaitNodeSetEvent(hNode, event);
}
Status cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return api::cudaGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event);
}

// --- Memory ---

Status cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                              size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams) {
  return api::cudaGraphAddMemAllocNode(phGraphNode, hGraph, dependencies, numDependencies,
                                       as<cudaMemAllocNodeParams>(nodeParams));
}
Status cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out) {
  return api::cudaGraphMemAllocNodeGetParams(hNode, as<cudaMemAllocNodeParams>(params_out));
}
Status cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                             size_t numDependencies, CUdeviceptr dptr) {
  return api::cudaGraphAddMemFreeNode(phGraphNode, hGraph, dependencies, numDependencies, at(dptr));
}
Status cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out) {
  return api::cudaGraphMemFreeNodeGetParams(hNode, dptr_out);
}

}  // namespace hostwarp::driver_api
