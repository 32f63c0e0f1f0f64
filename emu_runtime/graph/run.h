// Running a plan: PlanRun does its steps in order, GraphRun is a launch as an operation of a stream.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_RUN_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_RUN_H

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emu_runtime/graph/plan.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/profile/spans.h"
#include "emu_runtime/stream/event.h"
#include "emu_runtime/stream/operation.h"

namespace hostwarp::graph {

class Environment;
class Executable;

// RunScope is what all parts of one launch share: the values of conditions, the recordings of events.
struct RunScope {
  explicit RunScope(const Plan &plan);
  ~RunScope() { recordRest(); }
  RunScope(const RunScope &) = delete;
  RunScope &operator=(const RunScope &) = delete;

  // setCondition() is false for a handle that is not the graph's.
  bool setCondition(cudaGraphConditionalHandle handle, unsigned value);
  // recordRest() makes the recordings of record nodes that were not executed: events may be waited for.
  void recordRest();

  std::unordered_map<cudaGraphConditionalHandle, std::atomic<unsigned>> conditions;
  std::vector<std::shared_ptr<stream::Record>> records;  // by slot; null when made
  std::vector<stream::OperationRef> waits;               // by slot; null when there is nothing to wait for
  Environment *environment = nullptr;                    // of the launch; what its kernels launch belongs to it
  std::optional<int> priority;                           // of all kernels; absent: each has its own
  fibers::Place place;                                   // of the launch in its stream
  order::WorkRef work;                                   // the launch, in checked runs
  std::vector<order::PartRef> parts;                     // of the launch, by step; empty in other runs

 private:
  RunScope() = default;
};

// PlanRun does the steps of a plan once, each when its predecessors are done and side by side where they may. It has
// no thread: a step begins on whichever thread finished the last of its predecessors. Steps on a context that has
// failed are passed over, and so is what finds no host memory, which fails the context.
class PlanRun {
 public:
  // `done` is called once, from any thread, as the last thing this object does: it may destroy it.
  // What a body does is a part of the step that it belongs to, `whole`; that is null for others.
  PlanRun(PlanRef plan, RunScope &scope, std::function<void()> done, order::PartRef whole = nullptr);
  PlanRun(const PlanRun &) = delete;
  PlanRun &operator=(const PlanRun &) = delete;

  // start() begins the first steps and does not block. `origin` is that of the launch, see fibers::GridRequest.
  void start(uint64_t origin);

 private:
  // Steps is a list of steps whose turn has come. It allocates nothing, so that it cannot fail.
  struct Steps {
    uint32_t first = none, last = none;
  };
  static constexpr uint32_t none = ~uint32_t{0};
  enum class Progress { Finished, Running };

  void push(Steps &steps, uint32_t step);
  uint32_t pop(Steps &steps);
  void advance(Steps ready);
  void release(uint32_t step, Steps &ready);
  bool end(uint32_t step, Steps &ready);
  bool complete(uint32_t step, Steps &ready);
  void stepTriggered(uint32_t step);
  void stepDone(uint32_t step);

  Progress begin(uint32_t step) noexcept;
  Progress run(uint32_t step, const Nothing &) { return (void)step, Progress::Finished; }
  Progress run(uint32_t step, const KernelStep &work);
  Progress run(uint32_t step, const CopyParams &params);
  Progress run(uint32_t step, const FillParams &params);
  Progress run(uint32_t step, const HostParams &params);
  Progress run(uint32_t step, const RecordStep &work);
  Progress run(uint32_t step, const WaitStep &work);
  Progress run(uint32_t step, const FreeParams &params);
  Progress run(uint32_t step, const ConditionalStep &work);
  Progress run(uint32_t step, const MemoryOpsParams &params);
  Progress run(uint32_t step, const SignalParams &params);
  Progress run(uint32_t step, const AwaitParams &params);
  order::PartRef partOf(uint32_t step) const;
  PlanRef chosenBody(uint32_t step, const ConditionalStep &work);
  template <typename Transfer>
  Progress transfer(uint32_t step, const Transfer &transfer);

  const PlanRef plan_;
  RunScope &scope_;
  uint64_t origin_ = 0;
  std::function<void()> done_;
  const order::PartRef whole_;
  std::unique_ptr<std::atomic<uint32_t>[]> pending_;               // what each step has to wait for before it begins
  std::unique_ptr<std::atomic<uint32_t>[]> unfinished_;            // its own work and its prerequisites
  std::unique_ptr<std::atomic<bool>[]> released_;                  // its early successors need not wait any more
  std::unique_ptr<uint32_t[]> next_;                               // each step's link in a list
  std::atomic<size_t> left_;                                       // unfinished steps
  std::unordered_map<uint32_t, std::unique_ptr<PlanRun>> bodies_;  // running, of each conditional step
};

// GraphRun is one launch of an executable. Its owner schedules it like any operation.
class GraphRun final : public stream::Operation {
 public:
  // Takes part in the order of the plan's events: waits are for what was recorded before, and what is recorded here
  // counts from now on.
  // `executable` is given if kernels may launch it too. The program's objects are kept until the launch is over.
  GraphRun(std::shared_ptr<stream::ContextState> context, PlanRef plan, std::optional<int> priority,
           std::shared_ptr<UserObjects> userObjects, std::shared_ptr<Executable> executable);

  ~GraphRun() override { leaveMemory(); }

  // show() makes the launch appear in the timeline. pre: not scheduled; `span` may be null.
  void show(profile::SpanRef span) { span_ = std::move(span); }

  // enqueue() has the launch take its turn in the stream, behind `last`, which may be null.
  static void enqueue(const std::shared_ptr<GraphRun> &run, const device::StreamRef &target,
                      const stream::OperationRef &last);

 private:
  Progress start() override;
  void abandon() override;
  void ended();
  void leaveMemory();

  const PlanRef plan_;
  RunScope scope_;
  const std::shared_ptr<Environment> environment_;
  PlanRun run_;
  std::shared_ptr<UserObjects> userObjects_;
  profile::SpanRef span_;
  bool inMemory_ = false;  // keeps the plan's memory from being trimmed
};

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_RUN_H
