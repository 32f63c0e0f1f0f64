#include "emu_runtime/check/race_detector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "emu_runtime/check/lane_pass.h"
#include "emu_runtime/check/race_report.h"
#include "emu_runtime/order/work.h"
#include "fibers/engine.h"

namespace hostwarp::check {

namespace {

BlockState &stateOf(void *block) { return *static_cast<BlockState *>(block); }

// std::has_single_bit() is a call where processors need not count bits.
bool isPowerOfTwo(uint64_t number) { return (number & (number - 1)) == 0; }

}  // namespace

uint32_t RaceDetector::launchOf(const fibers::ObservedBlock &block) {
  if (const auto known = launches_.find(block.launch); known != launches_.end()) return known->second;
  if (launches_.empty()) {
    locations_.clear();
    updates_.clear();
    async_.clear();
  }
  if (launches_.empty()) global_.beginEpoch();
  if (launches_.empty() && global_.history().isLong()) {
    global_.clear();
    notes_.clear();
  }
  const auto note = static_cast<uint32_t>(notes_.size());
  Past past = global_.history().allUntilNow();
  for (const auto &[launch, other] : launches_)
    if (notes_[other].past.records < past.records) past = notes_[other].past;
  notes_.push_back({block.launch, block.kernelName, block.prototype->gridDim, block.prototype->blockDim, past});
  launches_[block.launch] = note;
  return note;
}

void *RaceDetector::blockBegins(const fibers::ObservedBlock &block) {
  // What is told of programs that read what they have not written shall not depend on what lay there.
  if (block.prototype->sharedBytes != 0) std::memset(block.prototype->sharedBase, 0, block.prototype->sharedBytes);
  if (idle_.empty()) idle_.push_back(std::make_unique<BlockState>());
  std::unique_ptr<BlockState> state = std::move(idle_.back());
  idle_.pop_back();
  state->begin(block, launchOf(block));
  BlockState *const key = state.get();
  blocks_[key] = std::move(state);
  return key;
}

void RaceDetector::blockEnds(void *block) {
  settleHeldBack(stateOf(block));
  async_.blockEnds(stateOf(block));
  const auto place = blocks_.find(&stateOf(block));
  idle_.push_back(std::move(place->second));
  blocks_.erase(place);
}

void RaceDetector::threadEnds(void *block, const hw_thread &thread) {
  settleHeldBack(stateOf(block), thread.linearThread, nullptr);
  async_.threadEnds(stateOf(block), thread);
  stateOf(block).threadEnds(thread.linearThread);
}

void RaceDetector::lanesEnd(void *block, uint32_t warp, uint32_t lanes) {
  BlockState &state = stateOf(block);
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint32_t thread = warp * 32 + static_cast<uint32_t>(std::countr_zero(lanes));
    if (!state.hasEnded(thread)) state.threadEnds(thread);
  }
}

bool RaceDetector::isClusterShared(BlockState &block, uintptr_t address, uint64_t bytes) {
  const BlockState *const owner = sharedOwner(block, address);
  return owner != nullptr && owner->shared().holds(address, bytes);
}

void RaceDetector::gridEnds(uint64_t launch, bool whole) {
  const auto place = launches_.find(launch);
  if (place == launches_.end()) return;
  LaunchNote &note = notes_[place->second];
  note.hasEnded = true;
  const uint32_t broken = whole ? 0 : 1u << static_cast<uint32_t>(Unsettled::Broken);
  Verdicts::process().add(note.kernelName, note.unsettled | broken);
  launches_.erase(place);
}

void RaceDetector::unsettle(const BlockState &block, Unsettled why) {
  notes_[block.launch()].unsettled |= 1u << static_cast<uint32_t>(why);
}

void RaceDetector::touchesUnseen(const BlockState &block) { unsettle(block, Unsettled::Unseen); }

void RaceDetector::usesEarly(const BlockState &block) { unsettle(block, Unsettled::Race); }

void RaceDetector::looksAtOrder(void *block) { unsettle(stateOf(block), Unsettled::OrderSeen); }

void RaceDetector::arrivesAtBarrier(void *block, const hw_thread &thread, uint32_t barrier) {
  stateOf(block).arrivesAtBarrier(thread.linearThread, barrier);
}

void RaceDetector::barrierOpens(void *block, uint32_t barrier, const fibers::ThreadSet &waited, bool all) {
  BlockState &state = stateOf(block);
  settleHeldBack(state);
  if (all && state.areAllPast())
    state.deferred().passesBarrier();
  else
    settleDeferred(state);
  state.barrierOpens(barrier, waited, all);
}

void RaceDetector::passesBarrier(BlockState &block, const uint32_t *states, uint32_t ended) {
  if (states != nullptr)
    for (uint32_t thread = 0; thread < block.threads(); ++thread)
      if (states[thread] == ended && !block.hasEnded(thread)) block.threadEnds(thread);
  barrierOpens(&block, 0, {}, true);
}

void RaceDetector::lanesMeet(void *block, uint32_t warp, uint32_t lanes, bool all) {
  stateOf(block).lanesMeet(warp, lanes, all);
}

void RaceDetector::lanesExchange(void *block, uint32_t warp, uint32_t lanes) {
  stateOf(block).lanesExchange(warp, lanes);
}

