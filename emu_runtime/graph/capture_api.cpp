// Chapter "capture".
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/graph/handles.h"

namespace hostwarp::api {

using namespace graph;  // this file is the chapter's edge

Status cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  return begin(*target, nullptr, {}, mode);
}

Status cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                     const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                     cudaStreamCaptureMode mode) {
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  auto into = graphOf(graph);
  if (!into.ok()) return into.status();
  auto edges = edgesOf(dependencies, dependencyData, numDependencies);
  if (!edges.ok()) return edges.status();
  for (const Edge &edge : *edges) {
    if (&edge.node->graph() != into->get()) return cudaErrorInvalidValue;
  }
  return begin(*target, *into, *std::move(edges), mode);
}

Status cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  if (!mode || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed) {
    return cudaErrorInvalidValue;
  }
  *mode = exchangeMode(*mode);
  return {};
}

Status cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph) {
  // Whoever captures into a graph of their own need not ask for it.
  cudaGraph_t unwanted = nullptr;
  if (!pGraph) pGraph = &unwanted;
  *pGraph = nullptr;
  auto target = device::streamOf(stream, device::InCapture::Ignore);
  if (!target.ok()) return target.status();
  // The legacy stream cannot be used at all while a blocking one captures.
  if (target->stream->kind() == stream::StreamKind::Legacy)
    HOSTWARP_TRY(device::streamOf(stream, device::InCapture::Record).status());
  auto captured = end(*target);
  if (!captured.ok()) return captured.status();
  const bool wanted = pGraph != &unwanted;
  if (wanted) *pGraph = captured->made ? captured->graph->give() : captured->graph->handle();
  return {};
}

Status cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *pCaptureStatus) {
  return api::cudaStreamGetCaptureInfo(stream, pCaptureStatus, nullptr, nullptr, nullptr, nullptr, nullptr);
}

Status cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *captureStatus_out,
                                unsigned long long *id_out, cudaGraph_t *graph_out,
                                const cudaGraphNode_t **dependencies_out, const cudaGraphEdgeData **edgeData_out,
                                size_t *numDependencies_out) {
  if (!captureStatus_out) return cudaErrorInvalidValue;
  auto target = device::streamOf(stream, device::InCapture::Ignore);
  if (!target.ok()) return target.status();
  auto state = stateOf(*target);
  if (!state.ok()) return state.status();
  *captureStatus_out = state->status;
  if (id_out) *id_out = state->id;
  if (!state->graph) return {};
  if (graph_out) *graph_out = state->graph;
  if (dependencies_out && !edgeData_out && !state->plainEdges) return cudaErrorLossyQuery;
  if (dependencies_out) *dependencies_out = state->dependencies.data();
  if (edgeData_out) *edgeData_out = state->edges.data();
  if (numDependencies_out) *numDependencies_out = state->dependencies.size();
  return {};
}

Status cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                           const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                           unsigned flags) {
  if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  auto edges = edgesOf(dependencies, dependencyData, numDependencies);
  if (!edges.ok()) return edges.status();
  return updateDependencies(*target, *edges, flags == cudaStreamSetCaptureDependencies);
}

}  // namespace hostwarp::api
