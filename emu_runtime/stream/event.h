// Event: a point in a stream that others can wait for, with the time at which it was reached.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H
#define HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H

#include <chrono>
#include <memory>
#include <mutex>

#include "emu_runtime/stream/stream.h"

namespace hostwarp::graph {
struct CapturedPoint;
}

namespace hostwarp::stream {

// Record is one recording of an event. Its time is valid once it is done.
class Record final : public Operation {
 public:
  using Operation::Operation;

  std::chrono::steady_clock::time_point time() const { return time_; }

 private:
  Progress start() override {
    time_ = std::chrono::steady_clock::now();
    return Progress::Finished;
  }
  void abandon() override { time_ = std::chrono::steady_clock::now(); }

  std::chrono::steady_clock::time_point time_{};
};

// Event is what a cudaEvent_t names: its latest recording counts. Thread-safe.
class Event {
 public:
  Event(unsigned flags, int device, std::shared_ptr<ContextState> state)
      : flags_(flags), device_(device), state_(std::move(state)) {}

  unsigned flags() const { return flags_; }
  int device() const { return device_; }
  const std::shared_ptr<ContextState> &state() const { return state_; }

  // record() puts a new recording into the stream.
  void record(StreamSet &streams, Stream &stream) { streams.enqueue(stream, announce()); }

  // announce() makes a new recording the latest; the caller schedules it.
  std::shared_ptr<Record> announce() {
    auto record = std::make_shared<Record>(state_);
    std::lock_guard lock(mutex_);
    latest_ = record;
    captured_ = nullptr;
    return record;
  }

  // latest() returns the last recording, null when there is none.
  std::shared_ptr<Record> latest() const {
    std::lock_guard lock(mutex_);
    return latest_;
  }

  // What the event stands for in a capture, when it was last recorded in a capturing stream.
  std::shared_ptr<const graph::CapturedPoint> captured() const {
    std::lock_guard lock(mutex_);
    return captured_;
  }
  void setCaptured(std::shared_ptr<const graph::CapturedPoint> point) {
    std::lock_guard lock(mutex_);
    captured_ = std::move(point);
  }

 private:
  const unsigned flags_;
  const int device_;
  const std::shared_ptr<ContextState> state_;
  mutable std::mutex mutex_;
  std::shared_ptr<Record> latest_;                        // guarded by mutex_
  std::shared_ptr<const graph::CapturedPoint> captured_;  // guarded by mutex_
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H