void RaceDetector::threadsMeet(void *block, const fibers::ThreadSet &threads) { stateOf(block).threadsMeet(threads); }

void RaceDetector::arrivesAtGrid(void *block, const hw_thread &thread) {
  stateOf(block).thread(thread.linearThread).gridPhase |= 1;
}

void RaceDetector::passesGrid(void *block, const hw_thread &thread) {
  uint32_t &phase = stateOf(block).thread(thread.linearThread).gridPhase;
  phase = (phase | 1) + 1;
}

void RaceDetector::arrivesAtCluster(void *block, const hw_thread &thread) {
  stateOf(block).thread(thread.linearThread).clusterPhase |= 1;
}

void RaceDetector::passesCluster(void *block, const hw_thread &thread) {
  uint32_t &phase = stateOf(block).thread(thread.linearThread).clusterPhase;
  phase = (phase | 1) + 1;
}

void RaceDetector::getsMemory(const void *address, size_t bytes) {
  forget(reinterpret_cast<uintptr_t>(address), bytes);
}

BlockState *RaceDetector::sharedOwner(BlockState &block, uintptr_t address) {
  if (block.shared().covers(address)) return &block;
  // Another block's shared memory, in a cluster.
  if (block.isInCluster() && blocks_.size() > 1)
    for (const auto &[key, other] : blocks_)
      if (other->cluster() == block.cluster() && other->shared().covers(address)) return other.get();
  return nullptr;
}

ShadowRegion &RaceDetector::regionOf(BlockState &block, uintptr_t address, uint32_t traits) {
  BlockState *const owner = sharedOwner(block, address);
  return owner != nullptr ? owner->shared() : globalRegion(block, address, traits);
}

ShadowRegion &RaceDetector::globalRegion(const BlockState &block, uintptr_t address, uint32_t traits) {
  return global_.regionOf(address, (traits & HW_ACCESS_WRITES) != 0, notes_[block.launch()].past);
}

template <class Visit>
void RaceDetector::forEachRegion(BlockState &block, uintptr_t start, uint64_t bytes, uint32_t traits, Visit visit) {
  while (bytes != 0) {
    ShadowRegion &region = regionOf(block, start, traits);
    const uint64_t part = std::min<uint64_t>(bytes, region.bytesFrom(start));
    visit(region, start, part);
    start += part;
    bytes -= part;
  }
}

[[gnu::always_inline]] inline AccessHistory *RaceDetector::historyOf(BlockState &block, const Extent &extent) {
  if (block.shared().holds(extent.start, extent.bytes)) return &block.shared().history();
  if (block.shared().touches(extent.start, extent.bytes)) return nullptr;
  if (block.isInCluster())
    for (const auto &[key, other] : blocks_)
      if (other->cluster() == block.cluster() && other->shared().touches(extent.start, extent.bytes)) return nullptr;
  return &global_.history();
}

Past RaceDetector::pastOf(const BlockState &block, const AccessHistory &history) const {
  return &history == &block.shared().history() ? block.sharedPast() : notes_[block.launch()].past;
}

// isKnown(): the thread has made the same access before, at the same time, and nobody has written since, or accessed,
// if it is a write.
bool RaceDetector::isKnown(const Cell &cell, const Judging &judging) {
  const Accesses mine = judging.mine;
  if (judging.access.writes() && judging.access.isInFlight()) return false;
  if (judging.access.writes()) return cell.write == mine && cell.others.none() && !judging.access.isAtomic();
  const Accesses last = cell.others.isSet ? judging.history.last(cell.others) : cell.others;
  return last.id == mine.id && (last.lanes & mine.lanes) != 0;
}

// isQuick(): one record is enough for what the lanes do, and a look at the cells.
bool RaceDetector::isQuick(BlockState &block, uint32_t warp, uint32_t lanes, uint32_t traits) {
  constexpr uint32_t special = HW_ACCESS_VOLATILE | HW_ACCESS_COMPARES | HW_ACCESS_IN_BLOCK;
  const bool isPlain = (traits & HW_ACCESS_ATOMIC) == 0;
  return (traits & special) == 0 && block.lookAlike(warp, lanes) &&
         (isPlain || (traits & HW_ACCESS_ONLY_BARRIERS) != 0);
}

void RaceDetector::access(BlockState &block, const LaneAccesses &accesses, const Extent &extent) {
  constexpr uint32_t rounds = HW_ACCESS_ATOMIC | HW_ACCESS_ROUNDS;
  if ((accesses.traits & rounds) == rounds) unsettle(block, Unsettled::Rounding);
  const bool isQuick = this->isQuick(block, accesses.warp, accesses.lanes, accesses.traits);
  if (AccessHistory *const history = isQuick ? historyOf(block, extent) : nullptr) {
    if (block.part() != nullptr && history == &global_.history()) tellOperation(block, accesses);
    return accessAlike(block, *history, accesses);
  }
  accesses.forEach([&](uint32_t lane) { accessOne(block, accesses.warp * 32 + lane, accesses.of(lane)); });
}

bool RaceDetector::isRow(const LaneCall &call) {
  constexpr uint32_t special = HW_ACCESS_VOLATILE | HW_ACCESS_COMPARES | HW_ACCESS_IN_BLOCK | HW_ACCESS_ATOMIC;
  const uint32_t fromLowest = call.lanes >> std::countr_zero(call.lanes);
  return call.addresses == nullptr && static_cast<uint64_t>(call.stride) == call.bytes && call.count == 1 &&
         (call.traits & special) == 0 && (fromLowest & (fromLowest + 1)) == 0 && call.bytes <= Chunk::kBytes &&
         isPowerOfTwo(call.bytes) && (call.start & (call.bytes - 1)) == 0;
}

