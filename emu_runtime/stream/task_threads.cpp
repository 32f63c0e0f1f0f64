#include "emu_runtime/stream/task_threads.h"

#include <chrono>
#include <thread>
#include <utility>

namespace hostwarp::stream {

TaskThreads &TaskThreads::process() {
  static auto *threads = new TaskThreads;
  return *threads;
}

void TaskThreads::run(std::function<void()> task) {
  MutexLock lock(mutex_);
  tasks_.emplace_back(std::move(task));
  if (tasks_.size() > idle_) grow();
  available_.notifyOne();
}

// grow() starts a thread.
void TaskThreads::grow() {
  try {
    std::thread([this] { serve(); }).detach();
    ++threads_;
  } catch (...) {
    if (threads_ > 0) return;
    tasks_.pop_back();
    throw;
  }
}

void TaskThreads::serve() {
  constexpr auto idleTime = std::chrono::seconds(10);
  MutexLock lock(mutex_);
  for (;;) {
    while (!tasks_.empty()) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task.turn.begin();
      task.work();
      task.work = nullptr;
      task.turn.end();
      lock.lock();
    }
    ++idle_;
    const auto deadline = std::chrono::steady_clock::now() + idleTime;
    while (tasks_.empty() && available_.waitUntil(lock, deadline)) continue;
    --idle_;
    if (tasks_.empty()) {
      --threads_;
      return;
    }
  }
}

}  // namespace hostwarp::stream
