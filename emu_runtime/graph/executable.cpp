#include "emu_runtime/graph/executable.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "emu_runtime/graph/memory.h"
#include "emu_runtime/graph/run.h"
#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::graph {

namespace {

// forEachNode() visits the nodes of a graph and of the graphs inside of it.
template <typename Visit>
void forEachNode(const Graph &graph, const Visit &visit) {
  for (const auto &node : graph.nodes()) {
    visit(*node);
    if (const auto *child = std::get_if<ChildParams>(&node->params)) forEachNode(*child->graph, visit);
    if (const auto *conditional = std::get_if<ConditionalParams>(&node->params)) {
      for (const GraphRef &body : conditional->bodies) forEachNode(*body, visit);
    }
  }
}

// originalOf() is the node in `graph`, or inside of one of its nodes, that `copy` in a snapshot was cloned from.
Node *originalOf(const Graph &graph, const Node *copy) {
  Node *found = nullptr;
  if (!copy) return found;
  forEachNode(graph, [&](Node &node) {
    if (node.id() == copy->origin()) found = &node;
  });
  return found;
}

// userObjectsOf() takes the references of a graph and of the graphs inside of it.
std::shared_ptr<UserObjects> userObjectsOf(const Graph &graph) {
  auto objects = std::make_shared<UserObjects>();
  const std::function<void(const Graph &)> collect = [&](const Graph &each) {
    objects->add(each.userObjects);
    for (const auto &node : each.nodes()) {
      if (const auto *child = std::get_if<ChildParams>(&node->params)) collect(*child->graph);
      if (const auto *conditional = std::get_if<ConditionalParams>(&node->params))
        for (const GraphRef &body : conditional->bodies) collect(*body);
    }
  };
  collect(graph);
  return objects;
}

// onDevice() says which kind of memory an address belongs to, as far as updates must not change it.
bool onDevice(const void *address) {
  auto allocation = memory::AllocationTable::process().find(address);
  return allocation && (allocation->onDevice() || allocation->managed());
}

// checkChange() enforces what an update must leave as it is [CUDA 4.2.3.4].
Status checkChange(const Node &, const KernelParams &, const KernelParams &) { return {}; }
Status checkChange(const Node &, const CopyParams &from, const CopyParams &to) {
  if (from.given.kind != to.given.kind) return {cudaErrorInvalidValue, "a copy keeps its cudaMemcpyKind"};
  if (std::memcmp(&from.given, &to.given, sizeof(to.given)) == 0) return {};
  const bool flat =
      from.copy.box.height == 1 && from.copy.box.depth == 1 && to.copy.box.height == 1 && to.copy.box.depth == 1;
  if (!flat) return {cudaErrorInvalidValue, "only one-dimensional copies of an executable graph can be changed"};
  const bool sameForms = !from.given.srcArray == !to.given.srcArray && !from.given.dstArray == !to.given.dstArray;
  if (!sameForms) return {cudaErrorInvalidValue, "a copy cannot change between linear memory and arrays"};
  // A kind that names both sides is trusted, whatever the addresses are.
  if (from.given.kind == cudaMemcpyHostToDevice || from.given.kind == cudaMemcpyDeviceToHost) return {};
  const bool sameSides = onDevice(from.copy.to.start) == onDevice(to.copy.to.start) &&
                         onDevice(from.copy.from.start) == onDevice(to.copy.from.start);
  return sameSides ? Status() : Status(cudaErrorInvalidValue, "a copy cannot change between host and device memory");
}
Status checkChange(const Node &, const FillParams &from, const FillParams &to) {
  const bool flat = from.fill.box.height == 1 && to.fill.box.height == 1;
  const bool sameBox = from.fill.box.width == to.fill.box.width && from.fill.box.height == to.fill.box.height &&
                       from.fill.elementBytes == to.fill.elementBytes;
  return flat || sameBox ? Status()
                         : Status(cudaErrorInvalidValue, "a two-dimensional fill keeps its extent and element size");
}
template <typename Node, cudaGraphNodeType type>
Status checkCount(const SemaphoreParams<Node, type> &from, const SemaphoreParams<Node, type> &to) {
  return from.uses.size() == to.uses.size() ? Status()
                                            : Status(cudaErrorInvalidValue, "a node keeps its number of semaphores");
}
Status checkChange(const Node &, const SignalParams &from, const SignalParams &to) { return checkCount(from, to); }
Status checkChange(const Node &, const AwaitParams &from, const AwaitParams &to) { return checkCount(from, to); }
template <typename Kind>
Status checkChange(const Node &, const Kind &, const Kind &) {
  return {};
}

Status checkChange(const Node &node, const Params &to) {
  if (node.params.index() != to.index()) return cudaErrorInvalidValue;
  return std::visit(
      [&](const auto &from) { return checkChange(node, from, std::get<std::decay_t<decltype(from)>>(to)); },
      node.params);
}

// Mismatch is where two graphs that should have the same shape differ.
struct Mismatch {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  Node *node = nullptr;  // of the source
  Node *from = nullptr;  // of the source, for edges