bool RaceDetector::accessRow(BlockState &block, const LaneCall &call, uint64_t allocations) {
  if (!block.areAlike() || block.isInCluster() || !isRow(call)) return false;
  const auto lowest = static_cast<uint32_t>(std::countr_zero(call.lanes)), bytes = static_cast<uint32_t>(call.bytes);
  const uintptr_t first = call.startOf(lowest), end = call.startOf(call.last()) + bytes;
  if (block.shared().touches(first, end - first)) return false;
  if (block.part() != nullptr) block.part()->access(first, end - first, call.traits, call.site);
  RecentRecord &record = rowRecordOf(block, global_.history(), call.traits, call.site, bytes);
  if (record.id == 0) return true;
  LanePass pass(block, global_.history(), notes_[block.launch()].past, 0, record, record.rows);
  const Row row(call.thread + lowest, first, bytes);
  for (uintptr_t at = first; at < end;) {
    ShadowRegion &region = globalRegion(block, at, call.traits);
    const uintptr_t stop = at + std::min<size_t>(end - at, region.bytesFrom(at));
    while (at < stop) {
      const size_t from = region.inChunk(at), part = std::min<size_t>(stop - at, Chunk::kBytes - from);
      Chunk &chunk = region.chunkAt(at);
      if (!chunk.isOne() || !pass.note(chunk.whole(), part == Chunk::kBytes ? row : row.part(from, from + part)))
        accessSlowly(block, call, at, at + part);
      at += part;
    }
    const bool goesOn = region.covers(end) && region.inChunk(end) == 0;
    record.trail = {.next = end,
                    .end = goesOn ? end + region.bytesFrom(end) : end,
                    .thread = call.thread + call.last() + 1,
                    .code = row.code(),
                    .chunk = goesOn ? &region.chunkAt(end) : nullptr,
                    .allocations = allocations};
  }
  return true;
}

bool RaceDetector::accessOnTrail(BlockState &block, const LaneCall &call, uint64_t allocations) {
  RecentRecord *const record = block.trailOf(global_.history(), call.traits, call.site);
  if (record == nullptr || record->trail.chunk == nullptr) return false;
  RowTrail &trail = record->trail;
  const uint64_t bytes = call.bytes * (call.last() + 1);
  if (call.start != trail.next || call.thread != trail.thread || call.addresses != nullptr || call.count != 1 ||
      static_cast<uint64_t>(call.stride) != call.bytes || (call.lanes & (call.lanes + 1)) != 0 ||
      call.bytes != Row(trail.code).bytes() || bytes % Chunk::kBytes != 0 || bytes > trail.end - trail.next ||
      allocations != trail.allocations)
    return false;
  if (block.part() != nullptr) block.part()->access(call.start, bytes, call.traits, call.site);
  const size_t count = bytes / Chunk::kBytes;
  LanePass pass(block, global_.history(), notes_[block.launch()].past, 0, *record, record->rows);
  for (size_t done = 0; (done += pass.noteEach(trail.chunk + done, count - done, Row(trail.code))) < count; ++done) {
    Chunk &chunk = trail.chunk[done];
    const uintptr_t at = call.start + done * Chunk::kBytes;
    if (!chunk.isOne() || !pass.note(chunk.whole(), Row(trail.code))) accessSlowly(block, call, at, at + Chunk::kBytes);
  }
  trail.next += bytes;
  trail.thread += call.last() + 1;
  trail.chunk = trail.next == trail.end ? nullptr : trail.chunk + count;
  return true;
}

void RaceDetector::settleDeferred(BlockState &block) {
  block.deferred().settle([&](const LaneCall &call) { accessInTurns(block, call); });
}

void RaceDetector::accessInTurns(BlockState &block, const LaneCall &call) {
  const bool isOfLoop = call.count != 1 && call.isOfOneWarp();
  if (isOfLoop && isQuick(block, call.thread / 32, call.lanes << call.thread % 32, call.traits))
    if (AccessHistory *const history = historyOf(block, call.extent())) return accessAlike(block, *history, call);
  call.forEachTurn([&](const LaneCall &turn) {
    turn.forEachWarp([&](const LaneAccesses &all) { access(block, all, all.extent()); });
    return true;
  });
}

// tellOperation() notes what the lanes do for the operation that the block belongs to. pre: not with shared memory.
void RaceDetector::tellOperation(BlockState &block, const LaneAccesses &all) {
  const auto tell = [&](uintptr_t start, uint64_t bytes) { block.part()->access(start, bytes, all.traits, all.site); };
  if (all.areOfOnePlace()) return tell(all.start, all.bytes);
  if (all.areSideBySide()) {
    const uintptr_t first = all.startOf(all.lowest());
    return tell(first, all.startOf(all.highest()) + all.bytes - first);
  }
  std::array<uintptr_t, 32> starts;
  size_t count = 0;
  all.forEach([&](uint32_t lane) { starts[count++] = all.startOf(lane); });
  block.part()->accessEach({starts.data(), count}, all.bytes, all.traits, all.site);
}

