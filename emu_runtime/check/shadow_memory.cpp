#include "emu_runtime/check/shadow_memory.h"

#include <algorithm>
#include <utility>

namespace hostwarp::check {

namespace {

// laneOf() and lanesOf() are what a chunk that is one cell says of the bytes at the offset.
Accesses laneOf(Accesses row, size_t offset) {
  row.lanes = 1u << Row(row.lanes).laneAt(offset);
  return row;
}

Accesses lanesOf(AccessHistory &history, Accesses rows, size_t offset) {
  if (rows.none()) return rows;
  if (!rows.isSet) return laneOf(rows, offset);
  const Accesses before = lanesOf(history, history.before(rows), offset);
  const Accesses each = laneOf(history.last(rows), offset);
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

void ShadowRegion::cover(uintptr_t start, size_t bytes) {
  start_ = start;
  bytes_ = bytes;
  chunks_.assign((bytes + Chunk::kBytes - 1) / Chunk::kBytes, {});
  cells_.assign(1, {});
  free_ = {};
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

size_t ShadowRegion::splitFurther(AccessHistory &history, Chunk &chunk, size_t unit) {
  const bool wasOne = chunk.isOne();
  const Cell whole = chunk.whole_;
  if (wasOne && (isNarrow(history, whole.write) || isNarrow(history, whole.others))) unit = 1;
  const uint32_t cells = takeCells(unit);
  for (size_t i = 0; i < Chunk::kBytes / unit; ++i)
    cells_[cells + i] = wasOne ? Cell{lanesOf(history, whole.write, i * unit), lanesOf(history, whole.others, i * unit)}
                               : cellsOf(chunk)[i * unit / unitOf(chunk)];
  if (!wasOne) join(chunk);
  chunk.whole_ = {.write = {.id = cells, .isSet = 1, .lanes = static_cast<uint32_t>(unit)}, .others = {}};
  return unit;
}

void ShadowRegion::join(Chunk &chunk) {
  free_[unitOf(chunk) == 1].push_back(chunk.whole_.write.id);
  chunk.whole_ = {};
}

void ShadowRegion::clear(AccessHistory &history, uintptr_t address, size_t bytes) {
  forEachCell(history, address, bytes, [](Cell &cell, uintptr_t) { cell = {}; });
}

ShadowMemory::Page *ShadowMemory::find(uintptr_t number) {
  const auto place = pages_.find(number);
  return place != pages_.end() ? place->second.get() : nullptr;
}

ShadowRegion &ShadowMemory::regionOf(uintptr_t address) {
  const uintptr_t number = address / kPageBytes;
  auto &[knownNumber, page] = recent_[number % recent_.size()];
  if (page == nullptr || knownNumber != number) {
    std::unique_ptr<Page> &made = pages_[number];
    if (!made) made = std::make_unique<Page>();
    knownNumber = number;
    page = made.get();
  }
  if (page->generation != generation_) {
    page->region.cover(number * kPageBytes, kPageBytes);
    page->generation = generation_;
  }
  return page->region;
}

void ShadowMemory::forget(AccessHistory &history, uintptr_t address, size_t bytes) {
  while (bytes != 0) {
    const uintptr_t number = address / kPageBytes;
    const size_t part = std::min(bytes, (number + 1) * kPageBytes - address);
    if (Page *page = find(number); page != nullptr && page->generation == generation_) {
      if (part == kPageBytes)
        page->generation = 0;
      else
        page->region.clear(history, address, part);
    }
    address += part;
    bytes -= part;
  }
}

}  // namespace hostwarp::check
