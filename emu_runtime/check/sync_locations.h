// What atomic accesses hand on from thread to thread.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_SYNC_LOCATIONS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_SYNC_LOCATIONS_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emu_runtime/check/block_state.h"

namespace hostwarp::check {

// SyncLocations is the release sequences that end in places of memory: who reads there, and has a fence or acquires,
// knows what those knew who wrote [PTX 8.8]. A sequential fence, as __threadfence() is, also knows what stands before
// those that come before it, by whatever chain of barriers and atomic accesses: they have one order. A fence or access
// for a block hands on nothing beyond the block. Not thread-safe.
class SyncLocations {
 public:
  // access() is an atomic access by the thread that has been made; `writes` as it came out, `expected` by
  // compare-and-swap.
  void access(BlockState &block, uint32_t thread, uintptr_t address, uint32_t traits, bool writes,
              uint64_t expected = 0);
  // fence() is a fence by the thread.
  static void fence(BlockState &block, uint32_t thread, uint32_t traits);
  // wasTold(): the thread has looked, by an atomic access, where the one of the record has told something by another,
  // later on. With fences that would have ordered the two.
  bool wasTold(const ThreadState &thread, const AccessRecord &record, uint32_t lanes) const;
  void clear() {
    locations_.clear();
    swapped_.clear();
  }

 private:
  struct Telling {
    uint64_t block;
    uint32_t thread;
    Time time;
  };
  struct Location {
    Clock everybody;                               // for those who reach everybody
    std::unordered_map<uint64_t, Clock> byBlocks;  // for a block's own threads
    Clock fenced;                                  // like everybody, for sequential fences alone
    std::unordered_map<uint64_t, Clock> fencedByBlocks;
    std::vector<Telling> told;  // by whom it has been written, for wasTold()

    // beginAnew() keeps the memory: kernels write to the same volatile words again and again.
    void beginAnew() {
      everybody = fenced = {};
      byBlocks.clear();
      fencedByBlocks.clear();
      told.clear();
    }
  };
  // Swapped is a place that compare-and-swap changes, as it does with locks. Who takes a lock finds it as the one
  // before did; a place in a queue moves on.
  struct Swapped {
    uint64_t expected;
    bool isLock = true;
  };
  // Words about races need not be kept for more.
  static constexpr size_t kMostTold = 4096, kMostLocations = size_t{1} << 20;

  void tell(const BlockState &block, uint32_t thread, uintptr_t address, Time time);
  void noteLock(AtomicState &self, uintptr_t address, uint32_t traits, uint64_t expected);
  static void acquire(ThreadState &self, size_t reach);
  static void readFenced(const Location &location, BlockState &block, uint32_t thread, uint32_t traits);
  void writeFenced(const BlockState &block, const AtomicState &self, uintptr_t address, uint32_t traits);
  static void read(const Location &location, BlockState &block, uint32_t thread, uint32_t traits);
  void write(BlockState &block, uint32_t thread, uintptr_t address, uint32_t traits);

  std::unordered_map<uintptr_t, Location> locations_;
  std::unordered_map<uintptr_t, Swapped> swapped_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_SYNC_LOCATIONS_H
