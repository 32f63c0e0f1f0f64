// Accesses of the same memory by two threads, one of them a write, that nothing orders.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_RACE_DETECTOR_H
#define HOSTWARP_EMU_RUNTIME_CHECK_RACE_DETECTOR_H

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/async_operations.h"
#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/lane_call.h"
#include "emu_runtime/check/race_report.h"
#include "emu_runtime/check/shadow_memory.h"
#include "emu_runtime/check/sync_locations.h"
#include "emu_runtime/check/verdicts.h"
#include "fibers/sync_observer.h"

namespace hostwarp::check {

class LanePass;

// RaceDetector follows what happens before what: program order, barriers, and atomic accesses with fences. It needs all
// blocks to be on one OS thread at a time (EngineOptions::workers = 1), and has no locks.
class RaceDetector final : public fibers::SyncObserver {
 public:
  static RaceDetector &process() {
    static auto *detector = new RaceDetector;
    return *detector;
  }

  // access() judges what the lanes are about to do, with memory that is there, of which they touch this part.
  void access(BlockState &block, const LaneAccesses &accesses, const Extent &extent);
  // accessRow() is the quick way for threads that follow each other and access global memory that does; false: it is
  // not for this call. `allocations` is how often these have changed. pre: the memory is there.
  bool accessRow(BlockState &block, const LaneCall &call, uint64_t allocations);
  // accessOnTrail() is still quicker: for a row that goes on behind the last one from that place; false: it does not.
  bool accessOnTrail(BlockState &block, const LaneCall &call, uint64_t allocations);
  // leaveTrail(): an access is looked at in another way.
  void leaveTrail() { lastOnTrail_ = nullptr; }
  // readsConstants() is for reads of memory that kernels never write.
  static void readsConstants(BlockState &block, const LaneCall &call);
  // accessInTurns() judges what lanes do that only barriers order, or reads, with memory that is there.
  void accessInTurns(BlockState &block, const LaneCall &call);
  // accessOne() judges what a thread does, whatever kind of access it is.
  void accessOne(BlockState &block, uint32_t thread, const Access &access);
  // synchronise() has the access, or the fence, order others.
  void synchronise(BlockState &block, uint32_t thread, const Access &access);
  // touchesUnseen(): a thread of the block accesses memory in a way that is not told of.
  void touchesUnseen(const BlockState &block);
  // passesBarrier(): a block that runs whole does, but for the threads whose state is `ended`; null: all threads do.
  void passesBarrier(BlockState &block, const uint32_t *states, uint32_t ended);
  // settleDeferred() looks at the block's accesses that have been put off.
  void settleDeferred(BlockState &block);
  // usesEarly(): a thread of the block has used what a product has not yet written.
  void usesEarly(const BlockState &block);
  // isClusterShared(): the access is of shared memory of another block in the block's cluster.
  bool isClusterShared(BlockState &block, uintptr_t address, uint64_t bytes);
  AsyncOperations &asyncOperations() { return async_; }
  // forget(): the memory becomes somebody else's.
  void forget(uintptr_t address, size_t bytes) { global_.forget(address, bytes); }

  void *blockBegins(const fibers::ObservedBlock &block) override;
  void blockEnds(void *block) override;
  void threadEnds(void *block, const hw_thread &thread) override;
  void lanesEnd(void *block, uint32_t warp, uint32_t lanes) override;
  void gridEnds(uint64_t launch, bool whole) override;
  void arrivesAtBarrier(void *block, const hw_thread &thread, uint32_t barrier) override;
  void barrierOpens(void *block, uint32_t barrier, const fibers::ThreadSet &waited, bool all) override;
  void lanesMeet(void *block, uint32_t warp, uint32_t lanes, bool all) override;
  void lanesExchange(void *block, uint32_t warp, uint32_t lanes) override;
  void threadsMeet(void *block, const fibers::ThreadSet &threads) override;
  void arrivesAtGrid(void *block, const hw_thread &thread) override;
  void passesGrid(void *block, const hw_thread &thread) override;
  void arrivesAtCluster(void *block, const hw_thread &thread) override;
  void passesCluster(void *block, const hw_thread &thread) override;
  void looksAtOrder(void *block) override;
  void getsMemory(const void *address, size_t bytes) override;

 private:
  // Judging is what judgeCell() needs to know of the access.
  struct Judging {
    BlockState &block;
    AccessHistory &history;  // of the memory that is accessed
    uint32_t thread;
    const Access &access;
    Accesses mine;

    uint32_t warp() const { return thread / 32; }
  };

