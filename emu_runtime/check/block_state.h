// What the threads of a running block know of each other's accesses, and how barriers change it.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_BLOCK_STATE_H
#define HOSTWARP_EMU_RUNTIME_CHECK_BLOCK_STATE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/clock.h"
#include "emu_runtime/check/deferred_accesses.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/shadow_memory.h"
#include "emu_runtime/check/written_memory.h"
#include "fibers/sync_observer.h"

namespace hostwarp::order {
class Part;
}

namespace hostwarp::check {

// Reach is whom a fence or an atomic access is meant for.
enum class Reach : uint8_t { Everybody, Block };
inline constexpr size_t kReaches = 2;

// AtomicState is what a thread's atomic accesses and fences have come to.
struct AtomicState {
  std::array<Clock, kReaches> released;  // what its atomic stores hand on, since its last fence
  std::array<Clock, kReaches> pending;   // what its atomic loads have brought, until its next fence
  std::array<Clock, kReaches> looked;    // the same, but for what compare-and-swap has brought
  std::array<Clock, kReaches> fenced;    // what stands before sequential fences that come before the thread's next one
  std::array<uintptr_t, 4> places{};     // where it has looked last
  uint32_t looks = 0;
  Lock lock;
};

// ThreadState is a thread's part. A barrier of the grid, or of a cluster, has two halves, arrival and wait: phases
// count the halves that the thread has been through.
struct ThreadState {
  Time now = 1;
  uint32_t gridPhase = 0, clusterPhase = 0;
  Time lastFloor = 0, lastWarpFloor = 0;  // of the last barriers it took part in, once it has ended
  Clock known;                            // beyond the floors of BlockState
  std::unique_ptr<AtomicState> atomics;   // null: it has made neither an atomic access nor a fence

  AtomicState &atomicState() {
    if (!atomics) atomics = std::make_unique<AtomicState>();
    return *atomics;
  }
  Lock lock() const { return atomics ? atomics->lock : Lock(); }
  // knowsNothingElse(): only barriers have told it of others.
  bool knowsNothingElse() const { return known.empty() && !atomics; }
};

// RecordsKnown is what has been found out of other records by looking at them from one: facts that stay, since what is
// known to come before a record's accesses does so for its later ones.
struct RecordsKnown {
  // Known: all that the record's lanes did happened before. Own: it is of the same warp.
  enum class Before : uint8_t { Known, Own, Other };
  struct Seen {
    uint32_t id = 0;
    Before before = Before::Other;
    bool isAlike = false;                       // accesses of the kind do not disturb each other
    bool isOfLaunch = false, isOfTime = false;  // of the one's own; of its block, between the same barriers
  };
  // The last of which all is known: a record, one of the same kind, a set; the last sets that need no more of the kind.
  uint32_t known = 0, pastKind = 0, past = 0;
  uint32_t own = 0;  // the last record that is of the same threads
  std::array<uint32_t, 2> enough{};
  std::array<Seen, 4> seen{};
};

// RowTrail is where the row of threads that has accessed memory last lies, and where it would go on, in one page.
struct RowTrail {
  uintptr_t first = 0;          // where it begins; 0: in another page
  uintptr_t next = 0, end = 0;  // where it would go on, and where the page ends
  uint32_t thread = 0;          // the next one
  uint32_t code = 0;            // of the Row
  Chunk *chunk = nullptr;       // the next one; null: there is no trail
  uint64_t allocations = 0;     // how often these had changed
};

// RecentRecord is the record that the last accesses of a warp, or of all threads, at a place in the source have been
// of.
struct RecentRecord {
  const hw_access_site *site = nullptr;
  uint64_t block = 0, history = 0;  // numbers: of the block's own history, and of the record's
  Time time = 0;
  uint32_t traits = 0, gridPhase = 0, clusterPhase = 0, id = 0;
  bool isPlain = false;  // the next two are not meant: there are none
  Lock lock;
  Flight flight;
  RecordsKnown others, rows;  // found out for lanes, and for rows of them
  RowTrail trail;
};

// BlockState is of a block that is resident. Accesses of all its threads before `floor` are known to all of them, those
// of a warp's lanes before its floor to the lanes.
class BlockState {
 public:
  // begin() makes this object the given block.
  void begin(const fibers::ObservedBlock &block, uint32_t launch);

