#include "fibers/task_launcher.h"

#include <pthread.h>
#if defined(HOSTWARP_TSAN)
#include <sanitizer/tsan_interface.h>
#endif
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "fibers/mutex.h"

namespace hostwarp::fibers {
namespace {

std::atomic<bool> forkedChild{false};

void watchForForks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { forkedChild.store(true); }); });
}

// When a program ends, other threads may still be launching, and oneTBB aborts once its static objects are destroyed.
constinit Mutex endMutex;  // held while oneTBB is called
constinit bool programEnds HOSTWARP_GUARDED_BY(endMutex) = false;

// AtEnd is younger than oneTBB's static objects, so its destructor comes first.
struct AtEnd {
  ~AtEnd() {
    if (forkedChild.load()) return;  // a thread of the parent may have had the mutex
    MutexLock lock(endMutex);
    programEnds = true;
  }
} atEnd;

// What a task finds was done before its launch. ThreadSanitizer has to be told, because oneTBB is not built with it;
// nor is this file, into which oneTBB's templates are expanded.
#if defined(HOSTWARP_TSAN)
void announceLaunch(void *launcher) { __tsan_release(launcher); }
void announceStart(void *launcher) { __tsan_acquire(launcher); }
#else
void announceLaunch(void *) {}
void announceStart(void *) {}
#endif

}  // namespace

// Without the global control oneTBB would keep one thread back for the caller, who never joins this arena. Of several
// controls in a process the smallest counts, so this one must not be smaller than oneTBB's own default: the user's
// program may use oneTBB as well.
struct TaskLauncher::Arena {
  explicit Arena(unsigned width)
      : control(tbb::global_control::max_allowed_parallelism, width + std::thread::hardware_concurrency() + 1),
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
  if (inForkedChild() || !launchInArena(task)) std::thread(std::move(task)).detach();
}

// launchInArena() takes the task unless the program is about to end.
bool TaskLauncher::launchInArena(std::function<void()> &task) {
  MutexLock lock(endMutex);
  if (programEnds) return false;
  if (arena_ == nullptr) arena_ = std::make_unique<Arena>(width_);
  announceLaunch(this);
  arena_->arena.enqueue([this, task = std::move(task)] {
    announceStart(this);
    task();
  });
  return true;
}

}  // namespace hostwarp::fibers
