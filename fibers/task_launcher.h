// Where workers' OS threads come from.
#ifndef HOSTWARP_FIBERS_TASK_LAUNCHER_H
#define HOSTWARP_FIBERS_TASK_LAUNCHER_H

#include <functional>
#include <memory>

namespace hostwarp::fibers {

// TaskLauncher runs long tasks on oneTBB's threads. oneTBB survives neither a fork nor the program's end: in a forked
// child, and while static objects are destroyed, tasks get threads of their own. Thread-safe.
class TaskLauncher {
 public:
  explicit TaskLauncher(unsigned width);
  ~TaskLauncher();
  // launch() runs `task` soon on another thread, at most `width` at a time.
  void launch(std::function<void()> task);

  // inForkedChild() tells that this process is the child of one that had an engine.
  static bool inForkedChild();

 private:
  struct Arena;
  bool launchInArena(std::function<void()> &task);

  const unsigned width_;
  std::unique_ptr<Arena> arena_;  // made at the first launch
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_TASK_LAUNCHER_H
