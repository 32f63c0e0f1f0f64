// Chapter "graph", the structure: graphs, nodes of any kind, edges.
#include <algorithm>
#include <cstring>
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/dot.h"
#include "emu_runtime/graph/handles.h"

namespace hostwarp::graph {

Expected<Node *> nodeOf(cudaGraphNode_t handle) {
  HOSTWARP_TRY(device::permitted());
  if (Node *node = Node::find(handle)) return node;
  return cudaErrorInvalidValue;
}

Expected<GraphRef> graphOf(cudaGraph_t handle) {
  HOSTWARP_TRY(device::permitted());
  if (GraphRef graph = Graph::find(handle)) return graph;
  return cudaErrorInvalidValue;
}

Expected<ExecutableRef> executableOf(cudaGraphExec_t handle) {
  HOSTWARP_TRY(device::permitted());
  if (auto found = executableTable().find(handle)) return *found;
  return cudaErrorInvalidValue;
}

Expected<std::vector<Edge>> edgesOf(const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count) {
  if (count && !nodes) return cudaErrorInvalidValue;
  std::vector<Edge> edges;
  for (size_t i = 0; i < count; ++i) {
    auto node = nodeOf(nodes[i]);
    if (!node.ok()) return node.status();
    edges.push_back({*node, data ? data[i] : cudaGraphEdgeData{}});
  }
  return edges;
}

Status addNode(cudaGraphNode_t *out, cudaGraph_t handle, Expected<std::vector<Edge>> dependencies,
               Expected<Params> params) {
  if (!out) return cudaErrorInvalidValue;
  auto graph = graphOf(handle);
  if (!graph.ok()) return graph.status();
  if (!dependencies.ok()) return dependencies.status();
  if (!params.ok()) return params.status();
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto node = (*graph)->add(*std::move(params), *dependencies, *context);
  if (!node.ok()) return node.status();
  *out = (*node)->handle();
  return {};
}

namespace {

// List is the pair of arrays in which the API hands out edges: only edges without data may go without the second.
struct List {
  cudaGraphNode_t *nodes;
  cudaGraphEdgeData *data;
  size_t *count;
};

bool plain(const cudaGraphEdgeData &data) {
  constexpr cudaGraphEdgeData zero{};
  return std::memcmp(&data, &zero, sizeof(zero)) == 0;
}

// give() fills the program's array, null behind the last node, or says how many nodes there are.
Status give(const std::vector<Node *> &nodes, cudaGraphNode_t *out, size_t *count) {
  if (!count) return cudaErrorInvalidValue;
  if (out) {
    for (size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? nodes[i]->handle() : nullptr;
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
  return {};
}

Status give(const std::vector<Edge> &edges, const List &list) {
  if (!list.count || (!list.nodes && list.data)) return cudaErrorInvalidValue;
  const bool lossy = list.nodes && !list.data &&
                     std::any_of(edges.begin(), edges.end(), [](const Edge &edge) { return !plain(edge.data); });
  if (lossy) return cudaErrorLossyQuery;
  std::vector<Node *> nodes;
  for (const Edge &edge : edges) nodes.push_back(edge.node);
  for (size_t i = 0; list.data && i < std::min(*list.count, edges.size()); ++i) list.data[i] = edges[i].data;
  return give(nodes, list.nodes, list.count);
}

// forEachPair() calls `act` for the edges that two arrays name.
template <typename Act>
Status forEachPair(cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                   const cudaGraphEdgeData *data, size_t count, Act act) {
  auto graph = graph::graphOf(handle);
  if (!graph.ok()) return graph.status();
  auto sources = graph::edgesOf(from, data, count);
  if (!sources.ok()) return sources.status();
  auto targets = graph::edgesOf(to, nullptr, count);
  if (!targets.ok()) return targets.status();
  for (size_t i = 0; i < count; ++i) {
    HOSTWARP_TRY(act(**graph, *(*sources)[i].node, *(*targets)[i].node, (*sources)[i].data));
  }
  return {};
}

}  // namespace

}  // namespace hostwarp::graph

namespace hostwarp::api {

using graph::Edge;
using graph::Graph;
using graph::Node;

Status cudaGraphCreate(cudaGraph_t *pGraph, unsigned flags) {
  if (!pGraph || flags) return cudaErrorInvalidValue;
  HOSTWARP_TRY(device::permitted());
  *pGraph = Graph::create()->give();
  return {};
}

Status cudaGraphDestroy(cudaGraph_t graph) {
  auto found = graph::graphOf(graph);
  if (!found.ok()) return found.status();
  return (*found)->takeBack() ? Status() : Status(cudaErrorInvalidValue, "the graph belongs to a node");
}

Status cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph) {
  if (!pGraphClone) return cudaErrorInvalidValue;
  auto original = graph::graphOf(originalGraph);
  if (!original.ok()) return original.status();
  if ((*original)->hasMemoryNodes() || (*original)->hasConditionalNodes())
    return {cudaErrorNotSupported, "graphs with memory or conditional nodes cannot be cloned"};
  *pGraphClone = (*original)->clone()->give();
  return {};
}

Status cudaGraphDestroyNode(cudaGraphNode_t node) {
  auto found = graph::nodeOf(node);
  if (!found.ok()) return found.status();
  if ((*found)->graph().hasMemoryNodes())
    return {cudaErrorNotSupported, "nodes of graphs with memory nodes cannot be removed"};
  if (const auto *kernel = std::get_if<graph::KernelParams>(&(*found)->params); kernel && kernel->deviceNode)
    return {cudaErrorNotSupported, "a node that kernels may change cannot be removed"};
  if ((*found)->graph().captures > 0)
    return {cudaErrorIllegalState, "nodes cannot be removed while the graph is captured"};
  (*found)->graph().remove(**found);
  return {};
}

Status cudaGraphNodeFindInClone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph) {
  if (!pNode) return cudaErrorInvalidValue;
  auto original = graph::nodeOf(originalNode);
  if (!original.ok()) return original.status();
  auto clone = graph::graphOf(clonedGraph);
  if (!clone.ok()) return clone.status();
  for (const auto &node : (*clone)->nodes()) {
    if (node->origin() != (*original)->id()) continue;
    *pNode = node->handle();
    return {};
  }
  return {cudaErrorInvalidValue, "the graph has no clone of the node"};
}

Status cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *pType) {
  auto found = graph::nodeOf(node);
  if (!found.ok()) return found.status();
  if (!pType) return cudaErrorInvalidValue;
  *pType = (*found)->type();
  return {};
}

