// Event: a point in a stream that others can wait for, with the time at which it was reached.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H
#define HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H

#include <chrono>
#include <memory>
#include <mutex>

#include "emu_runtime/stream/stream.h"

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
  void record(StreamSet &streams, Stream &stream) {
    auto record = std::make_shared<Record>(state_);
    {
      std::lock_guard lock(mutex_);
      latest_ = record;
    }
    streams.enqueue(stream, record);
  }

  // latest() returns the last recording, null when there is none.
  std::shared_ptr<Record> latest() const {
    std::lock_guard lock(mutex_);
    return latest_;
  }

 private:
  const unsigned flags_;
  const int device_;
  const std::shared_ptr<ContextState> state_;
  mutable std::mutex mutex_;
  std::shared_ptr<Record> latest_;  // guarded by mutex_
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_EVENT_H
