// TaskThreads: the runtime's own OS threads, for host functions and large copies.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_TASK_THREADS_H
#define HOSTWARP_EMU_RUNTIME_STREAM_TASK_THREADS_H

#include <deque>
#include <functional>
#include <utility>

#include "emu_runtime/stream/turns.h"
#include "fibers/mutex.h"

namespace hostwarp::stream {

// TaskThreads runs each task on an idle thread, or on a new one when all are busy: host functions may wait for each
// other, so a queue behind a fixed number of threads could deadlock. Idle threads go after a while. Thread-safe.
class TaskThreads {
 public:
  // run() hands over the task and returns at once. Where the system has no thread left it waits for one of those there
  // are; throws, and leaves the task, where there are none.
  void run(std::function<void()> task);

  // process() is never destroyed: tasks may still run while the process exits.
  static TaskThreads &process();

 private:
  struct Task {
    explicit Task(std::function<void()> task) : work(std::move(task)) {}
    std::function<void()> work;
    Turns::OfTask turn;
  };

  void grow() HOSTWARP_REQUIRES(mutex_);
  void serve();

  Mutex mutex_;
  Condition available_;
  std::deque<Task> tasks_ HOSTWARP_GUARDED_BY(mutex_);
  size_t idle_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  size_t threads_ HOSTWARP_GUARDED_BY(mutex_) = 0;
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_TASK_THREADS_H
