// Overloads for the signatures that functions had before CUDA 13 (C++ only). Included by cuda_runtime_api.h.
#ifndef HOSTWARP_RUNTIME_OLDER_FORMS_H
#define HOSTWARP_RUNTIME_OLDER_FORMS_H

#define HOSTWARP_OLDER static __inline__ __host__ cudaError_t

// --- A device ordinal in place of a cudaMemLocation (CUDA 8 to 12) ---

static __inline__ __host__ cudaMemLocation hostwarpLocationOf(int device) {
  cudaMemLocation location;
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

HOSTWARP_OLDER cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(devPtr, count, hostwarpLocationOf(dstDevice), 0u, stream);
}
HOSTWARP_OLDER cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(devPtr, count, advice, hostwarpLocationOf(device));
}
HOSTWARP_OLDER cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, cudaMemLocation location, unsigned int flags,
                                       cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(devPtr, count, location, flags, stream);
}
HOSTWARP_OLDER cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                cudaMemLocation location) {
  return cudaMemAdvise(devPtr, count, advice, location);
}

// --- Graphs without edge data (CUDA 10 to 12) ---

// cudaGraphInstantiate() of CUDA 10 and 11; the log stays empty and the error node unknown.
HOSTWARP_OLDER cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, cudaGraphNode_t *pErrorNode,
                                    char *pLogBuffer, size_t bufferSize) {
  if (pErrorNode) *pErrorNode = 0;
  if (pLogBuffer && bufferSize) *pLogBuffer = 0;
  return cudaGraphInstantiate(pGraphExec, graph, 0ull);
}
HOSTWARP_OLDER cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        size_t numDependencies) {
  return cudaGraphAddDependencies(graph, from, to, (const cudaGraphEdgeData *)0, numDependencies);
}
HOSTWARP_OLDER cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           size_t numDependencies) {
  return cudaGraphRemoveDependencies(graph, from, to, (const cudaGraphEdgeData *)0, numDependencies);
}
HOSTWARP_OLDER cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *numEdges) {
  return cudaGraphGetEdges(graph, from, to, (cudaGraphEdgeData *)0, numEdges);
}
HOSTWARP_OLDER cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                            size_t *pNumDependencies) {
  return cudaGraphNodeGetDependencies(node, pDependencies, (cudaGraphEdgeData *)0, pNumDependencies);
}
HOSTWARP_OLDER cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                              size_t *pNumDependentNodes) {
  return cudaGraphNodeGetDependentNodes(node, pDependentNodes, (cudaGraphEdgeData *)0, pNumDependentNodes);
}
HOSTWARP_OLDER cudaGraphAddNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                size_t numDependencies, cudaGraphNodeParams *nodeParams) {
  return cudaGraphAddNode(pGraphNode, graph, pDependencies, (const cudaGraphEdgeData *)0, numDependencies, nodeParams);
}
HOSTWARP_OLDER cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphNode_t *hErrorNode_out,
                                   enum cudaGraphExecUpdateResult *updateResult_out) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t status = cudaGraphExecUpdate(hGraphExec, hGraph, &info);
  if (hErrorNode_out) *hErrorNode_out = info.errorNode;
  if (updateResult_out) *updateResult_out = info.result;
  return status;
}
// The flag is the enumerator here, so that a null edge array and a count mean today's function.
HOSTWARP_OLDER cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                   size_t numDependencies,
                                                   enum cudaStreamUpdateCaptureDependenciesFlags flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, (const cudaGraphEdgeData *)0, numDependencies,
                                             (unsigned int)flags);
}
HOSTWARP_OLDER cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                        unsigned long long *id_out, cudaGraph_t *graph_out,
                                        const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out,
                                  (const cudaGraphEdgeData **)0, numDependencies_out);
}

// --- The suffixed names under which CUDA 11 and 12 introduced today's signatures ---

HOSTWARP_OLDER cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
                                           unsigned long long *id_out = 0, cudaGraph_t *graph_out = 0,
                                           const cudaGraphNode_t **dependencies_out = 0,
                                           size_t *numDependencies_out = 0) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out,
                                  (const cudaGraphEdgeData **)0, numDependencies_out);
}
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
#define cudaStreamUpdateCaptureDependencies_v2 cudaStreamUpdateCaptureDependencies
#define cudaGraphAddDependencies_v2 cudaGraphAddDependencies
#define cudaGraphRemoveDependencies_v2 cudaGraphRemoveDependencies
#define cudaGraphGetEdges_v2 cudaGraphGetEdges
#define cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependencies
#define cudaGraphNodeGetDependentNodes_v2 cudaGraphNodeGetDependentNodes
#define cudaGraphAddNode_v2 cudaGraphAddNode
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties

#undef HOSTWARP_OLDER

#endif  // HOSTWARP_RUNTIME_OLDER_FORMS_H
