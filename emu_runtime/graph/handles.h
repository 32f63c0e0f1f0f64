// What the chapter's functions share: objects behind the handles that programs pass in.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_HANDLES_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_HANDLES_H

#include <driver_types.h>

#include <vector>

#include "emu_runtime/graph/executable.h"
#include "emu_runtime/graph/graph.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::graph {

// These fail with cudaErrorInvalidValue for what is no live object.
Expected<Node *> nodeOf(cudaGraphNode_t handle);
Expected<GraphRef> graphOf(cudaGraph_t handle);
Expected<ExecutableRef> executableOf(cudaGraphExec_t handle);

// edgesOf() takes the arrays in which programs pass dependencies; `data` may be null: plain edges.
Expected<std::vector<Edge>> edgesOf(const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count);

// addNode() makes a node for the program, on the current context.
Status addNode(cudaGraphNode_t *out, cudaGraph_t graph, Expected<std::vector<Edge>> dependencies,
               Expected<Params> params);

// setParams() changes what a node does to something of the same kind; changeParams() does so in an executable.
Status setParams(cudaGraphNode_t node, const Expected<Params> &params);
Status changeParams(cudaGraphExec_t executable, cudaGraphNode_t node, Expected<Params> params);

// wider() turns the parameters of one kind into those of any.
template <typename Kind>
Expected<Params> wider(Expected<Kind> params) {
  if (!params.ok()) return params.status();
  return Params(*std::move(params));
}

// paramsOf() gives a node's parameters if it is of this kind, else null.
template <typename Kind>
Kind *paramsOf(cudaGraphNode_t handle) {
  Node *node = Node::find(handle);
  return node ? std::get_if<Kind>(&node->params) : nullptr;
}

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_HANDLES_H
