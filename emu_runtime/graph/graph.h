// Graph and Node: work and the order between it, as the program describes it.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_GRAPH_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_GRAPH_H

#include <driver_types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/graph/params.h"
#include "emu_runtime/graph/user_object.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::graph {

class Node;

// Edge is one end of a dependency: the node at the other end, and how it is waited for.
struct Edge {
  Node *node = nullptr;
  cudaGraphEdgeData data{};

  friend bool operator==(const Edge &a, const Edge &b);
};

// Node is one piece of work in a graph. Like all of a graph it must not be used by two threads at a time, which is what
// CUDA demands of programs.
class Node {
 public:
  Node(Graph &graph, Params params, device::ContextRef context);
  ~Node();
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;

  Graph &graph() const { return graph_; }
  cudaGraphNodeType type() const { return typeOf(params); }
  // context() is the one that was current when the node was made; its work runs there.
  const device::ContextRef &context() const { return context_; }

  // id() is unique in the process; origin() is the id of the node that this one was cloned from, 0 if none.
  uint64_t id() const { return id_; }
  uint64_t origin() const { return origin_; }

  // handle() is the node's cudaGraphNode_t, made at the first call. find() is null if the handle is no live node's.
  cudaGraphNode_t handle();
  static Node *find(cudaGraphNode_t handle);

  // Both in the order in which the edges were made.
  const std::vector<Edge> &dependencies() const { return dependencies_; }
  const std::vector<Edge> &dependents() const { return dependents_; }

  Params params;
  bool enabled = true;  // nodes of executables only

 private:
  friend class Graph;

  Graph &graph_;
  const device::ContextRef context_;
  const uint64_t id_;
  uint64_t origin_ = 0;
  cudaGraphNode_t handle_ = nullptr;
  std::vector<Edge> dependencies_;
  std::vector<Edge> dependents_;
};

// Condition is what a conditional handle stands for; its value exists in each run of an executable.
struct Condition {
  unsigned defaultValue = 0;
  bool assignDefault = false;
  bool used = false;  // a node has it
};

// Graph owns its nodes. Graphs that the program made live until cudaGraphDestroy(); those inside of child and
// conditional nodes as long as the node.
class Graph : public std::enable_shared_from_this<Graph> {
 public:
  static GraphRef create() { return std::make_shared<Graph>(); }
  Graph() = default;
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  // handle() is the graph's cudaGraph_t. find() is null if the handle is no live graph's.
  cudaGraph_t handle();
  static GraphRef find(cudaGraph_t handle);
  // give() makes the program the owner; takeBack() ends that and is false when the program is not the owner.
  cudaGraph_t give();
  bool takeBack();

  // nodes() are in the order in which they were made.
  const std::vector<std::unique_ptr<Node>> &nodes() const { return nodes_; }

  // add() makes a node that depends on `dependencies`, which must be different nodes of this graph.
  Expected<Node *> add(Params params, std::span<const Edge> dependencies, device::ContextRef context);
  Status connect(Node &from, Node &to, const cudaGraphEdgeData &data);
  // disconnect() removes the edge, of whatever kind it is where `data` is null.
  Status disconnect(Node &from, Node &to, const cudaGraphEdgeData *data);
  void remove(Node &node);

  // clone() copies the graph with everything in it; its nodes' origin() are this graph's nodes.
  GraphRef clone() const;
  // hasMemoryNodes() looks into child graphs, too.
  bool hasMemoryNodes() const;
  bool hasConditionalNodes() const;
  // hasDeviceNodes(): kernels may change nodes of it, or of a graph in it.
  bool hasDeviceNodes() const;
  // holds() tells that `other` is this graph, or inside of one of its nodes.
  bool holds(const Graph &other) const;
  // refuseCycle() fails where a node of this graph would hold the graph itself, which the program owns again then.
  Status refuseCycle(const Params &params) const;
  // sorted() lists the nodes so that each comes behind its dependencies; fewer than there are when there is a cycle.
  std::vector<Node *> sorted() const;
  // inCycle() is a node that depends on itself. pre: there is one.
  Node *inCycle() const;

  std::map<cudaGraphConditionalHandle, Condition> conditions;
  std::weak_ptr<Graph> enclosing;  // of the body of a conditional node: the graph that the node belongs to
  UserObjects userObjects;
  bool moved = false;              // into a parent: then it is no longer a graph of its own
  std::atomic<int> captures = 0;   // that are under way: streams depend on its nodes
  std::weak_ptr<void> executable;  // of a graph with memory nodes, which can have only one at a time

 private:
  // frees() tells that a node of this graph itself frees the memory.
  bool frees(const void *pointer) const;

  std::vector<std::unique_ptr<Node>> nodes_;
  cudaGraph_t handle_ = nullptr;
  GraphRef self_;  // set while the program is the owner
};

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_GRAPH_H
