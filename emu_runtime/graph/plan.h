// Plan: a graph made ready to run, as often as wanted and by several launches at a time.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_PLAN_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_PLAN_H

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "emu_runtime/graph/graph.h"
#include "fibers/engine.h"

namespace hostwarp::graph {

struct Plan;
using PlanRef = std::shared_ptr<const Plan>;

// What the steps do. Nothing: empty and disabled nodes, the beginning and end of a child graph, allocations (made when
// the graph is launched).
struct Nothing {};
struct KernelStep {
  fibers::GridRequest request;  // complete but for priority, scope and number
  KernelParams params;          // keeps alive what the request points at
};
struct RecordStep {
  size_t slot;  // into Plan::records
};
struct WaitStep {
  size_t slot;  // into Plan::waits
};
struct ConditionalStep {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType kind;
  std::vector<PlanRef> bodies;
};

// Step is one node of the plan; the others are named by their index.
struct Step {
  std::variant<Nothing, KernelStep, CopyParams, FillParams, HostParams, RecordStep, WaitStep, FreeParams,
               ConditionalStep, MemoryOpsParams, SignalParams, AwaitParams>
      work;
  device::ContextRef context;
  uint32_t predecessors = 0;
  std::vector<uint32_t> successors;
  // Programmatic edges: `early` may begin when the blocks of this kernel have triggered dependents or ended; such a
  // step is over when its `prerequisites` predecessors of that kind are.
  uint32_t prerequisites = 0;
  std::vector<uint32_t> early;
};

// Plan is never changed once it is built. Child graphs are part of it; the bodies of conditional nodes have plans of
// their own.
struct Plan {
  std::vector<Step> steps;
  std::vector<uint32_t> roots;
  std::vector<device::EventRef> records;
  std::vector<device::EventRef> waits;
  std::vector<GraphMemoryRef> allocations;
  std::vector<GraphMemoryRef> frees;
  std::vector<uint32_t> allocationSteps, freeSteps;                      // the nodes of these
  std::unordered_map<cudaGraphConditionalHandle, Condition> conditions;  // of the whole graph, bodies included
  bool launches = false;                                                 // some kernel, which could set a condition

  // build() checks the graph and makes its plan. When it fails, `culprit` is the node at fault, if it is one's.
  struct Failure {
    Node *culprit = nullptr;
    cudaGraphInstantiateResult result = cudaGraphInstantiateError;
  };
  static Expected<PlanRef> build(const Graph &graph, Failure &failure);
};

// prepare() checks a kernel node's launch against its device.
Expected<fibers::GridRequest> prepare(const KernelParams &params, device::Context &context);

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_PLAN_H
