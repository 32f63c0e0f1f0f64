// The arrays in which a block entry keeps where its threads stand, and what they exchange.
#ifndef HOSTWARP_FIBERS_TURN_FRAME_H
#define HOSTWARP_FIBERS_TURN_FRAME_H

#include <cstdint>

#include "fibers/fiber.h"
#include "fibers/lane_exchange.h"

namespace hostwarp::fibers {

constexpr bool isBarrier(uint32_t kind) { return kind == HW_AT_BARRIER || kind == HW_AT_BARRIER_REDUCE; }

// waitsForBlock(): others than the thread's warp have to come.
constexpr bool waitsForBlock(uint32_t kind) {
  return isBarrier(kind) || kind == HW_AT_NAMED_BARRIER || kind == HW_AT_NAMED_BARRIER_REDUCE || kind == HW_AT_TILE ||
         kind == HW_AT_GRID || kind == HW_AT_CLUSTER;
}

// TurnFrame reads and writes the arrays of a block entry's frame.
class TurnFrame {
 public:
  TurnFrame(const hw_warp_plan &plan, void *frame)
      : plan_(plan), frame_(static_cast<char *>(frame)), threads_(countThreads(hw_current->blockDim)) {}

  uint32_t threads() const { return threads_; }
  const hw_warp_plan &plan() const { return plan_; }
  uint32_t &standing(uint32_t warp) const { return element<uint32_t>(plan_.standing, warp * 32); }
  uint32_t &state(uint32_t thread) const { return element<uint32_t>(plan_.states, thread); }
  bool waits(uint32_t thread) const { return (state(thread) & HW_WAITS) != 0; }
  const hw_boundary &boundary(uint32_t thread) const { return plan_.boundaries[state(thread) & ~HW_WAITS]; }

  uint32_t number(int64_t array, uint32_t thread) const {
    return array < 0 ? static_cast<uint32_t>(~array) : element<uint32_t>(static_cast<uint64_t>(array), thread);
  }
  uint64_t value(const hw_boundary &at, uint32_t thread) const {
    return at.valueBytes == 8 ? element<uint64_t>(at.value, thread) : element<uint32_t>(at.value, thread);
  }
  // values() and results() are the arrays of all threads. pre: of this type.
  template <typename T>
  const T *values(const hw_boundary &at) const {
    return &element<T>(at.value, 0);
  }
  template <typename T>
  T *results(const hw_boundary &at) const {
    return &element<T>(at.result, 0);
  }
  // pointers() are what the threads from `first` on have handed over to work together. pre: pointers, of 8 bytes.
  void *const *pointers(const hw_boundary &at, uint32_t first) const {
    return &element<void *>(static_cast<uint64_t>(at.value), first);
  }
  void take(const hw_boundary &at, uint32_t thread, LaneExchange &lane) const {
    lane.value = value(at, thread);
    lane.operation = static_cast<uint8_t>(at.operation);
    lane.operand = number(at.operand, thread);
    lane.width = number(at.width, thread);
    lane.work = at.work;
  }
  void give(const hw_boundary &at, uint32_t thread, const LaneExchange &lane) const {
    if (at.kind == HW_AT_SYNCWARP || at.kind == HW_AT_TOGETHER) return;
    if (at.valueBytes == 8)
      element<uint64_t>(at.result, thread) = lane.result;
    else
      element<uint32_t>(at.result, thread) = static_cast<uint32_t>(lane.result);
    if (at.kind == HW_AT_SHUFFLE || at.kind == HW_AT_MATCH_ALL) element<uint32_t>(at.flag, thread) = lane.flag;
  }

 private:
  static uint32_t countThreads(const hw_dim3 &extent) { return extent.x * extent.y * extent.z; }
  template <typename T>
  T &element(uint64_t offset, uint32_t thread) const {
    return reinterpret_cast<T *>(frame_ + offset * threads_)[thread];
  }

  const hw_warp_plan &plan_;
  char *frame_;
  uint32_t threads_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_TURN_FRAME_H