[[gnu::always_inline]] inline RecentRecord &RaceDetector::recordOf(BlockState &block, AccessHistory &history,
                                                                   uint32_t thread, uint32_t traits,
                                                                   const hw_access_site *site, uint64_t bytes,
                                                                   const Flight &flight) {
  RecentRecord &record = block.record(history, thread, traits, site, bytes, flight);
  if (record.id == 0 || history.isFull() || async_.flights().isFull()) unsettle(block, Unsettled::TooMany);
  return record;
}

[[gnu::always_inline]] inline RecentRecord &RaceDetector::rowRecordOf(BlockState &block, AccessHistory &history,
                                                                      uint32_t traits, const hw_access_site *site,
                                                                      uint64_t bytes) {
  RecentRecord &record = block.rowRecord(history, traits, site, bytes);
  if (record.id == 0 || history.isFull()) unsettle(block, Unsettled::TooMany);
  return record;
}

// Pass goes through the cells of what lanes do that have one record.
class RaceDetector::Pass {
 public:
  // `ofBlock` is the record of the block's threads, if they are alike; else `ofLanes` is the lanes'.
  Pass(RaceDetector &detector, BlockState &block, AccessHistory &history, const LaneAccesses &accesses,
       RecentRecord *ofBlock, RecentRecord *ofLanes)
      : detector_(detector),
        block_(block),
        history_(history),
        accesses_(accesses),
        ofLanes_(ofLanes),
        rows_(block, history, detector.pastOf(block, history), accesses.warp, ofBlock != nullptr ? *ofBlock : *ofLanes,
              ofBlock != nullptr ? ofBlock->rows : ofLanes->rows) {}

  // goThrough() is for a part, where lanes that follow each other access bytes that do, as a row.
  void goThrough(uintptr_t from, uintptr_t end) {
    const uintptr_t first = accesses_.startOf(accesses_.lowest());
    const Row row(accesses_.warp * 32 + accesses_.lowest(), first, static_cast<uint32_t>(accesses_.bytes));
    for (uintptr_t at = from; at < end;) {
      ShadowRegion &region = regionAt(at);
      const uintptr_t stop = at + std::min<size_t>(end - at, region.bytesFrom(at));
      while (at < stop) {
        const size_t from = region.inChunk(at), part = std::min<size_t>(stop - at, Chunk::kBytes - from);
        const bool isWhole = part == Chunk::kBytes;
        if (!noteRow(region, at, isWhole ? row : row.part(from, from + part))) byCells(first, at, at + part);
        at += part;
      }
    }
  }

  // go() is once through what the accesses say now.
  void go() {
    quiet_ = 0;
    if (accesses_.areSideBySide()) return together();
    if (accesses_.areOfOnePlace() && (accesses_.traits & HW_ACCESS_WRITES) == 0) return atOnePlace();
    oneByOne();
  }

 private:
  RecentRecord &ofLanes() {
    if (ofLanes_ == nullptr)
      ofLanes_ = &detector_.recordOf(block_, history_, accesses_.warp * 32 + accesses_.lowest(), accesses_.traits,
                                     accesses_.site, accesses_.bytes);
    return *ofLanes_;
  }
  LanePass &lanes() {
    if (!lanes_)
      lanes_.emplace(block_, history_, detector_.pastOf(block_, history_), accesses_.warp, ofLanes(), ofLanes().others);
    return *lanes_;
  }

  // together(): lanes that follow each other access bytes that do.
  void together() {
    const uintptr_t first = accesses_.startOf(accesses_.lowest());
    const uint64_t bytes = accesses_.bytes;
    const uintptr_t end = accesses_.startOf(accesses_.highest()) + bytes;
    const bool areRows = bytes <= Chunk::kBytes && isPowerOfTwo(bytes) && (first & (bytes - 1)) == 0;
    if (!areRows) return byCells(first, first, end);
    goThrough(first, end);
  }

  // noteRow() is false where the chunk has to be looked at by its cells.
  bool noteRow(ShadowRegion &region, uintptr_t at, Row row) {
    Chunk &chunk = region.chunkAt(at);
    if (chunk.isOne()) return rows_.note(chunk.whole(), row);
    if (!rows_.isPlainWrite() || !row.isWhole()) return false;
    bool areOver = true;
    region.forEachCell(chunk, [&](const Cell &cell, size_t offset) {
      return areOver = lanes().areOver(cell, 1u << row.threadAt(at + offset) % 32);
    });
    if (areOver) rows_.write(region, chunk, row);
    return areOver;
  }

  // atOnePlace(): all lanes read the same.
  void atOnePlace() {
    visit(accesses_.start, [&](Cell &cell, uintptr_t) {
      if (!lanes().note(cell, accesses_.lanes)) accesses_.forEach([&](uint32_t lane) { judge(cell, lane); });
    });
  }

  void oneByOne() {
    const bool isGlobal = &history_ == &detector_.global_.history();
    const uint32_t rest = isGlobal && mayBePutOff() ? notPutOff() : accesses_.lanes;
    if (accesses_.addresses != nullptr && isGlobal) askForCells(rest);
    forEachOf(rest, [&](uint32_t lane, uintptr_t at) {
      if (Cell *const word = accesses_.bytes == 4 ? regionAt(at).wordAt(at) : nullptr)
        note(*word, lane);
      else
        visit(at, [&](Cell &cell, uintptr_t) { note(cell, lane); });
    });
  }

