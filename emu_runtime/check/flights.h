// Asynchronous operations: until when they are in flight, and who knows that they are not any more.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_FLIGHTS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_FLIGHTS_H

#include <cstdint>
#include <vector>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/block_state.h"

namespace hostwarp::check {

// Flights is pipes, in which operations of one time end together, and those of an earlier time before them: a thread's
// groups, or the phases of an mbarrier. Waiting for a time lets the thread that waits know of all before it, and others
// know by what orders them behind that thread. Not thread-safe.
class Flights {
 public:
  // addPipes() makes so many and gives the first.
  uint32_t addPipes(uint32_t count);
  // awaited(): the thread has waited until operations before `upTo` were done.
  void awaited(uint32_t pipe, Time upTo, const AccessRecord &waiter, uint32_t lane);
  // carry(): operations before `upTo` are done when those of another pipe before `carrierTime` are.
  void carry(uint32_t pipe, Time upTo, uint32_t carrier, Time carrierTime);

  // pending() is which of the accesses by lanes may still be in flight, as far as the thread knows.
  uint32_t pending(const AccessRecord &record, uint32_t lanes, const BlockState &block, uint32_t thread) const;
  // isAwaited(): some thread has waited for the operation.
  bool isAwaited(const Flight &flight, uint32_t lane) const { return isAwaited(flight.pipeOf(lane), flight.time); }
  // isFull(): there is no room for another wait; all that is asked about counts as over then.
  bool isFull() const { return waits_ >= kMost; }
  // clear() forgets all. pre: no record is about a pipe any more.
  void clear() {
    pipes_.resize(1);
    waits_ = 0;
  }

 private:
  // Wait is a point in the time of some lanes of a warp.
  struct Wait {
    Time upTo, time;
    uint64_t block, cluster;
    uint32_t launch, warp, lanes, gridPhase, clusterPhase;

    AccessRecord point() const;
  };
  struct Carrier {
    Time upTo;
    uint32_t pipe;
    Time time;
  };
  struct Pipe {
    std::vector<Wait> waits;  // later ones are not for less
    std::vector<Carrier> carriers;
  };

  static constexpr size_t kMost = size_t{1} << 25;  // waits: two gigabytes

  bool isKnown(uint32_t pipe, Time time, const BlockState &block, uint32_t thread) const;
  bool isAwaited(uint32_t pipe, Time time) const;

  std::vector<Pipe> pipes_{1};
  size_t waits_ = 0;  // of all pipes
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_FLIGHTS_H
