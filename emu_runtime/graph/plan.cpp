#include "emu_runtime/graph/plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::graph {

namespace {

using Failure = Plan::Failure;

// Builder appends one graph after the other to a plan.
class Builder {
 public:
  Builder(Plan &plan, Failure &failure, bool body) : plan_(plan), failure_(failure), body_(body) {}

  using Launches = std::vector<uint32_t>;  // the last steps of roots that run kernels

  // append() adds the graph's steps; its first ones wait for `before` if there is one. `launches` are made before it,
  // and not ordered otherwise. Returns the last steps.
  Expected<std::vector<uint32_t>> append(const Graph &graph, std::optional<uint32_t> before, Launches launches);

 private:
  // Span is the steps that stand for a node: what has to wait for its dependencies, and what its dependents wait for.
  struct Span {
    uint32_t first;
    uint32_t last;
  };

  uint32_t newStep(const device::ContextRef &context) {
    plan_.steps.push_back({Nothing{}, context, 0, {}, 0, {}});
    return static_cast<uint32_t>(plan_.steps.size() - 1);
  }
  void order(uint32_t from, uint32_t to) {
    plan_.steps[from].successors.push_back(to);
    ++plan_.steps[to].predecessors;
  }
  void orderEarly(uint32_t from, uint32_t to) {
    plan_.steps[from].early.push_back(to);
    ++plan_.steps[to].predecessors;
    ++plan_.steps[to].prerequisites;
  }
  void order(const Edge &edge, const Span &from, const Span &to) {
    if (edge.data.type == cudaGraphDependencyTypeProgrammatic)
      orderEarly(from.last, to.first);
    else
      order(from.last, to.first);
  }
  Status fail(Node &node, cudaGraphInstantiateResult result, Status status) {
    if (!failure_.culprit) failure_ = {&node, result};
    return status;
  }

  Expected<Span> appendNode(Node &node, const Launches &launches);
  Status fill(uint32_t step, Node &node);
  Status work(uint32_t step, const KernelParams &params);
  Status work(uint32_t step, const CopyParams &params) { return set(step, params); }
  Status work(uint32_t step, const FillParams &params) { return set(step, params); }
  Status work(uint32_t step, const HostParams &params) { return set(step, params); }
  Status work(uint32_t step, const MemoryOpsParams &params) { return set(step, params); }
  Status work(uint32_t step, const SignalParams &params) { return set(step, params); }
  Status work(uint32_t step, const AwaitParams &params) { return set(step, params); }
  Status work(uint32_t, const EmptyParams &) { return {}; }
  Status work(uint32_t, const ChildParams &) { return {}; }  // see appendNode()
  Status work(uint32_t step, const RecordParams &params);
  Status work(uint32_t step, const WaitParams &params);
  Status work(uint32_t step, const AllocParams &params);
  Status work(uint32_t step, const FreeParams &params);
  Status work(uint32_t step, const ConditionalParams &params);

  template <typename Work>
  Status set(uint32_t step, Work work) {
    plan_.steps[step].work = std::move(work);
    return {};
  }

  Plan &plan_;
  Failure &failure_;
  const bool body_;
};

// allowedInBody() lists what the bodies of conditional nodes may hold.
bool allowedInBody(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional:
      return true;
    default:
      return false;
  }
}

// copiesPageable(): the node copies from or to pageable memory (what the table does not have), which a device that runs
// a conditional body by itself cannot reach.
bool copiesPageable(const Node &node) {
  const auto *copy = std::get_if<CopyParams>(&node.params);
  const auto isKnown = [](const void *start) { return memory::AllocationTable::process().find(start).has_value(); };
  return copy && !copy->given.srcArray && !copy->given.dstArray &&
         !(isKnown(copy->copy.to.start) && isKnown(copy->copy.from.start));
}

// launchesKernels() tells whether a node is a kernel, or a graph with one in it.
bool launchesKernels(const Node &node) {
  if (node.type() == cudaGraphNodeTypeKernel) return true;
  const auto *child = std::get_if<ChildParams>(&node.params);
  return child && std::ranges::any_of(child->graph->nodes(), [](const auto &each) { return launchesKernels(*each); });
}

