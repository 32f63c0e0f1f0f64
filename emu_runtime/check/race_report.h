// Races in words.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_RACE_REPORT_H
#define HOSTWARP_EMU_RUNTIME_CHECK_RACE_REPORT_H

#include <optional>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/known_memory.h"

namespace hostwarp::check {

class BlockState;

// SharedPlace is where in the shared memory of a block an access is.
struct SharedPlace {
  uint64_t block;
  uint64_t offset;
};

// Race is two accesses, neither of which has happened before the other.
struct Race {
  AccessRecord before;    // the one that came first, in this run
  uint32_t beforeThread;  // its thread's number in the block
  Access access;          // the one that came second
  uint32_t thread;
  uint64_t block;
  std::optional<SharedPlace> shared;
  bool isSameCluster;
  bool hasEnded;             // the first's thread, before a barrier
  bool wouldBeOrdered;       // had atomic accesses fences
  bool isAwaited;            // somebody has waited for the first, an asynchronous operation
  bool isUnwritten = false;  // in shared memory: the block has not written all of it, and what is there may be anything
  bool isUpdatedSince = false;  // atomic accesses may have changed the memory since the first one
  bool lacksFence = false;      // the second, an asynchronous operation, comes behind the first, but for a proxy fence

  // Distance is how far apart the two threads are: what orders those of a warp does not order those of a block.
  enum class Distance : uint8_t { Warp, Block, Grid };
  static constexpr size_t kDistances = 3;
  static Distance distance(const AccessRecord &before, uint64_t block, uint32_t warp) {
    if (before.block != block) return Distance::Grid;
    return before.warp == warp ? Distance::Warp : Distance::Block;
  }
  Distance distance() const { return distance(before, block, thread / 32); }
};

// reportRace() tells of it; the second thread is of that block, and need not run any more. Threads that write the value
// that is there already are only counted; it is false then. pre: inside of a RuntimeSection; the memory is there, and
// the second access has not been made.
bool reportRace(const Race &race, const LaunchNote &launch, const BlockState &block);

// reportEarlyUse() tells of an access to a local variable that the product at the other place has not yet written. pre:
// inside of a RuntimeSection.
void reportEarlyUse(const Access &access, const hw_access_site &product);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_RACE_REPORT_H
