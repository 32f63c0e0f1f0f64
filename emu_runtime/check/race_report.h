// Races in words.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_RACE_REPORT_H
#define HOSTWARP_EMU_RUNTIME_CHECK_RACE_REPORT_H

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/known_memory.h"

namespace hostwarp::check {

// Race is an access that the running CUDA thread is about to make, and one before it by another.
struct Race {
  const AccessRecord &before;
  uint32_t beforeThread;  // its number in the block
  const LaunchNote &launch;
  const Access &access;
  const hw_thread &self;
  const BlockState &block;        // the running thread's
  const BlockState *sharedOwner;  // whose shared memory it is; null: no block's
  bool hasEnded;                  // the other thread, before a barrier
  bool wouldBeOrdered;            // had atomic accesses fences
};

// reportRace() tells of it. Threads that write the value that is there already are only counted; it is false then. pre:
// inside of a RuntimeSection; the memory is there.
bool reportRace(const Race &race);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_RACE_REPORT_H
