// The accesses of running grids, as far as something still depends on them.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_ACCESS_HISTORY_H
#define HOSTWARP_EMU_RUNTIME_CHECK_ACCESS_HISTORY_H

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "emu_runtime/check/clock.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

// Lock is what a thread has taken last, by compare-and-swap, and not given back: who can be sure that it sees what the
// one before has done, by a fence behind it.
struct Lock {
  uintptr_t address = 0;  // 0: none
  bool fenced = false, fencedForAll = false;

  bool operator==(const Lock &) const = default;
};

// Flight is which asynchronous operation makes an access: those of one pipe and one time end together.
struct Flight {
  uint32_t pipe = 0;       // the first lane's, of Flights; 0: the thread itself makes the access
  uint32_t operation = 0;  // hw_async_event
  bool ofBarrier = false;  // the pipe is an mbarrier's, the same for all lanes
  Time time = 0;

  uint32_t pipeOf(uint32_t lane) const { return ofBarrier ? pipe : pipe + lane; }
  bool operator==(const Flight &) const = default;
};

// AccessRecord is what accesses have in common that stand at one place in the source and at one point of time: those by
// lanes of a warp, or, where all of a block's threads know the same, by all of them.
struct AccessRecord {
  const hw_access_site *site;
  uint64_t block;    // its index in the grid
  uint64_t cluster;  // the same number for all blocks of a cluster
  Time time;
  uint32_t launch;                   // of LaunchNotes
  uint32_t warp;                     // of a block's: the one that the record's number names
  uint32_t gridPhase, clusterPhase;  // see ThreadState
  uint32_t traits;                   // hw_access_traits
  uint32_t bytes;                    // of each access, by the first of them
  Lock lock;                         // that the threads held
  Flight flight;
  bool isOfBlock = false;

  bool isInFlight() const { return flight.pipe != 0; }
  bool isAtomic() const { return (traits & HW_ACCESS_ATOMIC) != 0; }
  bool writes() const { return (traits & HW_ACCESS_WRITES) != 0; }
};

// Accesses names lanes of a record, or a set of such. A record has a number for each warp of its block.
struct Accesses {
  static constexpr uint32_t kWarps = 32;

  uint32_t id : 31 = 0;  // 0: none
  uint32_t isSet : 1 = 0;
  uint32_t lanes = 0;

  bool none() const { return id == 0; }
  bool operator==(const Accesses &) const = default;
};

// Past is how many records and sets there were at a point of time that lies before all that is done now: those with
// lower numbers need no look. 0 is none.
struct Past {
  uint32_t records = 1, sets = 1;

  bool holds(Accesses some) const { return some.id < (some.isSet ? sets : records); }
};

// LaunchNote is what reports say of a grid.
struct LaunchNote {
  uint64_t launch;
  std::string kernelName;
  hw_dim3 gridDim, blockDim;
  Past past;               // of global memory: what grids have done that were over when the oldest in flight began
  uint32_t unsettled = 0;  // bits of Unsettled
  bool hasEnded = false;
};

// AccessHistory owns records and sets. Sets that are made the same way are one, so that memory that the same threads
// read in the same order costs one set. Not thread-safe.
class AccessHistory {
 public:
  // `kept`: for how many records there is room for good.
  explicit AccessHistory(size_t kept = kKept) : kept_(kept), number_(nextNumber()) { records_.reserve(2 * kept); }
  AccessHistory(const AccessHistory &) = delete;
  AccessHistory &operator=(const AccessHistory &) = delete;

  // number() is another one for each history, and after each clear().
  uint64_t number() const { return number_; }
  // add() makes a record; 0 when there are too many. That of a block's first warp stands for all of a block's.
  uint32_t add(const AccessRecord &record);
  AccessRecord record(uint32_t id) const {
    AccessRecord record = recordOfAll(id);
    record.warp = id % Accesses::kWarps;
    return record;
  }
  // recordOfAll() is the same without a copy, and without the warp.
  const AccessRecord &recordOfAll(uint32_t id) const { return records_[id / Accesses::kWarps]; }
  // allUntilNow() is what has been added so far.
  Past allUntilNow() const { return {numberOf(records_.size()), static_cast<uint32_t>(sets_.size())}; }

