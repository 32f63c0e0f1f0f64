#include "emu_runtime/check/shadow_memory.h"

#include <algorithm>
#include <utility>

namespace hostwarp::check {

namespace {

// lanesOf() is what a chunk that is one cell, and begins there, says of the bytes at the offset.
Accesses laneOf(Accesses row, uintptr_t chunk, size_t offset) {
  if (row.none() || !Row(row.lanes).covers(offset)) return {};
  const uint32_t thread = Row(row.lanes).threadAt(chunk + offset);
  return {.id = row.id / Accesses::kWarps * Accesses::kWarps + thread / 32, .isSet = 0, .lanes = 1u << thread % 32};
}

Accesses lanesOf(AccessHistory &history, Accesses rows, uintptr_t chunk, size_t offset) {
  if (!rows.isSet) return laneOf(rows, chunk, offset);
  const Accesses before = lanesOf(history, history.before(rows), chunk, offset);
  const Accesses each = laneOf(history.last(rows), chunk, offset);
  if (each.none()) return before;
  const Accesses last = before.isSet ? history.last(before) : before;
  if (last.id != each.id) return history.with(before, each);
  return history.with(before.isSet ? history.before(before) : Accesses{},
                      {.id = each.id, .isSet = 0, .lanes = last.lanes | each.lanes});
}

bool isNarrow(AccessHistory &history, Accesses rows) {
  bool isNarrow = false;
  history.forEach(rows, [&](Accesses row) { return !(isNarrow = Row(row.lanes).bytes() < 4); });
  return isNarrow;
}

}  // namespace

void ShadowRegion::cover(AccessHistory &history, uintptr_t start, size_t bytes) {
  history_ = &history;
  start_ = start;
  bytes_ = bytes;
  chunks_.assign((bytes + Chunk::kBytes - 1) / Chunk::kBytes, {});
  cells_.assign(1, {});
  free_ = {};
}

void ShadowRegion::coverAlike(AccessHistory &history, uintptr_t start, size_t bytes) {
  if (bytes != bytes_) return cover(history, start, bytes);
  history_ = &history;
  start_ = start;
  for (Chunk &chunk : chunks_)
    if (chunk.isOne()) chunk = {};
  std::ranges::fill(cells_, Cell{});
}

uint32_t ShadowRegion::takeCells(size_t unit) {
  std::vector<uint32_t> &free = free_[unit == 1];
  if (free.empty()) {
    cells_.resize(cells_.size() + Chunk::kBytes / unit);
    return static_cast<uint32_t>(cells_.size() - Chunk::kBytes / unit);
  }
  const uint32_t cells = free.back();
  free.pop_back();
  return cells;
}

size_t ShadowRegion::splitFurther(Chunk &chunk, uintptr_t start, size_t unit) {
  const bool wasOne = chunk.isOne();
  const Cell whole = chunk.whole_;
  if (wasOne && whole.write.none() && whole.others.none()) {
    const uint32_t cells = takeCells(unit);
    std::fill_n(&cells_[cells], Chunk::kBytes / unit, Cell{});
    chunk.whole_.write = {.id = cells, .isSet = 1, .lanes = static_cast<uint32_t>(unit)};
    return unit;
  }
  if (wasOne && (isNarrow(*history_, whole.write) || isNarrow(*history_, whole.others))) unit = 1;
  const uint32_t cells = takeCells(unit);
  for (size_t i = 0; i < Chunk::kBytes / unit; ++i)
    cells_[cells + i] = wasOne ? Cell{lanesOf(*history_, whole.write, start, i * unit),
                                      lanesOf(*history_, whole.others, start, i * unit)}
                               : cellsOf(chunk)[i * unit / unitOf(chunk)];
  if (!wasOne) join(chunk);
  chunk.whole_ = {.write = {.id = cells, .isSet = 1, .lanes = static_cast<uint32_t>(unit)}, .others = {}};
  return unit;
}

void ShadowRegion::join(Chunk &chunk) {
  free_[unitOf(chunk) == 1].push_back(chunk.whole_.write.id);
  chunk.whole_ = {};
}

void ShadowRegion::clear(uintptr_t address, size_t bytes) {
  forEachCell(address, bytes, [](Cell &cell, uintptr_t) { cell = {}; });
}

void ShadowMemory::begin(Page &page, uintptr_t number) {
  page.region.cover(history_, number * kPageBytes, kPageBytes);
  page.generation = generation_;
}

void ShadowMemory::beginWrites(Page &page, uintptr_t number, Past past) {
  page.written = epoch_;
  if (page.readsSince != epoch_) return;
  page.readsSince = 0;
  for (const ReadLog::Read &read : reads_.readsOf(page.lastRead))
    for (uint32_t rest = read.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const uint32_t at = read.offset + (lane - static_cast<uint32_t>(std::countr_zero(read.lanes))) * read.stride;
      page.region.forEachCell(number * kPageBytes + at, read.bytes, [&](Cell &cell, uintptr_t) {
        note(cell, {.id = read.id, .isSet = 0, .lanes = 1u << lane}, past);
      });
    }
}

// note(): nobody has written there, or has done so before.
void ShadowMemory::note(Cell &cell, Accesses read, Past past) {
  if (past.holds(cell.others)) return static_cast<void>(cell.others = read);
  Accesses last = cell.others.isSet ? history_.last(cell.others) : cell.others;
  if (last.id != read.id) {
    if (!isEnough(cell.others)) cell.others = history_.with(cell.others, read);
    return;
  }
  if ((last.lanes | read.lanes) == last.lanes) return;
  last.lanes |= read.lanes;
  cell.others = cell.others.isSet ? history_.with(history_.before(cell.others), last) : last;
}

// isEnough(): who writes there races with one of the last two if with any; see LanePass.
bool ShadowMemory::isEnough(Accesses readers) const {
  if (!readers.isSet) return false;
  constexpr uint32_t meet = HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES;
  const Accesses rest = history_.before(readers);
  const AccessRecord &last = history_.recordOfAll(history_.last(readers).id);
  const AccessRecord &before = history_.recordOfAll(rest.isSet ? history_.last(rest).id : rest.id);
  return last.block != before.block && last.launch == before.launch && (last.traits & before.traits & meet) == meet;
}

void ShadowMemory::clear() {
  history_.clear();
  ++generation_;
}

void ShadowMemory::forget(uintptr_t address, size_t bytes) {
  while (bytes != 0) {
    const uintptr_t number = address / kPageBytes;
    const size_t part = std::min(bytes, (number + 1) * kPageBytes - address);
    if (Page *page = pages_.find(number)) {
      if (part == kPageBytes)
        page->generation = page->written = page->readsSince = 0;
      else if (page->generation == generation_ || page->readsSince == epoch_)
        regionOf(address, true, {}).clear(address, part);
    }
    address += part;
    bytes -= part;
  }
}

}  // namespace hostwarp::check
