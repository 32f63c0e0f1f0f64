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
  std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  if (tasks_.size() > idle_) grow();
  available_.notify_one();
}

// grow() starts a thread. pre: mutex_ is held.
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
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!tasks_.empty()) {
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      task = nullptr;
      lock.lock();
    }
    ++idle_;
    const bool woken = available_.wait_for(lock, idleTime, [this] { return !tasks_.empty(); });
    --idle_;
    if (!woken) {
      --threads_;
      return;
    }
  }
}

}  // namespace hostwarp::stream