  template <class Visit>
  void forEachOf(uint32_t lanes, Visit visitLane) const {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      visitLane(lane, accesses_.startOf(lane));
    }
  }

  bool mayBePutOff() { return (accesses_.traits & (HW_ACCESS_WRITES | HW_ACCESS_ATOMIC)) == 0 && ofLanes().isPlain; }
  // notPutOff() is the lanes whose reads have to be looked at, since somebody may have written there.
  uint32_t notPutOff() {
    uint32_t rest = 0;
    const uint32_t record = ofLanes().id;
    forEachOf(accesses_.lanes, [&](uint32_t lane, uintptr_t at) {
      if (!detector_.global_.putOff(at, accesses_.bytes, record, lane)) rest |= 1u << lane;
    });
    return rest;
  }

  // askForCells() has the processor fetch the cells of lanes whose places lie far apart, of all at once.
  void askForCells(uint32_t lanes) {
    forEachOf(lanes, [&](uint32_t, uintptr_t at) { __builtin_prefetch(&regionAt(at).chunkAt(at)); });
    forEachOf(lanes, [&](uint32_t, uintptr_t at) {
      if (const Cell *const word = regionAt(at).wordAt(at)) __builtin_prefetch(word);
    });
  }

  ShadowRegion &regionAt(uintptr_t at) {
    if (region_ == nullptr || !region_->covers(at)) region_ = &detector_.regionOf(block_, at, accesses_.traits);
    return *region_;
  }

  template <class Visit>
  void visit(uintptr_t at, Visit visitCell) {
    for (uint64_t left = accesses_.bytes; left != 0;) {
      ShadowRegion &region = regionAt(at);
      const uint64_t part = std::min<uint64_t>(left, region.bytesFrom(at));
      region.forEachCell(at, part, visitCell);
      at += part;
      left -= part;
    }
  }

  // laneAt() is whose byte that is, where the first lane's begins at `first`.
  uint32_t laneAt(uintptr_t first, uintptr_t at) const {
    const uint64_t offset = at - first, bytes = accesses_.bytes;
    const uint64_t lanes = isPowerOfTwo(bytes) ? offset >> std::countr_zero(bytes) : offset / bytes;
    return accesses_.lowest() + static_cast<uint32_t>(lanes);
  }

  // byCells(): cells are of one lane's bytes each, or of several lanes' where these access less than 4 bytes. The first
  // lane's begin at `first`.
  void byCells(uintptr_t first, uintptr_t at, uintptr_t end) {
    const size_t step =
        ((at | accesses_.bytes) & 3) == 0 ? Chunk::kBytes : std::min<size_t>(Chunk::kBytes, accesses_.bytes);
    while (at < end) {
      ShadowRegion &region = regionAt(at);
      const size_t left = std::min<size_t>(end - at, Chunk::kBytes - region.inChunk(at));
      const size_t part = std::min({left, region.bytesFrom(at), step});
      region.forEachCell(at, part,
                         [&](Cell &cell, uintptr_t cellAt) { note(cell, laneAt(first, std::max(cellAt, at))); });
      at += part;
    }
  }

  void note(Cell &cell, uint32_t lane) {
    if (!lanes().note(cell, 1u << lane)) judge(cell, lane);
  }

  // judge(): what a lane of the same vector writes is not in memory yet.
  void judge(Cell &cell, uint32_t lane) {
    Access access = accesses_.of(lane);
    const uint32_t mine = ofLanes().id, others = cell.write.id == mine ? cell.write.lanes & accesses_.lanes : 0;
    const auto other = static_cast<uint32_t>(std::countr_zero(others));
    if (others != 0 && accesses_.values != nullptr && accesses_.startOf(other) == access.start)
      access.found = accesses_.valueOf(other);
    const Judging judging{
        block_, history_, accesses_.warp * 32 + lane, access, {.id = mine, .isSet = 0, .lanes = 1u << lane}};
    if (!detector_.judgeAndNote(cell, judging, (quiet_ >> lane & 1) != 0)) quiet_ |= 1u << lane;
  }

  RaceDetector &detector_;
  BlockState &block_;
  AccessHistory &history_;
  const LaneAccesses &accesses_;
  RecentRecord *ofLanes_;
  LanePass rows_;
  std::optional<LanePass> lanes_;
  ShadowRegion *region_ = nullptr;
  uint32_t quiet_ = 0;  // lanes of whose accesses a race has been told
};

template <class Go>
[[gnu::always_inline]] inline void RaceDetector::passThrough(BlockState &block, AccessHistory &history,
                                                             const LaneAccesses &accesses, Go go) {
  const bool areAlike = block.areAlike();
  RecentRecord &record = areAlike ? rowRecordOf(block, history, accesses.traits, accesses.site, accesses.bytes)
                                  : recordOf(block, history, accesses.warp * 32 + accesses.lowest(), accesses.traits,
                                             accesses.site, accesses.bytes);
  if (record.id == 0) return;
  Pass pass(*this, block, history, accesses, areAlike ? &record : nullptr, areAlike ? nullptr : &record);
  go(pass);
}

void RaceDetector::accessAlike(BlockState &block, AccessHistory &history, const LaneAccesses &accesses) {
  passThrough(block, history, accesses, [](Pass &pass) { pass.go(); });
}

