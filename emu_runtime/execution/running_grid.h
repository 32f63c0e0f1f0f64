// RunningGrid: a grid and what its threads launch [CUDA 4.18 dynamic parallelism].
//
// What device code launches starts when the grid's own blocks have ended, or when one of its threads waits: programs
// count on a launch taking longer than the rest of the blocks that run already.
//
// A grid has ended when its own blocks and all the work that they launched have. Work launched by device code is kept
// in order by streams that belong to the launching grid: the NULL stream is one stream per block.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_RUNNING_GRID_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_RUNNING_GRID_H

#include <driver_types.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "emu_runtime/device/context.h"
#include "emu_runtime/execution/grid_launch.h"
#include "emu_runtime/execution/parameter_buffer.h"
#include "emu_runtime/module/kernel.h"
#include "emu_runtime/profile/spans.h"
#include "fibers/engine.h"
#include "fibers/mutex.h"
#include "fibers/sync_observer.h"

namespace hostwarp::execution {

// RunningGrid lives until it has ended, by a reference to itself while the engine has it. Thread-safe; what CUDA
// threads call needs a fibers::RuntimeSection around it.
class RunningGrid : public std::enable_shared_from_this<RunningGrid> {
 public:
  using Ended = std::function<void(const fibers::GridOutcome &)>;

  // `request` lacks the arguments, the grid's number, the owner and the kernel's name, which this object keeps alive.
  RunningGrid(device::ContextRef context, std::shared_ptr<modules::Kernel> kernel, const fibers::GridRequest &request,
              std::shared_ptr<const Arguments> arguments);

  // show() makes the grid appear in the timeline. pre: not started; `span` may be null.
  void show(profile::SpanRef span) { span_ = std::move(span); }

  // overlap() says how threads of the grid learn, in hw_wait_for_prerequisites(), that all which the grid depends on
  // has ended. pre: not started; `done` is thread-safe.
  void overlap(std::function<bool()> done);

  // stand() says where in its stream the grid stands, so that who waits for it may help. pre: not started.
  void stand(const fibers::Place &place) { request_.place = place; }

  // comeFrom() sets fibers::GridRequest::origin. pre: not started.
  void comeFrom(uint64_t origin) { request_.origin = origin; }

  // start() submits this grid, `self`; `ended` is called on a worker thread when everything has ended. `triggered`, if
  // given, may be called before, on a worker or CUDA thread: every block has triggered dependents or ended.
  void start(std::shared_ptr<RunningGrid> self, Ended ended, std::function<void()> triggered = nullptr);

  // current() is the grid of the calling CUDA thread, null outside of kernels.
  static RunningGrid *current();

  device::Context &context() const { return *context_; }
  const fibers::GridRequest &request() const { return request_; }
  const Arguments &arguments() const { return *arguments_; }

  // --- What CUDA threads of this grid do ---

  // prerequisitesDone() tells whether all that the grid depends on has ended.
  bool prerequisitesDone() const { return !prerequisitesDone_ || prerequisitesDone_(); }

  // launch() puts a grid into a stream of this grid. `site`: where the calling thread launches it; null: not known.
  cudaError_t launch(cudaStream_t stream, std::shared_ptr<RunningGrid> child, const hw_access_site *site);
  // keep() holds a buffer until its launch takes it back; take() gives none for what is no such buffer.
  void keep(ParameterBuffer buffer);
  std::optional<ParameterBuffer> take(const void *memory);
  // task() puts work into a stream that the host's processor does at once when its turn comes.
  cudaError_t task(cudaStream_t stream, std::function<void()> work);
  cudaStream_t createStream();
  cudaError_t destroyStream(cudaStream_t stream);
  cudaEvent_t createEvent();
  cudaError_t destroyEvent(cudaEvent_t event);
  cudaError_t record(cudaEvent_t event, cudaStream_t stream);
  cudaError_t waitFor(cudaStream_t stream, cudaEvent_t event);
  // hasRoom() tells that another launch will not exceed cudaLimitDevRuntimePendingLaunchCount. pending() counts the
  // grids of the whole tree that device code launched and that have not run yet.
  bool hasRoom();
  unsigned pending();
  // unfinished() counts what the threads of the calling thread's block have launched and what has not ended.
  unsigned unfinished();

  // The calling thread's last error; 0 resets it.
  cudaError_t lastError();
  void setLastError(cudaError_t error);