  uint64_t linear() const { return linear_; }
  uint32_t launch() const { return launch_; }
  uint64_t launchOrdinal() const { return launchOrdinal_; }
  uint32_t threads() const { return count_; }
  // thread() is for changes; seen() is the same to look at.
  ThreadState &thread(uint32_t number) {
    if (areAlike_) setApart();
    return threads_[number];
  }
  const ThreadState &seen(uint32_t number) const { return areAlike_ ? common_ : threads_[number]; }
  // lookAlike(): what the lanes do at one place in the source belongs to one record.
  bool lookAlike(uint32_t warp, uint32_t lanes) const { return areAlike_ || areAlikeNow(warp, lanes); }
  // part() is what the operation that the block belongs to has touched; null for none.
  order::Part *part() const { return part_; }
  // prototype() is what all threads of the block have in common, also once they have ended.
  const hw_thread &prototype() const { return *prototype_; }
  // launchedBy() is the thread that has launched the block's grid; null: the host has.
  const fibers::DeviceLaunch *launchedBy() const { return launchedBy_; }
  // sharedPast() is what has been done to shared memory before a barrier that all threads have passed.
  Past sharedPast() const { return sharedPast_; }
  ShadowRegion &shared() { return shared_; }
  const ShadowRegion &shared() const { return shared_; }
  // deferred() is what has not been looked at yet, to shared memory.
  DeferredAccesses &deferred() { return deferred_; }
  const DeferredAccesses &deferred() const { return deferred_; }
  // areAllPast(): behind a barrier of all threads, all that has been done to shared memory is.
  bool areAllPast() const { return isPastKnown_ && noneHasEnded(); }
  // written() is only kept where WrittenMemory is: followsWrites().
  bool followsWrites() const { return followsWrites_; }
  WrittenBlock &written() { return written_; }
  uint64_t cluster() const { return cluster_; }
  bool isInCluster() const { return cluster_ != linear_; }

  // release() is the clock of all that the thread has known and done until now.
  Clock release(uint32_t thread);
  // unordered() is which of the accesses by lanes of a record have not happened before all that `thread` does now.
  uint32_t unordered(const AccessRecord &record, uint32_t lanes, uint32_t thread) const;
  // betweenBarriers() is the same, but for what atomic accesses order.
  uint32_t betweenBarriers(const AccessRecord &record, uint32_t lanes, uint32_t thread) const;
  // unseen() leaves out those that the thread has waited for, but for a fence: of volatile and atomic accesses, which
  // are made in order, that is enough.
  uint32_t unseen(const AccessRecord &record, uint32_t lanes, uint32_t thread) const;
  // isOver() tells that a barrier of two halves has ordered what was done in one phase before what is done in the
  // other.
  static bool isOver(uint32_t before, uint32_t now) { return before + 2 <= (now & ~1u); }
  // isBeforeBarrier(): all threads of the block know that it is over.
  bool isBeforeBarrier(const AccessRecord &record) const { return record.block == linear_ && record.time < floor_; }
  // areBefore() tells whether all threads' accesses at the record's place and time come before what `thread` does now.
  bool areBefore(const AccessRecord &record, uint32_t thread) const;
  // areAlike(): all threads know the same, so that what they do at one place in the source belongs to one record.
  bool areAlike() const { return areAlike_; }
  // rowRecord() is that one. pre: areAlike().
  RecentRecord &rowRecord(AccessHistory &history, uint32_t traits, const hw_access_site *site, uint64_t bytes);
  // knownRowRecord() is the same if there is one already, and threads are alike; else null.
  RecentRecord *knownRowRecord(const AccessHistory &history, uint32_t traits, const hw_access_site *site) {
    RecentRecord &recent = recentRows_[slotOf(*site, traits)];
    return areAlike_ && isRecent(recent, history, common_, traits, site) ? &recent : nullptr;
  }
  // record() is what the record in the history is that an access of the thread belongs to; id 0: there is no room.
  RecentRecord &record(AccessHistory &history, uint32_t thread, uint32_t traits, const hw_access_site *site,
                       uint64_t bytes, const Flight &flight = {});
  // present() is all that the thread has done until now, as a record.
  AccessRecord present(uint32_t thread) const;