// accessAlike() is for all turns of a call.
void RaceDetector::accessAlike(BlockState &block, AccessHistory &history, const LaneCall &call) {
  LaneAccesses accesses = call.inFirstWarp();
  const bool isTold = block.part() != nullptr && &history == &global_.history();
  passThrough(block, history, accesses, [&](Pass &pass) {
    call.forEachTurn([&](const LaneCall &turn) {
      accesses.start = turn.start;
      accesses.addresses = turn.addresses;
      if (isTold) tellOperation(block, accesses);
      pass.go();
      return true;
    });
  });
}

void RaceDetector::accessSlowly(BlockState &block, const LaneCall &call, uintptr_t from, uintptr_t to) {
  call.forEachWarp([&](const LaneAccesses &all) {
    const uintptr_t first = all.startOf(all.lowest()), end = all.startOf(all.highest()) + all.bytes;
    if (from >= end || to <= first) return;
    RecentRecord &record = rowRecordOf(block, global_.history(), call.traits, call.site, call.bytes);
    Pass(*this, block, global_.history(), all, &record, nullptr).goThrough(std::max(from, first), std::min(to, end));
  });
}

bool RaceDetector::judgeAndNote(Cell &cell, const Judging &judging, bool isQuiet) {
  if (isKnown(cell, judging)) return true;
  if ((judging.access.traits & HW_ACCESS_COMPARES) != 0) cell.others = withoutOwnReads(cell.others, judging);
  const bool isFine = isQuiet || judgeCell(cell, judging);
  note(cell, judging);
  return isFine;
}

void RaceDetector::accessOne(BlockState &block, uint32_t thread, const Access &access) {
  if (block.part() != nullptr && sharedOwner(block, access.start) == nullptr)
    block.part()->access(access.start, access.bytes, access.traits, access.site);
  if (access.isInFlight() && (access.traits & HW_ACCESS_ROUNDS) != 0) unsettle(block, Unsettled::Rounding);
  if (access.isAtomic()) settleHeldBack(block, thread, &access);
  bool isQuiet = false;  // one race is told of for an access
  forEachRegion(
      block, access.start, access.bytes, access.traits, [&](ShadowRegion &region, uintptr_t start, uint64_t bytes) {
        AccessHistory &history = region.history();
        const uint32_t record =
            recordOf(block, history, thread, access.traits, access.site, access.bytes, access.flight).id;
        if (record == 0) return;
        const Judging judging{block, history, thread, access, {.id = record, .isSet = 0, .lanes = 1u << thread % 32}};
        region.forEachCell(start, bytes,
                           [&](Cell &cell, uintptr_t) { isQuiet = !judgeAndNote(cell, judging, isQuiet) || isQuiet; });
      });
}

// changesPlaces(): updates of the place have been of this one kind so far, and come to the same in any order.
bool RaceDetector::changesPlaces(const Access &access) {
  if ((access.traits & HW_ACCESS_ROUNDS) != 0) return true;  // for which there is another verdict
  const uint32_t kind = HW_ACCESS_UPDATE_KIND(access.traits);
  return kind != 0 && updates_.emplace(access.start, kind).first->second == kind;
}

void RaceDetector::synchronise(BlockState &block, uint32_t thread, const Access &access) {
  if (access.bytes == 0 && block.part() != nullptr) block.part()->fence();
  if (access.bytes == 0) settleHeldBack(block, thread, nullptr);
  if (access.bytes == 0) return SyncLocations::fence(block, thread, access.traits);
  if ((access.traits & HW_ACCESS_OF_LIBRARY) == 0) {
    const bool isUpdate = access.reads() && access.writes();
    const bool isUnused = isUpdate && (access.traits & HW_ACCESS_RESULT_UNUSED) != 0;
    if (access.isAtomic() && !isUnused) unsettle(block, Unsettled::ResultUsed);
    if (isUnused && !changesPlaces(access)) unsettle(block, Unsettled::Mixed);
    if ((access.traits & HW_ACCESS_POLLS) != 0) unsettle(block, Unsettled::ResultUsed);
    if ((access.traits & HW_ACCESS_ROUNDS) != 0) unsettle(block, Unsettled::Rounding);
  }
  locations_.access(block, thread, access.start, access.traits, access.writes(), access.value);
}

// conflict(): the two may not be unordered. A thread that waits for volatile memory to change talks with the one that
// writes it; anything else volatile is an access like others.
bool RaceDetector::conflict(const AccessRecord &before, const Judging &judging) {
  const uint32_t mine = judging.access.traits;
  if (!before.writes() && !judging.access.writes()) return false;
  constexpr uint32_t isMeant = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC;
  if (((before.traits & HW_ACCESS_POLLS) != 0 && (mine & isMeant) != 0) ||
      ((mine & HW_ACCESS_POLLS) != 0 && (before.traits & isMeant) != 0)) {
    countBenign(Benign::Poll, (mine & HW_ACCESS_POLLS) != 0 ? *judging.access.site : *before.site);
    return false;
  }
  if (!before.isAtomic() || !judging.access.isAtomic()) return true;
  const bool isNarrow = ((before.traits | mine) & HW_ACCESS_IN_BLOCK) != 0;
  return isNarrow && before.block != judging.block.linear();
}

