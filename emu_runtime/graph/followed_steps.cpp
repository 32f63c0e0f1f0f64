#include "emu_runtime/graph/followed_steps.h"

#include <string>
#include <utility>

#include "emu_runtime/graph/memory.h"
#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::graph {

namespace {

std::string nameOf(const Nothing &) { return "a node"; }
std::string nameOf(const KernelStep &work) { return "kernel " + work.params.kernel->name(); }
std::string nameOf(const CopyParams &) { return "a copy"; }
std::string nameOf(const FillParams &) { return "a fill"; }
std::string nameOf(const HostParams &) { return "a host function"; }
std::string nameOf(const FreeParams &) { return "a free"; }
std::string nameOf(const ConditionalStep &) { return "a conditional node"; }
template <typename Other>
std::string nameOf(const Other &) {
  return "a node";
}

// successorsOf() is all edges, programmatic ones as well: what waits for a trigger waits for memory by itself.
order::Work::Successors successorsOf(const Plan &plan) {
  order::Work::Successors successors;
  for (const Step &step : plan.steps) {
    successors.push_back(step.successors);
    successors.back().insert(successors.back().end(), step.early.begin(), step.early.end());
  }
  return successors;
}

// inOrder() is the steps, each behind those that it has to wait for.
std::vector<uint32_t> inOrder(const order::Work::Successors &successors) {
  std::vector<uint32_t> open(successors.size()), order;
  for (const auto &each : successors)
    for (const uint32_t next : each) ++open[next];
  for (uint32_t step = 0; step < open.size(); ++step)
    if (open[step] == 0) order.push_back(step);
  for (size_t i = 0; i < order.size(); ++i)
    for (const uint32_t next : successors[order[i]])
      if (--open[next] == 0) order.push_back(next);
  return order;
}

void touch(order::Part &part, const GraphMemoryRef &memory, order::How how) {
  if (const auto allocation = memory::AllocationTable::process().find(memory->start()))
    part.touch(allocation->start, allocation->bytes, how);
}

}  // namespace

std::vector<order::PartRef> followSteps(const Plan &plan, order::Work &work) {
  order::Work::Successors successors = successorsOf(plan);
  std::vector<order::PartRef> parts(plan.steps.size());
  for (const uint32_t step : inOrder(successors))
    parts[step] = work.add(std::visit([](const auto &each) { return nameOf(each); }, plan.steps[step].work), step);
  for (size_t i = 0; i < plan.allocations.size(); ++i)
    touch(*parts[plan.allocationSteps[i]], plan.allocations[i], order::How::Allocates);
  for (size_t i = 0; i < plan.frees.size(); ++i) touch(*parts[plan.freeSteps[i]], plan.frees[i], order::How::Frees);
  work.setGraph(std::move(successors));
  return parts;
}

}  // namespace hostwarp::graph