Status cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes) {
  auto found = graph::graphOf(graph);
  if (!found.ok()) return found.status();
  std::vector<Node *> list;
  for (const auto &node : (*found)->nodes()) list.push_back(node.get());
  return graph::give(list, nodes, numNodes);
}

Status cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes) {
  auto found = graph::graphOf(graph);
  if (!found.ok()) return found.status();
  std::vector<Node *> list;
  for (const auto &node : (*found)->nodes()) {
    if (node->dependencies().empty()) list.push_back(node.get());
  }
  return graph::give(list, pRootNodes, pNumRootNodes);
}

Status cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                         size_t *numEdges) {
  auto found = graph::graphOf(graph);
  if (!found.ok()) return found.status();
  if (!numEdges || !from != !to) return cudaErrorInvalidValue;
  std::vector<Node *> sources;
  std::vector<Edge> targets;
  for (const auto &node : (*found)->nodes()) {
    for (const Edge &edge : node->dependents()) {
      sources.push_back(node.get());
      targets.push_back(edge);
    }
  }
  size_t room = *numEdges;
  HOSTWARP_TRY(graph::give(targets, {to, edgeData, numEdges}));
  return from ? graph::give(sources, from, &room) : Status();
}

Status cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies, cudaGraphEdgeData *edgeData,
                                    size_t *pNumDependencies) {
  auto found = graph::nodeOf(node);
  if (!found.ok()) return found.status();
  return graph::give((*found)->dependencies(), {pDependencies, edgeData, pNumDependencies});
}

Status cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                      cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes) {
  auto found = graph::nodeOf(node);
  if (!found.ok()) return found.status();
  return graph::give((*found)->dependents(), {pDependentNodes, edgeData, pNumDependentNodes});
}

Status cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  return graph::forEachPair(graph, from, to, edgeData, numDependencies,
                            [](Graph &owner, Node &source, Node &target, const cudaGraphEdgeData &data) {
                              return owner.connect(source, target, data);
                            });
}

Status cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                   const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  return graph::forEachPair(graph, from, to, edgeData, numDependencies,
                            [edgeData](Graph &owner, Node &source, Node &target, const cudaGraphEdgeData &data) {
                              if (owner.hasMemoryNodes())
                                return Status(cudaErrorNotSupported,
                                              "edges of graphs with memory nodes cannot be removed");
                              return owner.disconnect(source, target, edgeData != nullptr ? &data : nullptr);
                            });
}

Status cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
  auto found = graph::graphOf(graph);
  if (!found.ok()) return found.status();
  if (!path) return cudaErrorInvalidValue;
  return graph::writeDot(**found, path, flags);
}

}  // namespace hostwarp::api
