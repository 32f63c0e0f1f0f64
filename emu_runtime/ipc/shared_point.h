// SharedPoint: an event that several processes record and wait for.
#ifndef HOSTWARP_EMU_RUNTIME_IPC_SHARED_POINT_H
#define HOSTWARP_EMU_RUNTIME_IPC_SHARED_POINT_H

#include <atomic>
#include <cstdint>
#include <memory>

#include "emu_runtime/ipc/shared_pages.h"

namespace hostwarp::ipc {

// SharedPoint numbers the recordings of an event and knows how far they have come. Thread-safe, also between processes.
class SharedPoint {
 public:
  // create() and open() return null when the system refuses.
  static std::shared_ptr<SharedPoint> create();
  static std::shared_ptr<SharedPoint> open(const Name &name);
  ~SharedPoint();
  SharedPoint(const SharedPoint &) = delete;
  SharedPoint &operator=(const SharedPoint &) = delete;

  const Name &name() const { return pages_->name(); }

  // announce() numbers a new recording; reach() says that it has happened.
  uint32_t announce() { return state_->recorded.fetch_add(1) + 1; }
  void reach(uint32_t number);

  // latest() is the number of the last recording. reached() and wait() are about it and all before it; wait() blocks.
  uint32_t latest() const { return state_->recorded.load(); }
  bool reached(uint32_t number) const { return state_->reached.load() >= number; }
  void wait(uint32_t number) const;

 private:
  struct State {
    std::atomic<uint32_t> recorded;
    std::atomic<uint32_t> reached;
  };
  SharedPoint(std::shared_ptr<SharedPages> pages, State *state) : pages_(std::move(pages)), state_(state) {}
  static std::shared_ptr<SharedPoint> of(std::shared_ptr<SharedPages> pages);

  const std::shared_ptr<SharedPages> pages_;
  State *const state_;
};

}  // namespace hostwarp::ipc

#endif  // HOSTWARP_EMU_RUNTIME_IPC_SHARED_POINT_H