// lucky(): which lanes' accesses a lock orders, but would not had they taken it later: they have no fence behind that.
uint32_t RaceDetector::lucky(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  const uint32_t thread = judging.thread;
  const Lock lock = before.lock, mine = judging.block.seen(thread).lock();
  if (lock.address == 0 || lock.address != mine.address) return 0;
  const bool isFenced = before.block == judging.block.linear() ? lock.fenced : lock.fencedForAll;
  return isFenced ? 0 : judging.block.betweenBarriers(before, lanes, thread);
}

// notBefore(): which lanes' accesses come neither before this one nor, where the operations that make them are over,
// had they been waited for. The end of a grid is such a wait.
uint32_t RaceDetector::notBefore(const AccessRecord &before, uint32_t lanes, const Judging &judging) const {
  if (before.isInFlight() && before.launch == judging.block.launch())
    return async_.flights().pending(before, lanes, judging.block, judging.thread);
  return judging.block.unordered(before, lanes, judging.thread);
}

uint32_t RaceDetector::unordered(const AccessRecord &before, uint32_t lanes, const Judging &judging) const {
  const uint32_t rest = notBefore(before, lanes, judging);
  if (before.isInFlight()) return rest;
  if (rest == 0) return lucky(before, lanes, judging);
  constexpr uint32_t isStrong = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC;
  const bool areStrong = (before.traits & isStrong) != 0 && (judging.access.traits & isStrong) != 0;
  return areStrong ? judging.block.unseen(before, rest, judging.thread) : rest;
}

bool RaceDetector::judgeProxy(Accesses write, const Judging &judging) {
  if (write.none() || !judging.access.reads() || !AsyncOperations::isByProxy(judging.access.flight)) return true;
  const AccessRecord before = judging.history.record(write.id);
  if (before.isInFlight() || before.launch != judging.block.launch()) return true;
  const bool isShared = sharedOwner(judging.block, judging.access.start) != nullptr;
  const auto lane = static_cast<uint32_t>(std::countr_zero(write.lanes));
  if (async_.proxyFences().isBehind(before, lane, isShared ? HW_ASYNC_SHARED : HW_ASYNC_GLOBAL, judging.block,
                                    judging.thread))
    return true;
  const fibers::RuntimeSection section;
  Race race = raceOf(before, write.lanes, judging);
  race.lacksFence = true;
  tell(judging.block, race);
  return false;
}

bool RaceDetector::judgeAgainst(Accesses some, const Judging &judging) {
  // Reads do not disturb each other, nor do atomic accesses.
  const uint32_t theirs = judging.history.traits(some), mine = judging.access.traits;
  if (((theirs | mine) & HW_ACCESS_WRITES) == 0) return true;
  if ((theirs & AccessHistory::isPlain) == 0 && judging.access.isAtomic() &&
      ((theirs | mine) & HW_ACCESS_IN_BLOCK) == 0)
    return true;
  std::array<bool, Race::kDistances> isTold{};  // one for each distance
  const auto judge = [&](Accesses each) {
    const AccessRecord before = judging.history.record(each.id);
    bool &isOne = isTold[static_cast<size_t>(Race::distance(before, judging.block.linear(), judging.warp()))];
    if (isOne) return true;
    const uint32_t lanes = unordered(before, each.lanes, judging);
    if (lanes == 0 || !conflict(before, judging)) return true;
    report(before, lanes, judging);
    isOne = true;
    return std::ranges::find(isTold, false) != isTold.end();
  };
  if (judging.access.writes())
    judging.history.forEach(some, judge);
  else
    judging.history.forEachWriting(some, judge);
  return std::ranges::find(isTold, true) == isTold.end();
}

bool RaceDetector::judgeCell(Cell &cell, const Judging &judging) {
  const uint32_t traits = judging.access.traits;
  judged_ = &cell;
  // Those who hand a turn to each other write what they have waited for.
  const bool isTurn = (traits & HW_ACCESS_VOLATILE) != 0 && judging.access.writes() &&
                      (judging.history.traits(cell.others) & HW_ACCESS_POLLS) != 0;
  return (isTurn || cell.write.none() || judgeAgainst(cell.write, judging)) &&
         (cell.others.none() || judgeAgainst(cell.others, judging)) && judgeProxy(cell.write, judging);
}

// withoutOwnReads(): code that computes what compare-and-swap shall write begins with a plain read of the place. It
// does no harm: what it gives counts only if the swap finds the same.
Accesses RaceDetector::withoutOwnReads(Accesses others, const Judging &judging) {
  const auto isOwnRead = [&](Accesses each) {
    const AccessRecord &record = judging.history.record(each.id);
    return record.block == judging.block.linear() && record.launch == judging.block.launch() &&
           record.warp == judging.warp() && (each.lanes & judging.mine.lanes) != 0 && !record.isAtomic() &&
           !record.isInFlight();
  };
  std::vector<Accesses> rest;
  bool isChanged = false;
  judging.history.forEach(others, [&](Accesses each) {
    if (isOwnRead(each)) {
      isChanged = true;
      each.lanes &= ~judging.mine.lanes;
    }
    if (each.lanes != 0) rest.push_back(each);
    return true;
  });
  return isChanged ? setOf(judging.history, rest) : others;
}