  // threadEnds(): barriers order what a thread has done only if it takes part.
  void threadEnds(uint32_t thread);
  bool hasEnded(uint32_t thread) const { return (ended_[thread / 32] >> thread % 32 & 1) != 0; }
  // hasPassed(): the access is by a thread of the block that has ended, and others have passed a barrier since.
  bool hasPassed(const AccessRecord &record, uint32_t lane) const {
    return record.block == linear_ && (ended_[record.warp] >> lane & 1) != 0 &&
           (record.time < floor_ || record.time < warpFloors_[record.warp]);
  }
  void arrivesAtBarrier(uint32_t thread, uint32_t barrier) { arrived_[barrier].join(release(thread)); }
  void barrierOpens(uint32_t barrier, const fibers::ThreadSet &waited, bool all);
  void lanesMeet(uint32_t warp, uint32_t lanes, bool all);
  // lanesExchange(): what a lane has learnt of others goes with the values; what lanes themselves have done does not.
  void lanesExchange(uint32_t warp, uint32_t lanes);
  void threadsMeet(const fibers::ThreadSet &met) { joinSome(met, {}); }

 private:
  // Places that would share a slot would take turns in it, with a new record each time. Which do must not depend on
  // where the loader puts a program.
  static constexpr size_t kRecent = 32;
  // slotOf(): what reads and writes at one place, as `+=` does, takes two.
  static size_t slotOf(const hw_access_site &site, uint32_t traits) {
    return (site.number * 2 + ((traits & HW_ACCESS_WRITES) != 0 ? 1 : 0)) % kRecent;
  }

  uint32_t inBlock(const AccessRecord &record, uint32_t lanes, uint32_t thread) const;
  uint32_t ended(const AccessRecord &record, uint32_t lanes, bool isSameWarp) const;
  uint32_t unknown(const AccessRecord &record, uint32_t lanes, uint32_t thread) const;
  // Learnt is what threads that meet know together.
  struct Learnt {
    Clock known;
    std::array<Clock, kReaches> pending{}, looked{}, fenced{};
    Time latest = 0;

    void add(const ThreadState &thread);
    void tell(ThreadState &thread) const;
  };
  // isRecent(): that is still the record for such accesses.
  bool isRecent(const RecentRecord &recent, const AccessHistory &history, const ThreadState &state, uint32_t traits,
                const hw_access_site *site) const {
    return recent.site == site && recent.block == sharedHistory_.number() && recent.time == state.now &&
           recent.traits == traits && recent.history == history.number() && recent.gridPhase == state.gridPhase &&
           recent.clusterPhase == state.clusterPhase;
  }
  void newRecord(RecentRecord &recent, AccessHistory &history, uint32_t thread, uint32_t traits,
                 const hw_access_site *site, uint64_t bytes, const Flight &flight);
  void newRowRecord(RecentRecord &recent, AccessHistory &history, uint32_t traits, const hw_access_site *site,
                    uint64_t bytes);
  void remember(RecentRecord &recent, const AccessHistory &history, const AccessRecord &record, uint32_t id);
  bool areAlikeNow(uint32_t warp, uint32_t lanes) const;
  bool noneHasEnded() const {
    return std::ranges::all_of(ended_, [](uint32_t lanes) { return lanes == 0; });
  }
  void setApart();
  void makeAlike();
  void keepPast();
  void forgetPast() {
    isPastKnown_ = false;
    sharedPast_ = {};
  }
  void joinAll(const Clock &more);
  void joinSome(const fibers::ThreadSet &met, const Clock &more);

