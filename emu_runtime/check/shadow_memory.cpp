#include "emu_runtime/check/shadow_memory.h"

#include <algorithm>

namespace hostwarp::check {

void ShadowRegion::cover(uintptr_t start, size_t bytes) {
  start_ = start;
  bytes_ = bytes;
  shift_ = 2;
  cells_.assign((bytes + 3) / 4, {});
}

void ShadowRegion::split() {
  std::vector<Cell> bytes(bytes_);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = cells_[i / 4];
  cells_ = std::move(bytes);
  shift_ = 0;
}

void ShadowRegion::clear(uintptr_t address, size_t bytes) {
  forEachCell(address, bytes, [](Cell &cell) { cell = {}; });
}

ShadowMemory::Page *ShadowMemory::find(uintptr_t number) {
  const auto place = pages_.find(number);
  return place != pages_.end() ? place->second.get() : nullptr;
}

ShadowRegion &ShadowMemory::pageOf(uintptr_t address) {
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

void ShadowMemory::forget(uintptr_t address, size_t bytes) {
  while (bytes != 0) {
    const uintptr_t number = address / kPageBytes;
    const size_t part = std::min(bytes, (number + 1) * kPageBytes - address);
    if (Page *page = find(number); page != nullptr && page->generation == generation_)
      page->region.clear(address, part);
    address += part;
    bytes -= part;
  }
}

}  // namespace hostwarp::check
