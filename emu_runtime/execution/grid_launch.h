// GridLaunch: a kernel launch as an operation of a stream.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_GRID_LAUNCH_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_GRID_LAUNCH_H

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "emu_runtime/device/context.h"
#include "emu_runtime/module/kernel.h"
#include "emu_runtime/profile/spans.h"
#include "emu_runtime/stream/operation.h"
#include "fibers/engine.h"
#include "fibers/mutex.h"

namespace hostwarp::execution {

// Arguments is a copy of a launch's arguments: CUDA reads them during the launch call, the grid runs later.
class Arguments {
 public:
  // Copies what `values` point at, one pointer for each parameter of the kernel.
  Arguments(const hw_kernel &kernel, void *const *values);

  void *const *pointers() const { return reinterpret_cast<void *const *>(storage_.get()); }

  // contains() tells whether an address is inside of the copies.
  bool contains(const void *address) const;

 private:
  struct Release {
    size_t bytes;
    void operator()(char *storage) const;
  };
  const size_t bytes_;
  std::unique_ptr<char, Release> storage_;  // the array of pointers, then the values
};

// PackedParameters are a kernel's parameters in a buffer that is laid out as a structure of them.
struct PackedParameters {
  std::vector<void *> addresses;
  size_t bytes = 0;  // that the buffer must have

  PackedParameters(const hw_kernel &kernel, char *buffer);
};

class RunningGrid;

// GridLaunch runs one grid on the engine and turns a fault into the context's sticky error.
class GridLaunch final : public stream::Operation {
 public:
  // `request` is as for RunningGrid.
  GridLaunch(device::ContextRef context, std::shared_ptr<modules::Kernel> kernel, const fibers::GridRequest &request,
             void *const *arguments);

  // show() makes the launch appear in the timeline. pre: not scheduled; `span` may be null.
  void show(profile::SpanRef span);

  // overlap() says that the grid may start before `prerequisites` are done: its threads can wait for them, and the
  // launch is not done before. pre: not scheduled.
  void overlap(stream::OperationRef prerequisites) { prerequisites_ = std::move(prerequisites); }

  // released() is done when each block of the grid has triggered dependents or ended.
  stream::OperationRef released() override;

 private:
  Progress start() override;
  void abandon() override { release(); }
  void release();
  void ended(const fibers::GridOutcome &outcome);

  const device::ContextRef owner_;
  std::shared_ptr<RunningGrid> grid_;
  stream::OperationRef prerequisites_;  // null: what comes before is done when the grid starts
  Mutex mutex_;
  bool released_ HOSTWARP_GUARDED_BY(mutex_) = false;
  std::shared_ptr<stream::Signal> signal_ HOSTWARP_GUARDED_BY(mutex_);  // null until somebody waits
};

// reportOutcome() makes a grid's fault the sticky error of its context.
void reportOutcome(device::Context &context, const fibers::GridOutcome &outcome);

// errorOf() is the CUDA error that a fault becomes.
cudaError_t errorOf(fibers::Fault fault);

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_GRID_LAUNCH_H