Accesses RaceDetector::setOf(AccessHistory &history, const std::vector<Accesses> &lastFirst) {
  Accesses set;
  for (size_t i = lastFirst.size(); i-- > 0;) set = history.with(set, lastFirst[i]);
  return set;
}

// withMine() adds an access to others of the kind. What is known to the thread, later accesses need not be compared
// with if they are with this one: reads stand for reads, and atomic accesses for atomic ones. An update whose result is
// used stands for those that it has seen, too. What grids have done that are over comes before all that others do.
Accesses RaceDetector::withMine(Accesses others, const Judging &judging) {
  if (others.none() || others == judging.mine) return judging.mine;
  const Access &mine = judging.access;
  const bool sees = mine.isAtomic() && mine.reads() && mine.writes() && (mine.traits & HW_ACCESS_RESULT_UNUSED) == 0;
  const auto isNeeded = [&](Accesses each) {
    const AccessRecord &record = judging.history.record(each.id);
    if (notes_[record.launch].hasEnded) return false;
    if (record.isAtomic() != mine.isAtomic() || (record.writes() && !mine.writes())) return true;
    return !sees && notBefore(record, each.lanes, judging) != 0;
  };
  const auto isMine = [&](Accesses each) { return each.id == judging.mine.id; };
  // To look through all would take a time that grows with the square of their number where the last one is never
  // needed: where each thread reads a word at two places.
  const bool looksThrough =
      others.isSet && (sees ? !isNeeded(judging.history.last(others)) : !judging.history.mayGrow(others));
  if (looksThrough && !isMine(judging.history.last(others))) {
    std::vector<Accesses> rest;
    judging.history.forEach(others, [&](Accesses each) {
      if (isNeeded(each)) rest.push_back(each);
      return true;
    });
    return judging.history.with(setOf(judging.history, rest), judging.mine);
  }
  while (others.isSet && !isMine(judging.history.last(others)) && !isNeeded(judging.history.last(others)))
    others = judging.history.before(others);
  const Accesses last = others.isSet ? judging.history.last(others) : others;
  const Accesses before = others.isSet ? judging.history.before(others) : Accesses{};
  if (isMine(last)) {
    if ((last.lanes | judging.mine.lanes) == last.lanes) return others;
    return judging.history.with(before, {.id = last.id, .isSet = 0, .lanes = last.lanes | judging.mine.lanes});
  }
  return judging.history.with(isNeeded(last) ? others : before, judging.mine);
}

void RaceDetector::note(Cell &cell, const Judging &judging) {
  if (judging.access.isAtomic() || !judging.access.writes())
    cell.others = withMine(cell.others, judging);
  else
    cell = {.write = judging.mine, .others = {}};
}

Race RaceDetector::raceOf(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  BlockState &block = judging.block;
  const uint32_t thread = judging.thread;
  const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
  Race race{before,
            before.warp * 32 + lane,
            judging.access,
            thread,
            block.linear(),
            {},
            before.cluster == block.cluster(),
            block.hasPassed(before, lane),
            lucky(before, lanes, judging) != 0 || locations_.wasTold(block.thread(thread), before, lanes),
            before.isInFlight() && async_.flights().isAwaited(before.flight, lane)};
  constexpr uint32_t updates = HW_ACCESS_ATOMIC | HW_ACCESS_WRITES;
  race.isUpdatedSince = (judging.history.traits(judged_->others) & updates) == updates;
  if (const BlockState *const owner = sharedOwner(block, judging.access.start)) {
    race.shared = {owner->linear(), judging.access.start - owner->shared().start()};
    const bool isPart = before.writes() && before.bytes < judging.access.bytes;
    const bool isKnown = owner->deferred().isWritten(race.shared->offset);
    race.isUnwritten = (judged_->write.none() && !isKnown) || isPart;
  }
  return race;
}

void RaceDetector::report(const AccessRecord &before, uint32_t lanes, const Judging &judging) {
  const fibers::RuntimeSection section;
  const Race race = raceOf(before, lanes, judging);
  // A read that compare-and-swap follows is none.
  if (before.isAtomic() && !judging.access.writes() && !judging.access.isAtomic()) {
    settleHeldBack(judging.block, race.thread, nullptr);
    heldBack_.emplace(std::pair(&judging.block, race.thread), race);
    return;
  }
  tell(judging.block, race);
}

void RaceDetector::tell(const BlockState &block, const Race &race) {
  if (reportRace(race, notes_[block.launch()])) unsettle(block, Unsettled::Race);
}

void RaceDetector::settleHeldBack(BlockState &block, uint32_t thread, const Access *next) {
  if (heldBack_.empty()) return;
  const auto held = heldBack_.find({&block, thread});
  if (held == heldBack_.end()) return;
  const bool isSwap =
      next != nullptr && (next->traits & HW_ACCESS_COMPARES) != 0 && next->start == held->second.access.start;
  const fibers::RuntimeSection section;
  if (!isSwap) tell(block, held->second);
  heldBack_.erase(held);
}

void RaceDetector::settleHeldBack(BlockState &block) {
  if (heldBack_.empty()) return;
  const fibers::RuntimeSection section;
  const auto first = heldBack_.lower_bound({&block, 0}), last = heldBack_.upper_bound({&block, ~uint32_t{0}});
  for (auto held = first; held != last; ++held) tell(block, held->second);
  heldBack_.erase(first, last);
}

}  // namespace hostwarp::check