  uint32_t launchOf(const fibers::ObservedBlock &block);
  // sharedOwner() is the block whose shared memory the address lies in; null: in none that the block can reach.
  BlockState *sharedOwner(BlockState &block, uintptr_t address);
  // regionOf() is for an access of the block with these traits.
  ShadowRegion &regionOf(BlockState &block, uintptr_t address, uint32_t traits);
  ShadowRegion &globalRegion(const BlockState &block, uintptr_t address, uint32_t traits);
  // forEachRegion() visits the regions of an access, each with where its part begins and how long that is.
  template <class Visit>
  void forEachRegion(BlockState &block, uintptr_t start, uint64_t bytes, uint32_t traits, Visit visit);
  // historyOf() is of all of the extent; null: there are several.
  AccessHistory *historyOf(BlockState &block, const Extent &extent);
  // pastOf() is what all threads of the block know to be over, of a history.
  Past pastOf(const BlockState &block, const AccessHistory &history) const;
  RecentRecord &recordOf(BlockState &block, AccessHistory &history, uint32_t thread, uint32_t traits,
                         const hw_access_site *site, uint64_t bytes, const Flight &flight = {});
  RecentRecord &rowRecordOf(BlockState &block, AccessHistory &history, uint32_t traits, const hw_access_site *site,
                            uint64_t bytes);
  static void tellOperation(BlockState &block, const LaneAccesses &all);
  static bool isQuick(BlockState &block, uint32_t warp, uint32_t lanes, uint32_t traits);
  void accessAlike(BlockState &block, AccessHistory &history, const LaneAccesses &accesses);
  void accessAlike(BlockState &block, AccessHistory &history, const LaneCall &call);
  static bool isRow(const LaneCall &call);
  void accessChunks(BlockState &block, const LaneCall &call, LanePass &pass, Row row, std::span<Chunk> chunks,
                    uintptr_t address);
  // accessSlowly() is accessRow() for a part that needs more than a look.
  void accessSlowly(BlockState &block, const LaneCall &call, uintptr_t from, uintptr_t to);
  class Pass;
  // passThrough() has `go` use the Pass of what the lanes do.
  template <class Go>
  void passThrough(BlockState &block, AccessHistory &history, const LaneAccesses &accesses, Go go);
  // judgeAndNote() is false once it has told of a race; `isQuiet`: one has been told of.
  bool judgeAndNote(Cell &cell, const Judging &judging, bool isQuiet);
  // judgeCell() is false once it has told of a race.
  bool judgeCell(Cell &cell, const Judging &judging);
  // judgeProxy() looks whether an asynchronous operation finds what a thread has written.
  bool judgeProxy(Accesses write, const Judging &judging);
  bool judgeAgainst(Accesses some, const Judging &judging);
  static bool conflict(const AccessRecord &before, const Judging &judging);
  void note(Cell &cell, const Judging &judging);
  Accesses withMine(Accesses others, const Judging &judging);
  static uint32_t lucky(const AccessRecord &before, uint32_t lanes, const Judging &judging);
  // notBefore() is which of the accesses by lanes the thread knows not to be over, as far as it is told by barriers and
  // waits; unordered() is which of them may come before or behind this one.
  uint32_t notBefore(const AccessRecord &before, uint32_t lanes, const Judging &judging) const;
  uint32_t unordered(const AccessRecord &before, uint32_t lanes, const Judging &judging) const;
  static bool isKnown(const Cell &cell, const Judging &judging);
  static Accesses withoutOwnReads(Accesses others, const Judging &judging);
  static Accesses setOf(AccessHistory &history, const std::vector<Accesses> &lastFirst);
  Race raceOf(const AccessRecord &before, uint32_t lanes, const Judging &judging);
  void report(const AccessRecord &before, uint32_t lanes, const Judging &judging);
  void tell(const BlockState &block, const Race &race);
  // settleHeldBack() tells of what was held back until the thread's next atomic access, unless that swaps where it
  // read; or of all that was for threads of the block.
  void settleHeldBack(BlockState &block, uint32_t thread, const Access *next);
  void settleHeldBack(BlockState &block);
  bool changesPlaces(const Access &access);
  void unsettle(const BlockState &block, Unsettled why);

  std::vector<LaunchNote> notes_;
  std::unordered_map<uintptr_t, uint32_t> updates_;  // of which kind those were whose result nobody looks at
  ShadowMemory global_;
  SyncLocations locations_;
  AsyncOperations async_;
  std::map<uint64_t, uint32_t> launches_;  // those in flight, with their notes
  std::map<const BlockState *, std::unique_ptr<BlockState>> blocks_;
  std::vector<std::unique_ptr<BlockState>> idle_;
  const RecentRecord *lastOnTrail_ = nullptr;                         // of the last access, if that was on its trail
  const Cell *judged_ = nullptr;                                      // that accesses are compared in
  std::map<std::pair<const BlockState *, uint32_t>, Race> heldBack_;  // plain reads beside atomic accesses, by thread
};

inline RecentRecord &RaceDetector::recordOf(BlockState &block, AccessHistory &history, uint32_t thread, uint32_t traits,
                                            const hw_access_site *site, uint64_t bytes, const Flight &flight) {
  RecentRecord &record = block.record(history, thread, traits, site, bytes, flight);
  if (record.id == 0 || history.isFull() || async_.flights().isFull()) unsettle(block, Unsettled::TooMany);
  return record;
}

inline RecentRecord &RaceDetector::rowRecordOf(BlockState &block, AccessHistory &history, uint32_t traits,
                                               const hw_access_site *site, uint64_t bytes) {
  RecentRecord &record = block.rowRecord(history, traits, site, bytes);
  if (record.id == 0 || history.isFull()) unsettle(block, Unsettled::TooMany);
  return record;
}

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_RACE_DETECTOR_H