  // isFull(): there is no room for another set; with() forgets `some` then.
  bool isFull() const { return sets_.size() >= kMost; }
  // with() is the set of `some` and one more.
  Accesses with(Accesses some, Accesses more);
  // size() is of how many records the accesses are.
  uint32_t size(Accesses some) const { return some.none() ? 0 : some.isSet ? sets_[some.id].size : 1; }
  // mayGrow() is false where a set has become so long that it should be looked through before it grows.
  bool mayGrow(Accesses set) const {
    constexpr uint32_t longSet = 64;
    const uint32_t size = this->size(set);
    return size < longSet || (size & (size - 1)) != 0;
  }
  // traits() is what at least one of them does, as bits; isPlain stands for one that is not atomic.
  static constexpr uint32_t isPlain = 1u << 31;
  uint32_t traits(Accesses some) const {
    if (some.none()) return 0;
    if (some.isSet) return sets_[some.id].traits;
    const AccessRecord &record = recordOfAll(some.id);
    return record.traits | (record.isAtomic() ? 0 : isPlain);
  }
  // last() is the one that with() has added, before() the set that it was added to. pre: a set.
  Accesses last(Accesses set) const { return sets_[set.id].last; }
  Accesses before(Accesses set) const { return sets_[set.id].before; }
  // enoughFor() is the launch, by its number and 1, of whose readers a set has enough, as cells of rows and of lanes
  // have been found to; see LanePass.
  enum class Kind : uint8_t { Lanes, Rows };
  uint32_t enoughFor(Accesses set, Kind kind) const { return sets_[set.id].enoughFor[static_cast<size_t>(kind)]; }
  void setEnough(Accesses set, Kind kind, uint32_t launch) {
    sets_[set.id].enoughFor[static_cast<size_t>(kind)] = launch + 1;
  }
  // forEach() visits them, the last added first, until visit(Accesses) is false.
  template <class Visit>
  void forEach(Accesses some, Visit visit) const {
    while (some.isSet) {
      const Set &set = sets_[some.id];
      if (!visit(set.last)) return;
      some = set.before;
    }
    if (!some.none()) visit(some);
  }
  // forEachWriting() visits those that write, in the same order.
  template <class Visit>
  void forEachWriting(Accesses some, Visit visit) const {
    for (some = endingInWrite(some); some.isSet; some = endingInWrite(sets_[some.id].before))
      if (!visit(sets_[some.id].last)) return;
    if (!some.none()) visit(some);
  }
  // isLong(): it is worth while to begin anew, before memory that is not in the cache any more is taken.
  bool isLong() const { return records_.size() + sets_.size() > (size_t{1} << 14); }
  // clear() forgets all. pre: nothing refers to it any more.
  void clear();

 private:
  static constexpr size_t kMost = size_t{1} << 25;  // records, and sets: some gigabytes of each

  static constexpr size_t kKept = size_t{1} << 20;
  static uint64_t nextNumber();
  static uint32_t numberOf(size_t record) { return static_cast<uint32_t>(record) * Accesses::kWarps; }

  struct Set {
    Accesses before, last;
    uint32_t size;
    uint32_t traits;
    Accesses endingInWrite;  // what is left of it without the reads that were added last
    uint32_t slot;           // where its way stands
    std::array<uint32_t, 2> enoughFor{};
  };
  // Way is how a set is made of another; ways_ is a table of them, by their hash, with free slots behind each run.
  struct Way {
    Accesses before, last;
    uint32_t set = 0;  // 0: a free slot
  };
  static constexpr size_t kLeastWays = size_t{1} << 8;

  // slotOf() is where the way stands, or would.
  size_t slotOf(Accesses before, Accesses last) const {
    const auto mix = [](Accesses accesses) { return std::bit_cast<uint64_t>(accesses) * 0x9e3779b97f4a7c15u; };
    size_t slot = (mix(before) ^ std::rotl(mix(last), 29)) >> 20;
    for (;; ++slot) {
      const Way &way = ways_[slot & (ways_.size() - 1)];
      if (way.set == 0 || (way.before == before && way.last == last)) return slot & (ways_.size() - 1);
    }
  }
  Accesses endingInWrite(Accesses some) const {
    if (some.isSet) return sets_[some.id].endingInWrite;
    return some.none() || recordOfAll(some.id).writes() ? some : Accesses{};
  }
  Accesses add(size_t slot, Accesses before, Accesses last);
  void growWays();
  void clearAndShrink();

  size_t kept_;
  uint64_t number_;
  std::vector<AccessRecord> records_{1};
  std::vector<Set> sets_{1};
  std::vector<Way> ways_ = std::vector<Way>(kLeastWays);
};

inline Accesses AccessHistory::with(Accesses some, Accesses more) {
  if (some.none()) return more;
  const size_t slot = slotOf(some, more);
  const uint32_t set = ways_[slot].set;
  return set != 0 ? Accesses{.id = set, .isSet = 1, .lanes = 0} : add(slot, some, more);
}

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_ACCESS_HISTORY_H
