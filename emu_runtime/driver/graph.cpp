// Graphs of the driver API as wholes: structure, capture, executables, user objects. They are the runtime's graphs.
#include "emu_runtime/driver/convert.h"

namespace hostwarp::driver_api {

Status cuGraphCreate(CUgraph *phGraph, unsigned flags) { return api::cudaGraphCreate(phGraph, flags); }
Status cuGraphDestroy(CUgraph hGraph) { return api::cudaGraphDestroy(hGraph); }
Status cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph) {
  return api::cudaGraphClone(phGraphClone, originalGraph);
}
Status cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned flags) {
  return api::cudaGraphDebugDotPrint(hGraph, path, flags);
}
Status cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext,
                                      unsigned defaultLaunchValue, unsigned flags) {
  return api::cudaGraphConditionalHandleCreate(as<cudaGraphConditionalHandle>(pHandle_out), hGraph, defaultLaunchValue,
                                               flags);
}

// --- Nodes and edges ---

Status cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph) {
  return api::cudaGraphNodeFindInClone(phNode, hOriginalNode, hClonedGraph);
}
Status cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type) {
  return api::cudaGraphNodeGetType(hNode, as<cudaGraphNodeType>(type));
}
Status cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes) {
  return api::cudaGraphGetNodes(hGraph, nodes, numNodes);
}
Status cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes) {
  return api::cudaGraphGetRootNodes(hGraph, rootNodes, numRootNodes);
}
Status cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData,
                          size_t *numEdges) {
  return api::cudaGraphGetEdges(hGraph, from, to, as<cudaGraphEdgeData>(edgeData), numEdges);
}
Status cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode *dependencies, CUgraphEdgeData *edgeData,
                                     size_t *numDependencies) {
  return api::cudaGraphNodeGetDependencies(hNode, dependencies, as<cudaGraphEdgeData>(edgeData), numDependencies);
}
Status cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode *dependentNodes, CUgraphEdgeData *edgeData,
                                       size_t *numDependentNodes) {
  return api::cudaGraphNodeGetDependentNodes(hNode, dependentNodes, as<cudaGraphEdgeData>(edgeData), numDependentNodes);
}
Status cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                 const CUgraphEdgeData *edgeData, size_t numDependencies) {
  return api::cudaGraphAddDependencies(hGraph, from, to, as<const cudaGraphEdgeData>(edgeData), numDependencies);
}
Status cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                    const CUgraphEdgeData *edgeData, size_t numDependencies) {
  return api::cudaGraphRemoveDependencies(hGraph, from, to, as<const cudaGraphEdgeData>(edgeData), numDependencies);
}
Status cuGraphDestroyNode(CUgraphNode hNode) { return api::cudaGraphDestroyNode(hNode); }

// --- Executables ---

Status cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags) {
  return api::cudaGraphInstantiateWithFlags(phGraphExec, hGraph, flags);
}
Status cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                                    CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams) {
  return api::cudaGraphInstantiateWithParams(phGraphExec, hGraph, as<cudaGraphInstantiateParams>(instantiateParams));
}
Status cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags) {
  return api::cudaGraphExecGetFlags(hGraphExec, as<unsigned long long>(flags));
}
Status cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream) { return api::cudaGraphUpload(hGraphExec, hStream); }
Status cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) { return api::cudaGraphLaunch(hGraphExec, hStream); }
Status cuGraphExecDestroy(CUgraphExec hGraphExec) { return api::cudaGraphExecDestroy(hGraphExec); }
Status cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo) {
  return api::cudaGraphExecUpdate(hGraphExec, hGraph, as<cudaGraphExecUpdateResultInfo>(resultInfo));
}
Status cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned isEnabled) {
  return api::cudaGraphNodeSetEnabled(hGraphExec, hNode, isEnabled);
}
Status cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned *isEnabled) {
  return api::cudaGraphNodeGetEnabled(hGraphExec, hNode, isEnabled);
}

// --- Memory of graphs, user objects ---

Status cuDeviceGraphMemTrim(CUdevice device) { return api::cudaDeviceGraphMemTrim(device); }
Status cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  return api::cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attr), value);
}
Status cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  return api::cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attr), value);
}
Status cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy, unsigned initialRefcount,
                          unsigned flags) {
  return api::cudaUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags);
}
Status cuUserObjectRetain(CUuserObject object, unsigned count) { return api::cudaUserObjectRetain(object, count); }
Status cuUserObjectRelease(CUuserObject object, unsigned count) { return api::cudaUserObjectRelease(object, count); }
Status cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  return api::cudaGraphRetainUserObject(graph, object, count, flags);
}
Status cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return api::cudaGraphReleaseUserObject(graph, object, count);
}

// --- Capture ---

Status cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
  return api::cudaStreamBeginCapture(hStream, static_cast<cudaStreamCaptureMode>(mode));
}
Status cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
                                   const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                   CUstreamCaptureMode mode) {
  return api::cudaStreamBeginCaptureToGraph(hStream, hGraph, dependencies, as<const cudaGraphEdgeData>(dependencyData),
                                            numDependencies, static_cast<cudaStreamCaptureMode>(mode));
}
Status cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return api::cudaThreadExchangeStreamCaptureMode(as<cudaStreamCaptureMode>(mode));
}
Status cuStreamEndCapture(CUstream hStream, CUgraph *phGraph) { return api::cudaStreamEndCapture(hStream, phGraph); }
Status cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus) {
  return api::cudaStreamIsCapturing(hStream, as<cudaStreamCaptureStatus>(captureStatus));
}
Status cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                                 CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                 const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out) {
  return api::cudaStreamGetCaptureInfo(hStream, as<cudaStreamCaptureStatus>(captureStatus_out),
                                       as<unsigned long long>(id_out), graph_out, dependencies_out,
                                       as<const cudaGraphEdgeData *>(edgeData_out), numDependencies_out);
}
Status cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode *dependencies,
                                            const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                            unsigned flags) {
  return api::cudaStreamUpdateCaptureDependencies(hStream, dependencies, as<const cudaGraphEdgeData>(dependencyData),
                                                  numDependencies, flags);
}

}  // namespace hostwarp::driver_api