 private:
  // An Event counts its recordings: a wait is for the last one before it.
  struct Event {
    uint64_t recorded = 0;
    uint64_t reached = 0;
  };
  struct Step {
    enum class Kind : uint8_t { Grid, Task, Record, Wait } kind;
    uint64_t block = 0;  // whose thread asked for it
    std::shared_ptr<RunningGrid> grid = nullptr;
    std::function<void()> work = nullptr;
    std::shared_ptr<Event> event = nullptr;
    uint64_t count = 0;  // the event's recording that this makes, or waits for
  };
  struct Queue {
    std::deque<Step> steps;
    bool running = false;  // the first step is a grid that has been started
  };
  // A stream is a handle; the default streams are one for each block, or for each thread.
  enum class StreamKind : uint8_t { Block, Thread, Handle, FireAndForget, Tail };
  using StreamKey = std::pair<StreamKind, uint64_t>;

  // Start is a grid to submit once the lock is released.
  struct Start {
    StreamKey key;
    std::shared_ptr<RunningGrid> grid;
  };

  // Family is what a grid has once its threads use the functions above. Most never do.
  struct Family {
    unsigned stepsLeft = 0;  // but for those of the tail
    std::map<StreamKey, Queue> queues;
    std::map<uint64_t, unsigned> stepsOfBlock;
    std::map<uint64_t, uint64_t> launchesOfBlock;  // that ever were
    std::set<uint64_t> streams;
    std::map<uint64_t, std::shared_ptr<Event>> events;
    std::map<const void *, ParameterBuffer> buffers;
    std::map<std::pair<uint64_t, uint32_t>, cudaError_t> errors;  // by block and thread
    uint64_t nextHandle = 0;
    std::vector<Start> held;  // until the grid's blocks have ended or a thread waits
  };
  using Starts = std::vector<Start>;

  Family &family() HOSTWARP_REQUIRES(mutex_);
  cudaError_t keyOf(cudaStream_t stream, StreamKey &key) HOSTWARP_REQUIRES(mutex_);
  cudaError_t add(cudaStream_t stream, Step step);
  void advanceAll(Starts &starts) HOSTWARP_REQUIRES(mutex_);
  bool advance(const StreamKey &key, Queue &queue, Starts &starts) HOSTWARP_REQUIRES(mutex_);
  void pop(const StreamKey &key, Queue &queue) HOSTWARP_REQUIRES(mutex_);
  void dropRest() HOSTWARP_REQUIRES(mutex_);
  void startAll(const Starts &starts);
  void startHeld();
  void showEnd(const fibers::GridOutcome &outcome);
  void countForm(const fibers::GridOutcome &outcome) const;
  void executed(std::shared_ptr<RunningGrid> self, const fibers::GridOutcome &outcome);
  void childEnded(const StreamKey &key, const fibers::GridOutcome &outcome);
  bool goOn(Starts &starts) HOSTWARP_REQUIRES(mutex_);
  static void end(std::shared_ptr<RunningGrid> grid);
  // finalOutcome() is for when everything has ended, so that nobody writes it any more.
  const fibers::GridOutcome &finalOutcome() const HOSTWARP_NO_THREAD_SAFETY_ANALYSIS { return outcome_; }

  const device::ContextRef context_;
  const std::shared_ptr<modules::Kernel> kernel_;
  const std::shared_ptr<const Arguments> arguments_;
  fibers::GridRequest request_;
  modules::ShapeUse *use_ = nullptr;  // that the time it takes is noted for
  Ended ended_;
  std::function<void()> triggered_;
  std::function<bool()> prerequisitesDone_;  // null: nothing to wait for
  std::shared_ptr<RunningGrid> self_;        // while the engine has it
  profile::SpanRef span_;
  bool ofDevice_ = false;                           // launched by device code
  fibers::DeviceLaunch launchedBy_;                 // who has, if that is to be told of
  unsigned depth_ = 0;                              // how many grids that have not ended it runs beside
  std::shared_ptr<std::atomic<unsigned>> pending_;  // grids that device code launched and that have not run yet, of the
                                                    // whole tree; null until the first

  std::atomic<bool> holds_{false};  // family_->held is not empty
  Mutex mutex_;
  bool executing_ HOSTWARP_GUARDED_BY(mutex_) = true;
  fibers::GridOutcome outcome_ HOSTWARP_GUARDED_BY(mutex_);
  std::unique_ptr<Family> family_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_RUNNING_GRID_H
