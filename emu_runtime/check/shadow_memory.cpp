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

void ShadowMemory::clear() {
  history_.clear();
  ++generation_;
}

void ShadowMemory::forget(uintptr_t address, size_t bytes) {
  while (bytes != 0) {
    const uintptr_t number = address / kPageBytes;
    const size_t part = std::min(bytes, (number + 1) * kPageBytes - address);
    if (Page *page = pages_.find(number); page != nullptr && page->generation == generation_) {
      if (part == kPageBytes)
        page->generation = 0;
      else
        page->region.clear(address, part);
    }
    address += part;
    bytes -= part;
  }
}

}  // namespace hostwarp::check
