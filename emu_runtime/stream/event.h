// Event: a point in a stream that others can wait for, with the time at which it was reached.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H
#define HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H

#include <atomic>
#include <chrono>
#include <memory>

#include "emu_runtime/ipc/shared_point.h"
#include "emu_runtime/stream/stream.h"
#include "emu_runtime/support/options.h"
#include "fibers/mutex.h"

namespace hostwarp::graph {
struct CapturedPoint;
}

namespace hostwarp::stream {

// Record is one recording of an event. Its time is valid once it is done.
class Record final : public Operation {
 public:
  // `shared`, when given, is told that its recording `number` has happened.
  Record(std::shared_ptr<ContextState> context, std::shared_ptr<ipc::SharedPoint> shared, uint32_t number)
      : Operation(std::move(context)), shared_(std::move(shared)), number_(number) {}

  std::chrono::steady_clock::time_point time() const { return time_; }

 private:
  Progress start() override {
    happen();
    return Progress::Finished;
  }
  void abandon() override { happen(); }
  void happen() {
    // Counted time is a millisecond from one recording that the program has asked for to the next.
    time_ = timeIsCounted() ? std::chrono::steady_clock::time_point(std::chrono::milliseconds(place_))
                            : std::chrono::steady_clock::now();
    if (shared_) shared_->reach(number_);
  }

  std::chrono::steady_clock::time_point time_{};
  const std::shared_ptr<ipc::SharedPoint> shared_;
  const uint32_t number_;
  const uint64_t place_ = nextPlace();  // among all recordings of the process

  static uint64_t nextPlace() {
    static std::atomic<uint64_t> places{0};
    return ++places;
  }
};

// Event is what a cudaEvent_t names: its latest recording counts. Thread-safe.
class Event {
 public:
  // `shared` is given for events that other processes see.
  Event(unsigned flags, int device, std::shared_ptr<ContextState> state,
        std::shared_ptr<ipc::SharedPoint> shared = nullptr)
      : flags_(flags), device_(device), state_(std::move(state)), shared_(std::move(shared)) {}

  unsigned flags() const { return flags_; }
  int device() const { return device_; }
  const std::shared_ptr<ContextState> &state() const { return state_; }
  const std::shared_ptr<ipc::SharedPoint> &shared() const { return shared_; }

  // announce() makes a new recording the latest; the caller schedules it.
  std::shared_ptr<Record> announce() {
    auto record = std::make_shared<Record>(state_, shared_, shared_ ? shared_->announce() : 0);
    MutexLock lock(mutex_);
    latest_ = record;
    captured_ = nullptr;
    return record;
  }

  // latest() returns this process's last recording, null when there is none.
  std::shared_ptr<Record> latest() const {
    MutexLock lock(mutex_);
    return latest_;
  }

  // recorded(): this process or another has recorded it.
  bool recorded() const { return shared_ || latest(); }

  // What the event stands for in a capture, when it was last recorded in a capturing stream.
  std::shared_ptr<const graph::CapturedPoint> captured() const {
    MutexLock lock(mutex_);
    return captured_;
  }
  void setCaptured(std::shared_ptr<const graph::CapturedPoint> point) {
    MutexLock lock(mutex_);
    captured_ = std::move(point);
  }

 private:
  const unsigned flags_;
  const int device_;
  const std::shared_ptr<ContextState> state_;
  const std::shared_ptr<ipc::SharedPoint> shared_;
  mutable Mutex mutex_;
  std::shared_ptr<Record> latest_ HOSTWARP_GUARDED_BY(mutex_);
  std::shared_ptr<const graph::CapturedPoint> captured_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H
