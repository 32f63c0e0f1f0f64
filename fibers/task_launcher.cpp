#include "fibers/task_launcher.h"

#include <pthread.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace hostwarp::fibers {
namespace {

std::atomic<bool> forkedChild{false};

void watchForForks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { forkedChild.store(true); }); });
}

}  // namespace

// Without the global control oneTBB would keep one thread back for the caller, who never joins this arena. Of several
// controls in a process the smallest counts, so this one must not be smaller than oneTBB's own default: the user's
// program may use oneTBB as well.
struct TaskLauncher::Arena {
  explicit Arena(unsigned width)
      : control(tbb::global_control::max_allowed_parallelism, std::max(width, std::thread::hardware_concurrency()) + 1),
        arena(static_cast<int>(width), 0) {}
  tbb::global_control control;
  tbb::task_arena arena;
};

TaskLauncher::TaskLauncher(unsigned width) : width_(width) { watchForForks(); }

TaskLauncher::~TaskLauncher() {
  if (inForkedChild()) (void)arena_.release();  // its threads are the parent's
}

bool TaskLauncher::inForkedChild() { return forkedChild.load(); }

void TaskLauncher::launch(std::function<void()> task) {
  if (inForkedChild()) return std::thread(std::move(task)).detach();
  if (arena_ == nullptr) arena_ = std::make_unique<Arena>(width_);
  arena_->arena.enqueue([task = std::move(task)] { task(); });
}

}  // namespace hostwarp::fibers
