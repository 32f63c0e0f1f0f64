// Environment: a running graph and what its kernels launch [CUDA 4.2.6 device graph launch].
//
// Each launch of a graph has an environment. It is complete when the graph's own nodes and all environments below it
// are. Then its tail launches take its place, one after the other, and after the last one its parent goes on.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_ENVIRONMENT_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_ENVIRONMENT_H

#include <driver_types.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "emu_runtime/graph/executable.h"
#include "emu_runtime/graph/run.h"
#include "fibers/mutex.h"

namespace hostwarp::graph {

// Environment is shared by the graph's run and the environments below. Thread-safe; nothing here blocks.
class Environment : public std::enable_shared_from_this<Environment> {
 public:
  // A launch by the host: `complete` is called once, from any thread, when everything is. It is the root of a tree; the
  // graph itself runs in an environment below.
  explicit Environment(std::function<void()> complete) : complete_(std::move(complete)) {}
  // A graph below `parent`, which must not be complete. `executable` is null for one that kernels cannot launch.
  Environment(std::shared_ptr<Environment> parent, ExecutableRef executable)
      : parent_(std::move(parent)), executable_(std::move(executable)) {}

  // comeFrom() sets the origin of the graph's kernels, see fibers::GridRequest. pre: nothing runs here yet.
  void comeFrom(uint64_t origin) { origin_ = origin; }

  // leave() tells that the graph's own nodes, or an environment below, are done.
  void leave();

  // launch() is what a kernel of this graph asks for. `stream` names the mode.
  cudaError_t launch(const ExecutableRef &executable, cudaStream_t stream);

  // executable() is the running graph if kernels may launch it, else null.
  const ExecutableRef &executable() const { return executable_; }

 private:
  using Tails = std::deque<ExecutableRef>;

  static void start(std::shared_ptr<Environment> parent, ExecutableRef executable, uint64_t origin, Tails inherited);
  void enter();
  cudaError_t launchTail(const ExecutableRef &executable);
  void run();

  const std::shared_ptr<Environment> parent_;
  const ExecutableRef executable_;
  std::function<void()> complete_;
  uint64_t origin_ = 0;
  Mutex mutex_;
  unsigned pending_ HOSTWARP_GUARDED_BY(mutex_) = 1;  // environments below, and one for the graph's own nodes
  unsigned fired_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  Tails tails_ HOSTWARP_GUARDED_BY(mutex_);
  Tails inherited_;  // what earlier graphs left in the list
  PlanRef plan_;
  std::unique_ptr<RunScope> scope_;
  std::unique_ptr<PlanRun> run_;
};

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_ENVIRONMENT_H