  uint64_t linear_ = 0, cluster_ = 0, launchOrdinal_ = 0;
  uint32_t launch_ = 0, count_ = 0;
  // As long as threads only meet at barriers of the whole block, all are like common_.
  bool areAlike_ = true;
  ThreadState common_;
  order::Part *part_ = nullptr;
  const hw_thread *prototype_ = nullptr;
  const fibers::DeviceLaunch *launchedBy_ = nullptr;
  Time floor_ = 0;
  std::array<Time, fibers::ThreadSet::kWarps> warpFloors_{};
  std::array<uint32_t, fibers::ThreadSet::kWarps> ended_{};  // lanes of each warp
  std::vector<ThreadState> threads_;
  std::array<Clock, 16> arrived_;                 // by barrier: what those know who have arrived without waiting
  AccessHistory sharedHistory_{size_t{1} << 14};  // of the accesses to shared memory: it ends with the block
  Past sharedPast_;
  bool isPastKnown_ = true;  // by barriers alone
  ShadowRegion shared_;
  DeferredAccesses deferred_;
  bool followsWrites_ = false;
  WrittenBlock written_;
  std::vector<std::array<RecentRecord, kRecent>> recent_;  // by warp
  std::array<RecentRecord, kRecent> recentRows_;
};

// inBlock() is what barriers of the block and the warp leave unordered.
inline uint32_t BlockState::inBlock(const AccessRecord &record, uint32_t lanes, uint32_t thread) const {
  const bool isSameWarp = record.warp == thread / 32;
  if (isSameWarp) lanes &= ~(1u << thread % 32);
  const bool isPast = record.time < floor_ || (isSameWarp && record.time < warpFloors_[record.warp]);
  if (!isPast) return lanes;
  return (lanes & ended_[record.warp]) == 0 ? 0 : ended(record, lanes, isSameWarp);
}

inline uint32_t BlockState::betweenBarriers(const AccessRecord &record, uint32_t lanes, uint32_t thread) const {
  const ThreadState &self = seen(thread);
  if (record.launch != launch_ || isOver(record.gridPhase, self.gridPhase)) return 0;
  if (record.cluster == cluster_ && isOver(record.clusterPhase, self.clusterPhase)) return 0;
  return record.block == linear_ ? inBlock(record, lanes, thread) : lanes;
}

inline uint32_t BlockState::unordered(const AccessRecord &record, uint32_t lanes, uint32_t thread) const {
  lanes = betweenBarriers(record, lanes, thread);
  return lanes == 0 || seen(thread).known.empty() ? lanes : unknown(record, lanes, thread);
}

inline RecentRecord &BlockState::record(AccessHistory &history, uint32_t thread, uint32_t traits,
                                        const hw_access_site *site, uint64_t bytes, const Flight &flight) {
  const ThreadState &state = seen(thread);
  RecentRecord &recent = recent_[thread / 32][slotOf(*site, traits)];
  const bool isSame = isRecent(recent, history, state, traits, site);
  const bool isPlain = flight.pipe == 0 && (!state.atomics || state.atomics->lock == Lock{});
  if (isSame && (isPlain ? recent.isPlain : !recent.isPlain && recent.lock == state.lock() && recent.flight == flight))
    return recent;
  newRecord(recent, history, thread, traits, site, bytes, flight);
  return recent;
}

inline RecentRecord &BlockState::rowRecord(AccessHistory &history, uint32_t traits, const hw_access_site *site,
                                           uint64_t bytes) {
  RecentRecord &recent = recentRows_[slotOf(*site, traits)];
  if (!isRecent(recent, history, common_, traits, site)) newRowRecord(recent, history, traits, site, bytes);
  return recent;
}

inline AccessRecord BlockState::present(uint32_t thread) const {
  const ThreadState &state = seen(thread);
  return {nullptr, linear_, cluster_,     state.now, launch_, thread / 32, state.gridPhase, state.clusterPhase,
          0,       0,       state.lock(), {}};
}

// blockOf() is the block of a thread that is observed; null: its block is not.
inline BlockState *blockOf(const hw_thread &self) {
  return static_cast<BlockState *>(reinterpret_cast<const fibers::ObservedThread &>(self).blockState);
}

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_BLOCK_STATE_H
