#include "fibers/watchdog.h"

#include <chrono>
#include <string>

#include "fibers/diagnosis.h"
#include "fibers/dispatcher.h"

namespace hostwarp::fibers {
namespace {

constexpr std::chrono::milliseconds kTick{10};

}  // namespace

Watchdog::Watchdog(Dispatcher &dispatcher, double timeoutSeconds)
    : dispatcher_(dispatcher), timeoutSeconds_(timeoutSeconds) {}

Watchdog::~Watchdog() {
  {
    MutexLock lock(mutex_);
    ending_ = true;
  }
  wake_.notifyAll();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::alert() {
  MutexLock lock(mutex_);
  if (alerted_ || ending_) return;
  alerted_ = true;
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  wake_.notifyAll();
}

void Watchdog::loop() {
  MutexLock lock(mutex_);
  while (!ending_) {
    while (!alerted_ && !ending_) wake_.wait(lock);
    while (!ending_) {
      // Most stopped grids end by themselves within a tick.
      const auto deadline = std::chrono::steady_clock::now() + kTick;
      while (!ending_ && wake_.waitUntil(lock, deadline)) continue;
      alerted_ = false;
      lock.unlock();
      const bool busy = inspect();
      lock.lock();
      if (!busy) break;
    }
  }
}

bool Watchdog::inspect() {
  bool busy = false;
  for (const auto &grid : dispatcher_.gridsInFlight()) {
    if (grid->stopped()) {
      dispatcher_.prod(*grid);
      busy = true;
    } else if (timeoutSeconds_ > 0) {
      busy = true;
      if (!grid->hasStarted()) continue;
      const std::chrono::duration<double> elapsed = Grid::Clock::now() - grid->started();
      if (elapsed.count() > timeoutSeconds_) dispatcher_.stop(grid, timedOut(*grid, timeoutSeconds_));
    }
  }
  return busy;
}

}  // namespace hostwarp::fibers