  explicit operator bool() const { return result != cudaGraphExecUpdateSuccess; }
};

// Counterparts are nodes and graphs that belong together: of the snapshot, of the source.
struct Counterparts {
  std::vector<std::pair<Node *, Node *>> nodes;
  std::vector<std::pair<Graph *, const Graph *>> graphs;
};

Mismatch pair(Graph &snapshot, const Graph &source, Counterparts &pairs);

Mismatch pairInside(const Node &own, Node &other, Counterparts &pairs) {
  if (const auto *child = std::get_if<ChildParams>(&own.params)) {
    return pair(*child->graph, *std::get<ChildParams>(other.params).graph, pairs);
  }
  const auto *conditional = std::get_if<ConditionalParams>(&own.params);
  if (!conditional) return {};
  const auto &others = std::get<ConditionalParams>(other.params);
  if (conditional->kind != others.kind || conditional->bodies.size() != others.bodies.size()) {
    return {cudaGraphExecUpdateErrorParametersChanged, &other};
  }
  for (size_t i = 0; i < others.bodies.size(); ++i) {
    if (Mismatch found = pair(*conditional->bodies[i], *others.bodies[i], pairs)) return found;
  }
  return {};
}

// pair() matches nodes by the order in which they were made, and compares their edges.
Mismatch pair(Graph &snapshot, const Graph &source, Counterparts &pairs) {
  pairs.graphs.emplace_back(&snapshot, &source);
  if (snapshot.nodes().size() != source.nodes().size()) return {cudaGraphExecUpdateErrorTopologyChanged};
  std::unordered_map<const Node *, const Node *> counterpart;
  for (size_t i = 0; i < source.nodes().size(); ++i) {
    Node &own = *snapshot.nodes()[i];
    Node &other = *source.nodes()[i];
    counterpart[&own] = &other;
    if (own.type() != other.type()) return {cudaGraphExecUpdateErrorNodeTypeChanged, &other};
    if (own.dependencies().size() != other.dependencies().size()) {
      return {cudaGraphExecUpdateErrorTopologyChanged, &other};
    }
    pairs.nodes.emplace_back(&own, &other);
  }
  for (size_t i = 0; i < source.nodes().size(); ++i) {
    Node &own = *snapshot.nodes()[i];
    Node &other = *source.nodes()[i];
    for (size_t j = 0; j < own.dependencies().size(); ++j) {
      if (counterpart.at(own.dependencies()[j].node) != other.dependencies()[j].node) {
        return {cudaGraphExecUpdateErrorTopologyChanged, &other, other.dependencies()[j].node};
      }
    }
    if (Mismatch found = pairInside(own, other, pairs)) return found;
  }
  return {};
}

// cooperative(): an update cannot change whether a kernel's launch is a cooperative one.
bool cooperative(const Node &node) {
  const auto *kernel = std::get_if<KernelParams>(&node.params);
  return kernel && kernel->configuration.cooperative;
}

// takeOver() copies the node's parameters; the nodes of child graphs are pairs of their own.
void takeOver(Node &own, const Node &other) {
  if (own.type() == cudaGraphNodeTypeGraph) return;
  if (auto *conditional = std::get_if<ConditionalParams>(&own.params)) {
    conditional->handle = std::get<ConditionalParams>(other.params).handle;
    return;
  }
  own.params = other.params;
}

Status checkFlags(const Graph &graph, unsigned long long flags) {
  if (flags & ~Executable::knownFlags) return cudaErrorInvalidValue;
  if (!(flags & cudaGraphInstantiateFlagDeviceLaunch)) return {};
  if (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) return cudaErrorInvalidValue;
  return graph.nodes().empty() ? Status(cudaErrorInvalidValue, "kernels cannot launch an empty graph") : Status();
}

// deviceReaches(): the memory is not pageable, which is all memory that the table does not have.
bool deviceReaches(const void *address) { return memory::AllocationTable::process().find(address).has_value(); }

// forKernels() says whether a graph that kernels launch can hold a node with these parameters [CUDA 4.2.6].
bool forKernels(const KernelParams &kernel) { return !(kernel.kernel->code()->flags & HW_KERNEL_LAUNCHES_KERNELS); }
bool forKernels(const CopyParams &copy) {
  if (copy.given.srcArray || copy.given.dstArray) return false;
  return deviceReaches(copy.copy.to.start) && deviceReaches(copy.copy.from.start);
}
bool forKernels(const FillParams &) { return true; }
template <typename Kind>
bool forKernels(const Kind &) {
  return false;
}

// checkForKernels() tells what a graph that kernels launch cannot hold.
Status checkForKernels(const Graph &graph, Plan::Failure &failure) {
  for (const auto &node : graph.nodes()) {
    if (const auto *child = std::get_if<ChildParams>(&node->params)) {
      HOSTWARP_TRY(checkForKernels(*child->graph, failure));
      continue;
    }
    if (std::visit([](const auto &params) { return forKernels(params); }, node->params)) continue;
    failure = {node.get(), cudaGraphInstantiateNodeOperationNotSupported};
    return {cudaErrorInvalidValue,
            "graphs that kernels launch hold child graphs, fills, kernels that launch no kernels, "
            "and copies of memory that the device reaches"};
  }
  return {};
}

}  // namespace

