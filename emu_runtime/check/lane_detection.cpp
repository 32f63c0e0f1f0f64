// What RaceDetector does with accesses that many threads make at once.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "emu_runtime/check/lane_pass.h"
#include "emu_runtime/check/race_detector.h"
#include "emu_runtime/order/work.h"

namespace hostwarp::check {

namespace {

// std::has_single_bit() is a call where processors need not count bits.
bool isPowerOfTwo(uint64_t number) { return (number & (number - 1)) == 0; }

// isSilent(): the access orders nothing, and hands nothing on.
bool isSilent(uint32_t traits) {
  constexpr uint32_t mayTalk = HW_ACCESS_VOLATILE | HW_ACCESS_ATOMIC;
  return (traits & mayTalk) == 0 || (traits & HW_ACCESS_SILENT) != 0;
}

}  // namespace

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

// isQuick(): one record is enough for what the lanes do, and a look at the cells.
bool RaceDetector::isQuick(BlockState &block, uint32_t warp, uint32_t lanes, uint32_t traits) {
  constexpr uint32_t special = HW_ACCESS_COMPARES | HW_ACCESS_IN_BLOCK;
  return (traits & special) == 0 && block.lookAlike(warp, lanes) && isSilent(traits);
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
  constexpr uint32_t special = HW_ACCESS_COMPARES | HW_ACCESS_IN_BLOCK | HW_ACCESS_ATOMIC;
  const uint32_t fromLowest = call.lanes >> std::countr_zero(call.lanes);
  return call.addresses == nullptr && static_cast<uint64_t>(call.stride) == call.bytes && call.count == 1 &&
         (call.traits & special) == 0 && isSilent(call.traits) && (fromLowest & (fromLowest + 1)) == 0 &&
         call.bytes <= Chunk::kBytes && isPowerOfTwo(call.bytes) && (call.start & (call.bytes - 1)) == 0;
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
    const bool goesOn = region.inChunk(stop - 1) == Chunk::kBytes - 1;
    record.trail = {.first = region.covers(first) ? first : 0,
                    .next = stop,
                    .end = at + region.bytesFrom(at),
                    .thread = call.thread + call.last() + 1,
                    .code = row.code(),
                    .chunk = goesOn ? &region.chunkAt(stop - 1) + 1 : nullptr,
                    .allocations = allocations};
    while (at < stop) {
      const size_t from = region.inChunk(at), part = std::min<size_t>(stop - at, Chunk::kBytes - from);
      Chunk &chunk = region.chunkAt(at);
      const size_t whole = from == 0 ? (stop - at) / Chunk::kBytes : 0;
      if (whole != 0)
        accessChunks(block, call, pass, row, {&chunk, whole}, at);
      else if (!chunk.isOne() || !pass.note(chunk.whole(), row.part(from, from + part)))
        accessSlowly(block, call, at, at + part);
      at += whole != 0 ? whole * Chunk::kBytes : part;
    }
  }
  return true;
}

// accessChunks() is for whole chunks of a row, which begin at the address.
void RaceDetector::accessChunks(BlockState &block, const LaneCall &call, LanePass &pass, Row row,
                                std::span<Chunk> chunks, uintptr_t address) {
  const size_t count = chunks.size();
  for (size_t done = 0; (done += pass.noteEach(chunks.data() + done, count - done, row)) < count; ++done) {
    Chunk &chunk = chunks[done];
    const uintptr_t at = address + done * Chunk::kBytes;
    if (!chunk.isOne() || !pass.note(chunk.whole(), row)) accessSlowly(block, call, at, at + Chunk::kBytes);
  }
}

bool RaceDetector::accessOnTrail(BlockState &block, const LaneCall &call, uint64_t allocations) {
  RecentRecord *const record = block.knownRowRecord(global_.history(), call.traits, call.site);
  if (record == nullptr || record->trail.chunk == nullptr) return false;
  RowTrail &trail = record->trail;
  const uint32_t lanes = call.last() + 1;
  const uint64_t bytes = call.bytes * lanes;
  // A loop of the threads comes to the same row again.
  const bool isAgain = call.start == trail.first && trail.next - trail.first == bytes;
  if (!isAgain && (call.start != trail.next || bytes > trail.end - trail.next)) return false;
  if (call.thread + (isAgain ? lanes : 0) != trail.thread || call.addresses != nullptr || call.count != 1 ||
      static_cast<uint64_t>(call.stride) != call.bytes || (call.lanes & (call.lanes + 1)) != 0 ||
      call.bytes != Row(trail.code).bytes() || bytes % Chunk::kBytes != 0 || allocations != trail.allocations)
    return false;
  // A loop within the threads comes to the same row with nothing in between.
  if (isAgain && lastOnTrail_ == record) return true;
  lastOnTrail_ = record;
  if (block.part() != nullptr) block.part()->access(call.start, bytes, call.traits, call.site);
  const size_t count = bytes / Chunk::kBytes;
  LanePass pass(block, global_.history(), notes_[block.launch()].past, 0, *record, record->rows);
  Chunk *const chunks = isAgain ? trail.chunk - count : trail.chunk;
  if (!isAgain)
    trail = {call.start, trail.next + bytes, trail.end, trail.thread + lanes, trail.code, chunks + count, allocations};
  accessChunks(block, call, pass, Row(trail.code), {chunks, count}, call.start);
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

void RaceDetector::readsConstants(BlockState &block, const LaneCall &call) {
  if (block.part() == nullptr) return;
  call.forEachTurn([&](const LaneCall &turn) {
    turn.forEachWarp([&](const LaneAccesses &all) { tellOperation(block, all); });
    return true;
  });
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
    if (isGlobal() && mayBePutOff() &&
        detector_.global_.putOff(accesses_.start, accesses_.bytes, 0, ofLanes().id, accesses_.lanes))
      return;
    visit(accesses_.start, [&](Cell &cell, uintptr_t) {
      if (!lanes().note(cell, accesses_.lanes)) accesses_.forEach([&](uint32_t lane) { judge(cell, lane); });
    });
  }

  void oneByOne() {
    const uint32_t rest = isGlobal() && mayBePutOff() ? notPutOff() : accesses_.lanes;
    if (accesses_.addresses != nullptr && isGlobal()) askForCells(rest);
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

  bool isGlobal() const { return &history_ == &detector_.global_.history(); }
  bool mayBePutOff() { return (accesses_.traits & (HW_ACCESS_WRITES | HW_ACCESS_ATOMIC)) == 0 && ofLanes().isPlain; }
  // notPutOff() is the lanes whose reads have to be looked at, since somebody may have written there.
  uint32_t notPutOff() {
    uint32_t rest = 0;
    const uint32_t record = ofLanes().id;
    ShadowMemory &memory = detector_.global_;
    if (accesses_.addresses == nullptr && accesses_.stride > 0 &&
        memory.putOff(accesses_.startOf(accesses_.lowest()), accesses_.bytes, static_cast<uint64_t>(accesses_.stride),
                      record, accesses_.lanes))
      return 0;
    forEachOf(accesses_.lanes, [&](uint32_t lane, uintptr_t at) {
      if (!memory.putOff(at, accesses_.bytes, 0, record, 1u << lane)) rest |= 1u << lane;
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

}  // namespace hostwarp::check
