// TaskThreads: the runtime's own OS threads, for host functions and large copies.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_TASK_THREADS_H
#define HOSTWARP_EMU_RUNTIME_STREAM_TASK_THREADS_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

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
  void grow();
  void serve();

  std::mutex mutex_;
  std::condition_variable available_;
  std::deque<std::function<void()>> tasks_;  // guarded by mutex_
  size_t idle_ = 0;                          // guarded by mutex_
  size_t threads_ = 0;                       // guarded by mutex_
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_TASK_THREADS_H