Executable::Executable(GraphRef snapshot, PlanRef plan, unsigned long long flags)
    : snapshot_(std::move(snapshot)), plan_(std::move(plan)), flags_(flags), userObjects_(userObjectsOf(*snapshot_)) {
  forEachNode(*snapshot_, [this](Node &node) { nodes_[node.origin()] = &node; });
}

Expected<ExecutableRef> Executable::instantiate(Graph &graph, unsigned long long flags, Plan::Failure &failure) {
  HOSTWARP_TRY(checkFlags(graph, flags));
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) HOSTWARP_TRY(checkForKernels(graph, failure));
  const bool isOnce = graph.hasMemoryNodes() || graph.hasDeviceNodes();
  if (isOnce && !graph.executable.expired())
    return Status(
        cudaErrorNotSupported,
        "a graph with memory nodes, or with nodes that kernels may change, can be instantiated only once at a "
        "time");
  GraphRef snapshot = graph.clone();
  auto plan = Plan::build(*snapshot, failure);
  if (!plan.ok()) {
    failure.culprit = originalOf(graph, failure.culprit);
    return plan.status();
  }
  auto made = std::make_shared<Executable>(std::move(snapshot), *plan, flags);
  if (isOnce) graph.executable = made;
  if (flags & cudaGraphInstantiateFlagUpload) HOSTWARP_TRY(made->upload());
  return made;
}

Status Executable::makePlan() {
  if (plan_) return {};
  Plan::Failure failure;
  auto plan = Plan::build(*snapshot_, failure);
  if (!plan.ok()) return plan.status();
  plan_ = *plan;
  return {};
}

