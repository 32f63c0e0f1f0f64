#include "emu_runtime/graph/graph.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <utility>

namespace hostwarp::graph {

namespace {

uint64_t nextId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

using NodeTable = device::HandleTable<cudaGraphNode_t, Node *>;
NodeTable &nodeTable() {
  static auto *table = new NodeTable;
  return *table;
}

using GraphTable = device::HandleTable<cudaGraph_t, Graph *>;
GraphTable &graphTable() {
  static auto *table = new GraphTable;
  return *table;
}

bool refersTo(const std::vector<Edge> &edges, const Node &node) {
  return std::any_of(edges.begin(), edges.end(), [&](const Edge &edge) { return edge.node == &node; });
}

// checkData() tells whether an edge from this node may look like that: only kernels can be waited for in parts, and
// then the edge says for which.
Status checkData(const Node &from, const Node &to, const cudaGraphEdgeData &data) {
  if (std::ranges::any_of(data.reserved, [](unsigned char byte) { return byte != 0; })) return cudaErrorInvalidValue;
  const bool plain = data.from_port == 0 && data.to_port == 0 && data.type == cudaGraphDependencyTypeDefault;
  if (plain) return {};
  // What waits for the beginning of a kernel may be any node.
  const bool begun = data.from_port == cudaGraphKernelNodePortLaunchCompletion && data.to_port == 0 &&
                     data.type == cudaGraphDependencyTypeDefault;
  if (begun && from.type() == cudaGraphNodeTypeKernel) return {};
  const bool kernels = from.type() == cudaGraphNodeTypeKernel && to.type() == cudaGraphNodeTypeKernel;
  const bool known = data.from_port != cudaGraphKernelNodePortDefault &&
                     data.from_port <= cudaGraphKernelNodePortLaunchCompletion && data.to_port == 0 &&
                     data.type == cudaGraphDependencyTypeProgrammatic;
  return kernels && known ? Status() : Status(cudaErrorInvalidValue, "these nodes cannot have such an edge");
}

// cloned() copies what a node does; graphs inside of it become clones.
Params cloned(const Params &params) {
  Params copy = params;
  if (auto *child = std::get_if<ChildParams>(&copy)) child->graph = child->graph->clone();
  if (auto *conditional = std::get_if<ConditionalParams>(&copy)) {
    for (GraphRef &body : conditional->bodies) body = body->clone();
  }
  return copy;
}

// makeRoom() sees that one more element needs no memory, so that a node is in the graph with all its edges or not at
// all.
template <typename Element>
void makeRoom(std::vector<Element> &elements) {
  if (elements.size() == elements.capacity()) elements.reserve(2 * elements.size() + 2);
}

}  // namespace

bool operator==(const Edge &a, const Edge &b) {
  return a.node == b.node && std::memcmp(&a.data, &b.data, sizeof(a.data)) == 0;
}

Node::Node(Graph &graph, Params params, device::ContextRef context)
    : params(std::move(params)), graph_(graph), context_(std::move(context)), id_(nextId()) {}

Node::~Node() {
  if (handle_) nodeTable().take(handle_);
}

cudaGraphNode_t Node::handle() {
  if (!handle_) handle_ = nodeTable().add(this);
  return handle_;
}

Node *Node::find(cudaGraphNode_t handle) { return nodeTable().find(handle).value_or(nullptr); }

Graph::~Graph() {
  if (handle_) graphTable().take(handle_);
}

cudaGraph_t Graph::handle() {
  if (!handle_) handle_ = graphTable().add(this);
  return handle_;
}

GraphRef Graph::find(cudaGraph_t handle) {
  auto found = graphTable().find(handle);
  return found ? (*found)->shared_from_this() : nullptr;
}

cudaGraph_t Graph::give() {
  const cudaGraph_t given = handle();  // where that finds no memory the graph is nobody's, and goes
  self_ = shared_from_this();
  return given;
}

bool Graph::takeBack() {
  if (!self_) return false;
  GraphRef last;
  last.swap(self_);
  return true;
}

Expected<Node *> Graph::add(Params params, std::span<const Edge> dependencies, device::ContextRef context) {
  if (const auto *free = std::get_if<FreeParams>(&params); free && frees(free->pointer))
    return Status(cudaErrorInvalidValue, "the graph frees this memory already");
  if (moved && (std::holds_alternative<AllocParams>(params) || std::holds_alternative<FreeParams>(params)))
    return Status(cudaErrorNotSupported, "a graph that was moved into another one gets no more memory nodes");
  HOSTWARP_TRY(refuseCycle(params));
  auto node = std::make_unique<Node>(*this, std::move(params), std::move(context));
  for (size_t i = 0; i < dependencies.size(); ++i) {
    const Edge &edge = dependencies[i];
    if (!edge.node || &edge.node->graph() != this) return cudaErrorInvalidValue;
    for (size_t j = 0; j < i; ++j) {
      if (dependencies[j].node == edge.node) return cudaErrorInvalidValue;
    }
    HOSTWARP_TRY(checkData(*edge.node, *node, edge.data));
  }
  node->dependencies_.assign(dependencies.begin(), dependencies.end());
  for (const Edge &edge : dependencies) makeRoom(edge.node->dependents_);
  makeRoom(nodes_);
  for (const Edge &edge : dependencies) edge.node->dependents_.push_back({node.get(), edge.data});
  nodes_.push_back(std::move(node));
  return nodes_.back().get();
}

Status Graph::connect(Node &from, Node &to, const cudaGraphEdgeData &data) {
  if (&from.graph() != this || &to.graph() != this || &from == &to) return cudaErrorInvalidValue;
  if (refersTo(to.dependencies_, from)) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkData(from, to, data));
  makeRoom(to.dependencies_);
  makeRoom(from.dependents_);
  to.dependencies_.push_back({&from, data});
  from.dependents_.push_back({&to, data});
  return {};
}

