// Executable: a graph as it was when it was instantiated, ready to be launched, with parameters that can be changed.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_EXECUTABLE_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_EXECUTABLE_H

#include <driver_types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/plan.h"
#include "fibers/mutex.h"

namespace hostwarp::graph {

// Executable is what a cudaGraphExec_t names. Changes count for launches after them; earlier ones keep the plan that
// they were started with. Not for use by two threads at a time, as CUDA demands.
class Executable : public std::enable_shared_from_this<Executable> {
 public:
  static constexpr unsigned long long knownFlags =
      cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagDeviceLaunch |
      cudaGraphInstantiateFlagUseNodePriority;

  // instantiate() takes a snapshot of the graph.
  static Expected<std::shared_ptr<Executable>> instantiate(Graph &graph, unsigned long long flags,
                                                           Plan::Failure &failure);
  Executable(GraphRef snapshot, PlanRef plan, unsigned long long flags);

  unsigned long long flags() const { return flags_; }
  const GraphRef &snapshot() const { return snapshot_; }

  // upload() makes the graph as it is now the one that kernels launch; uploaded() is that one, null before.
  Status upload();
  PlanRef uploaded() const;
  // setBusy() notes that a launch by a kernel runs or waits for its turn, or not any more; returns what it was.
  bool setBusy(bool busy) { return busy_.exchange(busy); }

  // launch() puts a run into the stream, behind earlier runs of this executable.
  Status launch(const device::StreamRef &target);
  // forgetLast() drops the last run, which holds the executable if kernels may launch it. pre: not launched again.
  void forgetLast() { last_.reset(); }

  // nodeOf() finds the snapshot's counterpart of a node of the instantiated graph; null if there is none.
  Node *nodeOf(const Node &original) const;
  // change() gives a node of the snapshot other parameters, of the same kind.
  Status change(Node &node, Params params);
  static bool canBeDisabled(const Node &node);
  Status enable(Node &node, bool enabled);
  // update() takes over all parameters from a graph of the same shape; all or none.
  Status update(const Graph &source, cudaGraphExecUpdateResultInfo &info);

 private:
  Status checkMemoryOf(const Graph &source, cudaGraphExecUpdateResultInfo &info) const;
  Status checkFunction(const Params &from, const Params &to) const;
  bool keepsPriority(const Params &from, const Params &to) const;
  Status makePlan();
  Expected<LaunchMemory> takeMemory(const Plan &plan);
  Status updateGraph(Graph &own, const Graph &source, cudaGraphExecUpdateResultInfo &info);

  const GraphRef snapshot_;
  PlanRef plan_;  // null when parameters have changed since it was made
  const unsigned long long flags_;
  std::unordered_map<uint64_t, Node *> nodes_;  // by the id of the original
  std::shared_ptr<UserObjects> userObjects_;    // of the snapshot and all graphs in it; a launch keeps them to its end
  stream::OperationRef last_;
  mutable Mutex mutex_;
  PlanRef uploaded_ HOSTWARP_GUARDED_BY(mutex_);
  std::atomic<bool> busy_{false};
};

using ExecutableRef = std::shared_ptr<Executable>;
using ExecutableTable = device::HandleTable<cudaGraphExec_t, ExecutableRef>;
ExecutableTable &executableTable();

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_EXECUTABLE_H