Status Executable::upload() {
  HOSTWARP_TRY(makePlan());
  MutexLock lock(mutex_);
  uploaded_ = plan_;
  return {};
}

PlanRef Executable::uploaded() const {
  MutexLock lock(mutex_);
  return uploaded_;
}

Status Executable::launch(const device::StreamRef &target) {
  const bool fromKernels = flags_ & cudaGraphInstantiateFlagDeviceLaunch;
  HOSTWARP_TRY(fromKernels ? upload() : makePlan());
  auto memory = takeMemory(*plan_);
  if (!memory.ok()) return memory.status();
  std::optional<int> priority;
  if (!(flags_ & cudaGraphInstantiateFlagUseNodePriority)) priority = target.stream->priority();
  auto run = std::make_shared<GraphRun>(target.context->state(), plan_, priority, userObjects_,
                                        fromKernels ? shared_from_this() : nullptr);
  run->show(profile::graphSpan(target, plan_->steps.size()));
  GraphRun::enqueue(run, target, last_);
  last_ = run;
  memory->keep();
  return {};
}

// takeMemory() does the book-keeping of a launch: memory that the plan allocates and does not free stays outstanding.
Expected<LaunchMemory> Executable::takeMemory(const Plan &plan) {
  LaunchMemory launch(plan.allocations.size(), plan.frees.size());
  for (const GraphMemoryRef &memory : plan.allocations) {
    if (memory->outstanding()) {
      if (flags_ & cudaGraphInstantiateFlagAutoFreeOnLaunch) continue;
      return Status(cudaErrorInvalidValue, "memory that an earlier launch of this graph allocated is not freed yet");
    }
    if (!launch.allocate(memory))
      return Status(cudaErrorMemoryAllocation, "not enough memory for the graph's allocations");
  }
  for (const GraphMemoryRef &memory : plan.frees) {
    if (!launch.free(memory)) return Status(cudaErrorInvalidValue, "the graph frees memory that is not allocated");
  }
  return launch;
}

Node *Executable::nodeOf(const Node &original) const {
  auto found = nodes_.find(original.id());
  return found == nodes_.end() ? nullptr : found->second;
}

// checkFunction(): a kernel does not come to launch other kernels, nor graphs where kernels do not launch this one.
Status Executable::checkFunction(const Params &from, const Params &to) const {
  const auto *was = std::get_if<KernelParams>(&from), *will = std::get_if<KernelParams>(&to);
  if (!was || !will) return {};
  const uint32_t gained = will->kernel->code()->flags & ~was->kernel->code()->flags;
  const bool isForKernels = flags_ & cudaGraphInstantiateFlagDeviceLaunch;
  const uint32_t refused = HW_KERNEL_LAUNCHES_KERNELS | (isForKernels ? 0 : HW_KERNEL_LAUNCHES_GRAPHS);
  if (!(gained & refused)) return {};
  return {cudaErrorInvalidValue, "a kernel of an executable graph cannot become one that launches kernels or graphs"};
}

// keepsPriority(): where nodes have priorities of their own, they keep them.
bool Executable::keepsPriority(const Params &from, const Params &to) const {
  const auto *was = std::get_if<KernelParams>(&from), *will = std::get_if<KernelParams>(&to);
  if (!was || !will || !(flags_ & cudaGraphInstantiateFlagUseNodePriority)) return true;
  return was->configuration.priority.value_or(0) == will->configuration.priority.value_or(0);
}

Status Executable::change(Node &node, Params params) {
  HOSTWARP_TRY(checkChange(node, params));
  HOSTWARP_TRY(checkFunction(node.params, params));
  if (const auto *kernel = std::get_if<KernelParams>(&params)) {
    HOSTWARP_TRY(prepare(*kernel, *node.context()).status());
  }
  if (auto *child = std::get_if<ChildParams>(&params)) {
    cudaGraphExecUpdateResultInfo info;
    return updateGraph(*std::get<ChildParams>(node.params).graph, *child->graph, info);
  }
  node.params = std::move(params);
  plan_ = nullptr;
  return {};
}

