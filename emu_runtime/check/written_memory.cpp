#include "emu_runtime/check/written_memory.h"

#include <algorithm>

#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/support/options.h"
#include "fibers/engine.h"

namespace hostwarp::check {

namespace {

bool notesWrites(memory::Kind kind) {
  switch (kind) {
    case memory::Kind::Device:
    case memory::Kind::Pool:
    case memory::Kind::Graph:
    case memory::Kind::Mapped:
    case memory::Kind::DeviceHeap:
      return true;
    default:
      return false;
  }
}

template <class Visit>
void forEachRow(const memory::Pitched &memory, const memory::Box &box, Visit visit) {
  for (size_t slice = 0; slice < box.depth; ++slice)
    for (size_t row = 0; row < box.height; ++row)
      visit(reinterpret_cast<uintptr_t>(memory.start) + slice * memory.slice + row * memory.pitch, slice, row);
}

}  // namespace

WrittenMemory *WrittenMemory::process() {
  static WrittenMemory *const written =
      optionText(Option::BUILD) == "checked" && !optionText(Option::CHECK_INIT).empty() ? new WrittenMemory : nullptr;
  return written;
}

bool WrittenMemory::followsValues() {
  static const bool follows = process() != nullptr && optionText(Option::CHECK_INIT) == "use";
  return follows;
}

WrittenMemory::Range WrittenMemory::rangeOf(uintptr_t address) {
  if (last_.holds(address)) return last_;
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return {};
  --next;
  if (!next->second.holds(address)) return {};
  return last_ = next->second;
}

void WrittenMemory::set(uintptr_t address, size_t bytes, bool isWritten) {
  while (bytes != 0) {
    const size_t at = address % ValuePage::bytes, part = std::min(bytes, ValuePage::bytes - at);
    const uintptr_t number = address / ValuePage::bytes;
    if (!isWritten && part == ValuePage::bytes) {
      pages_.erase(number);
    } else if (isWritten || pages_.contains(number)) {
      ValuePage &page = pages_.try_emplace(number, neverWritten).first->second;
      std::fill_n(page.shadow.begin() + at, part, isWritten ? 0 : neverWritten);
    }
    address += part;
    bytes -= part;
  }
}

std::optional<uintptr_t> WrittenMemory::findUnwritten(uintptr_t address, size_t bytes) {
  const Range range = rangeOf(address);
  if (range.end == 0) return std::nullopt;
  const uintptr_t end = address + std::min(bytes, range.end - address);
  while (address < end) {
    const size_t at = address % ValuePage::bytes, part = std::min<size_t>(end - address, ValuePage::bytes - at);
    const auto found = pages_.find(address / ValuePage::bytes);
    if (found == pages_.end()) return address;
    for (size_t i = 0; i < part; ++i)
      if (found->second.shadow[at + i] != 0) return address + i;
    address += part;
  }
  return std::nullopt;
}

std::optional<uintptr_t> WrittenMemory::firstUnwritten(uintptr_t address, size_t bytes) {
  MutexLock lock(mutex_);
  return findUnwritten(address, bytes);
}

void WrittenMemory::write(uintptr_t address, size_t bytes) {
  MutexLock lock(mutex_);
  if (rangeOf(address).end != 0) set(address, bytes, true);
}

void WrittenMemory::copyBits(uintptr_t to, uintptr_t from, size_t bytes) {
  if (rangeOf(to).end == 0) return;
  set(to, bytes, true);
  for (size_t done = 0; done < bytes;) {
    const std::optional<uintptr_t> missing = findUnwritten(from + done, bytes - done);
    if (!missing) return;
    set(to + (*missing - from), 1, false);
    done = *missing - from + 1;
  }
}

void WrittenMemory::copy(uintptr_t to, uintptr_t from, size_t bytes) {
  MutexLock lock(mutex_);
  copyBits(to, from, bytes);
}

// nameOrigins(): values that never were written come from the allocation they are in. A page has several at most.
void WrittenMemory::nameOrigins(ValuePage &page, uintptr_t start) {
  uint32_t *const origins = page.originsOf(ValueOrigins::unknown);
  auto next = ranges_.upper_bound(start);
  if (next != ranges_.begin()) --next;
  for (; next != ranges_.end() && next->first < start + ValuePage::bytes; ++next) {
    const uintptr_t from = std::max(next->first, start), to = std::min(next->second.end, start + ValuePage::bytes);
    for (uintptr_t at = from; at < to; at += 4) origins[(at - start) / 4] = next->second.origin;
  }
}

PagePart WrittenMemory::partOf(uintptr_t address) {
  MutexLock lock(mutex_);
  const Range range = rangeOf(address);
  if (range.end == 0) return {};
  const uintptr_t start = address / ValuePage::bytes * ValuePage::bytes;
  ValuePage &page = pages_.try_emplace(address / ValuePage::bytes, neverWritten).first->second;
  if (!page.origins) nameOrigins(page, start);
  return {std::max(start, range.start), std::min(start + ValuePage::bytes, range.end), &page};
}

void WrittenMemory::writeAll() {
  MutexLock lock(mutex_);
  ++changes_;
  ranges_.clear();
  pages_.clear();
  last_ = {};
}

void WrittenMemory::allocated(const memory::Allocation &allocation) {
  if (!notesWrites(allocation.kind) || allocation.shared || allocation.bytes == 0) return;
  MutexLock lock(mutex_);
  const uintptr_t end = allocation.start + allocation.bytes;
  std::erase_if(ranges_, [&](const auto &range) { return range.first < end && allocation.start < range.second.end; });
  ranges_[allocation.start] = {allocation.start, end, ValueOrigins::process().ofMemory(allocation.start)};
  set(allocation.start, allocation.bytes, false);
  for (const uintptr_t edge : {allocation.start, end - 1})
    if (const auto found = pages_.find(edge / ValuePage::bytes); found != pages_.end() && found->second.origins)
      nameOrigins(found->second, edge / ValuePage::bytes * ValuePage::bytes);
  ++changes_;
  last_ = {};
}

// released(): what streams and graphs free is taken out of the table when that is queued, and may be in use until the
// addresses are given out again.
void WrittenMemory::released(const memory::Allocation &allocation) {
  if (allocation.kind == memory::Kind::Pool || allocation.kind == memory::Kind::Graph) return;
  MutexLock lock(mutex_);
  if (ranges_.erase(allocation.start) == 0) return;
  ++changes_;
  set(allocation.start, allocation.bytes, false);
  last_ = {};
}

void WrittenMemory::filled(const memory::Pitched &to, const memory::Box &box) {
  if (box.bytes() != 0) forEachRow(to, box, [&](uintptr_t row, size_t, size_t) { write(row, box.width); });
}

void WrittenMemory::copied(const memory::Pitched &to, const memory::Pitched &from, const memory::Box &box) {
  if (box.bytes() == 0) return;
  std::optional<uintptr_t> missing;
  {
    MutexLock lock(mutex_);
    const bool leaves = rangeOf(reinterpret_cast<uintptr_t>(to.start)).end == 0;
    forEachRow(to, box, [&](uintptr_t row, size_t slice, size_t number) {
      const uintptr_t source = reinterpret_cast<uintptr_t>(from.start) + slice * from.slice + number * from.pitch;
      if (!leaves) copyBits(row, source, box.width);
      if (leaves && !missing) missing = findUnwritten(source, box.width);
    });
  }
  if (!missing) return;
  const Access access{.start = *missing, .bytes = 1, .traits = HW_ACCESS_READS, .site = nullptr};
  const fibers::RuntimeSection section;
  reportOfHost("uninitialised read",
               "a copy to the host reads the byte " + placeInMemory(access) + " which was never written",
               originOf(access), currentDoer());
}

}  // namespace hostwarp::check