Expected<std::vector<uint32_t>> Builder::append(const Graph &graph, std::optional<uint32_t> before, Launches launches) {
  const std::vector<Node *> nodes = graph.sorted();
  if (nodes.size() != graph.nodes().size()) {
    return fail(*graph.inCycle(), cudaGraphInstantiateInvalidStructure,
                Status(cudaErrorInvalidValue, "the graph has a cycle"));
  }
  for (const auto &[handle, condition] : graph.conditions) {
    if (!condition.used) {
      failure_.result = cudaGraphInstantiateConditionalHandleUnused;
      return Status(cudaErrorInvalidValue, "no node of the graph uses one of its conditional handles");
    }
    plan_.conditions[handle] = condition;
  }
  std::unordered_map<const Node *, Span> spans;
  std::vector<uint32_t> last;
  for (Node *node : nodes) {
    const bool root = node->dependencies().empty();
    auto span = appendNode(*node, root ? launches : Launches());
    if (!span.ok()) return span.status();
    spans[node] = *span;
    for (const Edge &edge : node->dependencies()) order(edge, spans[edge.node], *span);
    if (root && before) order(*before, span->first);
    if (root && launchesKernels(*node)) launches.push_back(span->last);
    if (node->dependents().empty()) last.push_back(span->last);
  }
  return last;
}

// appendNode() appends the node's steps. A conditional node gets edges from all `launches`, the kernels at roots that
// were made before it: a GPU begins roots in the order in which they were made, and programs set conditions by such
// kernels without an edge.
Expected<Builder::Span> Builder::appendNode(Node &node, const Launches &launches) {
  const uint32_t step = newStep(node.context());
  if (node.type() == cudaGraphNodeTypeConditional) {
    for (uint32_t each : launches) order(each, step);
  }
  const auto *child = std::get_if<ChildParams>(&node.params);
  if (!child) {
    Status status = fill(step, node);
    if (!status.ok()) return fail(node, failure_.result, std::move(status));
    return Span{step, step};
  }
  auto inner = append(*child->graph, step, launches);
  if (!inner.ok()) return fail(node, failure_.result, inner.status());
  const uint32_t end = newStep(node.context());
  for (uint32_t each : *inner) order(each, end);
  if (inner->empty()) order(step, end);
  return Span{step, end};
}

Status Builder::fill(uint32_t step, Node &node) {
  if (body_ && (!allowedInBody(node.type()) || copiesPageable(node))) {
    failure_.result = cudaGraphInstantiateNodeOperationNotSupported;
    return {cudaErrorInvalidValue, "the body of a conditional node holds a node of a kind that cannot be there"};
  }
  if (!node.enabled) return {};
  return std::visit([&](const auto &params) { return work(step, params); }, node.params);
}

Status Builder::work(uint32_t step, const KernelParams &params) {
  auto request = prepare(params, *plan_.steps[step].context);
  if (!request.ok()) return request.status();
  plan_.launches = true;
  return set(step, KernelStep{*request, params});
}

Status Builder::work(uint32_t step, const RecordParams &params) {
  plan_.records.push_back(params.event);
  return set(step, RecordStep{plan_.records.size() - 1});
}

Status Builder::work(uint32_t step, const WaitParams &params) {
  plan_.waits.push_back(params.event);
  return set(step, WaitStep{plan_.waits.size() - 1});
}

Status Builder::work(uint32_t step, const AllocParams &params) {
  plan_.allocationSteps.push_back(step);
  plan_.allocations.push_back(params.memory);
  return {};
}

Status Builder::work(uint32_t step, const FreeParams &params) {
  if (!params.memory) return set(step, params);
  plan_.freeSteps.push_back(step);
  plan_.frees.push_back(params.memory);
  return {};
}

Status Builder::work(uint32_t step, const ConditionalParams &params) {
  ConditionalStep conditional{params.handle, params.kind, {}};
  for (const GraphRef &body : params.bodies) {
    auto plan = std::make_shared<Plan>();
    auto ends = Builder(*plan, failure_, true).append(*body, std::nullopt, {});
    if (!ends.ok()) return ends.status();
    for (uint32_t i = 0; i < plan->steps.size(); ++i) {
      if (plan->steps[i].predecessors == 0) plan->roots.push_back(i);
    }
    plan_.conditions.insert(plan->conditions.begin(), plan->conditions.end());
    plan_.launches = plan_.launches || plan->launches;
    conditional.bodies.push_back(std::move(plan));
  }
  return set(step, std::move(conditional));
}

}  // namespace

Expected<fibers::GridRequest> prepare(const KernelParams &params, device::Context &context) {
  auto request = execution::prepare(*params.kernel, params.configuration, context);
  if (request.ok()) request->args = params.arguments->pointers();
  return request;
}

Expected<PlanRef> Plan::build(const Graph &graph, Failure &failure) {
  auto plan = std::make_shared<Plan>();
  auto ends = Builder(*plan, failure, false).append(graph, std::nullopt, {});
  if (!ends.ok()) return ends.status();
  for (uint32_t i = 0; i < plan->steps.size(); ++i) {
    if (plan->steps[i].predecessors == 0) plan->roots.push_back(i);
  }
  return PlanRef(std::move(plan));
}

}  // namespace hostwarp::graph