bool Executable::canBeDisabled(const Node &node) {
  const cudaGraphNodeType type = node.type();
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset;
}

Status Executable::enable(Node &node, bool enabled) {
  if (!canBeDisabled(node)) return {cudaErrorInvalidValue, "only kernel, copy and fill nodes can be disabled"};
  if (node.enabled != enabled) plan_ = nullptr;
  node.enabled = enabled;
  return {};
}

namespace {

// usesGraphMemory(): the node writes or reads memory that nodes of a graph allocate.
bool usesGraphMemory(const Node &node) {
  const auto isOfGraph = [](const void *address) { return GraphMemory::at(address) != nullptr; };
  if (const auto *fill = std::get_if<FillParams>(&node.params)) return isOfGraph(fill->fill.to.start);
  const auto *copy = std::get_if<CopyParams>(&node.params);
  return copy && (isOfGraph(copy->copy.to.start) || isOfGraph(copy->copy.from.start));
}

}  // namespace

// checkMemoryOf(): memory nodes belong to one executable at a time, and an update makes them no other one's.
Status Executable::checkMemoryOf(const Graph &source, cudaGraphExecUpdateResultInfo &info) const {
  if (!source.hasMemoryNodes()) return {};
  const auto owner = source.executable.lock();
  if (owner.get() == this) return {};
  if (owner) {
    info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    return {cudaErrorNotSupported, "the graph's memory nodes are another executable's"};
  }
  // Without one, the addresses stand for no memory.
  for (const auto &node : source.nodes()) {
    if (!usesGraphMemory(*node)) continue;
    info = {cudaGraphExecUpdateError, node->handle(), nullptr};
    return cudaErrorGraphExecUpdateFailure;
  }
  return {};
}

Status Executable::update(const Graph &source, cudaGraphExecUpdateResultInfo &info) {
  HOSTWARP_TRY(checkMemoryOf(source, info));
  if (snapshot_->hasDeviceNodes() || source.hasDeviceNodes()) {
    info = {cudaGraphExecUpdateErrorNotSupported, nullptr, nullptr};
    return {cudaErrorNotSupported, "graphs with nodes that kernels may change are not updated as a whole"};
  }
  return updateGraph(*snapshot_, source, info);
}

Status Executable::updateGraph(Graph &own, const Graph &source, cudaGraphExecUpdateResultInfo &info) {
  info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  auto fail = [&](const Mismatch &mismatch) {
    info.result = mismatch.result;
    info.errorNode = mismatch.node ? mismatch.node->handle() : nullptr;
    info.errorFromNode = mismatch.from ? mismatch.from->handle() : nullptr;
    return Status(cudaErrorGraphExecUpdateFailure);
  };
  Counterparts pairs;
  if (Mismatch found = pair(own, source, pairs)) return fail(found);
  for (const auto &[node, other] : pairs.nodes) {
    if (!checkFunction(node->params, other->params).ok())
      return fail({cudaGraphExecUpdateErrorUnsupportedFunctionChange, other});
    if (!keepsPriority(node->params, other->params)) return fail({cudaGraphExecUpdateErrorAttributesChanged, other});
    Status status = checkChange(*node, other->params);
    if (const auto *kernel = std::get_if<KernelParams>(&other->params); kernel && status.ok()) {
      status = prepare(*kernel, *node->context()).status();
    }
    if (!status.ok()) return fail({cudaGraphExecUpdateErrorParametersChanged, other});
    if (cooperative(*node) != cooperative(*other)) return fail({cudaGraphExecUpdateErrorAttributesChanged, other});
  }
  for (const auto &[node, other] : pairs.nodes) takeOver(*node, *other);
  for (const auto &[graph, other] : pairs.graphs) {
    graph->conditions = other->conditions;
    graph->userObjects = other->userObjects;
  }
  userObjects_ = userObjectsOf(*snapshot_);
  plan_ = nullptr;
  return {};
}

ExecutableTable &executableTable() {
  static auto *table = new ExecutableTable;
  return *table;
}

}  // namespace hostwarp::graph