Status Graph::disconnect(Node &from, Node &to, const cudaGraphEdgeData *data) {
  const auto isMeant = [&](const Edge &edge) {
    return data != nullptr ? edge == Edge{&from, *data} : edge.node == &from;
  };
  auto found = std::ranges::find_if(to.dependencies_, isMeant);
  if (&to.graph() != this || found == to.dependencies_.end()) return cudaErrorInvalidValue;
  to.dependencies_.erase(found);
  std::erase_if(from.dependents_, [&](const Edge &edge) { return edge.node == &to; });
  return {};
}

void Graph::remove(Node &node) {
  auto drop = [&node](std::vector<Edge> &edges) {
    std::erase_if(edges, [&](const Edge &edge) { return edge.node == &node; });
  };
  for (const Edge &edge : node.dependencies_) drop(edge.node->dependents_);
  for (const Edge &edge : node.dependents_) drop(edge.node->dependencies_);
  std::erase_if(nodes_, [&](const auto &each) { return each.get() == &node; });
}

GraphRef Graph::clone() const {
  GraphRef copy = create();
  std::unordered_map<const Node *, Node *> counterpart;
  for (const auto &node : nodes_) {
    auto made = std::make_unique<Node>(*copy, cloned(node->params), node->context());
    made->origin_ = node->id();
    made->enabled = node->enabled;
    counterpart[node.get()] = made.get();
    copy->nodes_.push_back(std::move(made));
  }
  auto translated = [&](std::vector<Edge> edges) {
    for (Edge &edge : edges) edge.node = counterpart.at(edge.node);
    return edges;
  };
  for (size_t i = 0; i < nodes_.size(); ++i) {
    copy->nodes_[i]->dependencies_ = translated(nodes_[i]->dependencies_);
    copy->nodes_[i]->dependents_ = translated(nodes_[i]->dependents_);
  }
  copy->conditions = conditions;
  copy->userObjects = userObjects;
  return copy;
}

bool Graph::holds(const Graph &other) const {
  const auto isInside = [&](const auto &node) {
    if (const auto *child = std::get_if<ChildParams>(&node->params)) return child->graph->holds(other);
    const auto *conditional = std::get_if<ConditionalParams>(&node->params);
    return conditional != nullptr &&
           std::ranges::any_of(conditional->bodies, [&](const GraphRef &body) { return body->holds(other); });
  };
  return this == &other || std::ranges::any_of(nodes_, isInside);
}

Status Graph::refuseCycle(const Params &params) const {
  const auto *child = std::get_if<ChildParams>(&params);
  if (child == nullptr || !child->graph->holds(*this)) return {};
  child->graph->moved = false;
  (void)child->graph->give();
  return {cudaErrorInvalidValue, "a graph cannot become a part of itself"};
}

bool Graph::hasMemoryNodes() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto &node) {
    if (const auto *child = std::get_if<ChildParams>(&node->params)) return child->graph->hasMemoryNodes();
    return node->type() == cudaGraphNodeTypeMemAlloc || node->type() == cudaGraphNodeTypeMemFree;
  });
}

bool Graph::hasDeviceNodes() const {
  return std::ranges::any_of(nodes_, [](const auto &node) {
    if (const auto *child = std::get_if<ChildParams>(&node->params)) return child->graph->hasDeviceNodes();
    const auto *kernel = std::get_if<KernelParams>(&node->params);
    return kernel && kernel->deviceNode;
  });
}

bool Graph::hasConditionalNodes() const {
  return std::ranges::any_of(nodes_, [](const auto &node) {
    if (const auto *child = std::get_if<ChildParams>(&node->params)) return child->graph->hasConditionalNodes();
    return node->type() == cudaGraphNodeTypeConditional;
  });
}

bool Graph::frees(const void *pointer) const {
  return std::ranges::any_of(nodes_, [pointer](const auto &node) {
    const auto *params = std::get_if<FreeParams>(&node->params);
    return params && params->pointer == pointer;
  });
}

std::vector<Node *> Graph::sorted() const {
  std::unordered_map<const Node *, size_t> waiting;
  std::vector<Node *> order;
  for (const auto &node : nodes_) {
    waiting[node.get()] = node->dependencies().size();
    if (node->dependencies().empty()) order.push_back(node.get());
  }
  for (size_t next = 0; next < order.size(); ++next) {
    for (const Edge &edge : order[next]->dependents()) {
      if (--waiting[edge.node] == 0) order.push_back(edge.node);
    }
  }
  return order;
}

// What comes behind a cycle waits for it, too: its dependencies lead there.
Node *Graph::inCycle() const {
  const std::vector<Node *> order = sorted();
  const auto isOver = [&](const Node *node) { return std::ranges::find(order, node) != order.end(); };
  const auto waits = std::ranges::find_if(nodes_, [&](const auto &node) { return !isOver(node.get()); });
  std::set<Node *> seen;
  Node *at = waits->get();
  while (seen.insert(at).second)
    at = std::ranges::find_if(at->dependencies(), [&](const Edge &edge) { return !isOver(edge.node); })->node;
  return at;
}

}  // namespace hostwarp::graph
