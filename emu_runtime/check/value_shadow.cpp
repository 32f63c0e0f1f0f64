#include "emu_runtime/check/value_shadow.h"

#include <algorithm>
#include <cstring>

#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/value_origins.h"
#include "emu_runtime/check/written_memory.h"
#include "fibers/engine.h"
#include "fibers/sync_observer.h"

namespace hostwarp::check {

namespace {

uintptr_t pageOf(uintptr_t address) { return address / ValuePage::bytes; }

WrittenBlock *sharedAt(uintptr_t address) {
  BlockState *const block = blockOf(*hw_self());
  return block != nullptr && block->written().covers(address) ? &block->written() : nullptr;
}

}  // namespace

ValueShadow &ValueShadow::ofThread() {
  // A pointer: what a library may keep for each thread is little.
  thread_local std::unique_ptr<ValueShadow> shadow;
  if (!shadow) shadow = std::make_unique<ValueShadow>();
  return *shadow;
}

PagePart ValueShadow::look(uintptr_t address) {
  if (const auto found = locals_.find(pageOf(address)); found != locals_.end()) {
    const uintptr_t start = pageOf(address) * ValuePage::bytes;
    return {start, start + ValuePage::bytes, found->second.get()};
  }
  WrittenMemory *const memory = WrittenMemory::process();
  return memory != nullptr ? memory->partOf(address) : PagePart();
}

PagePart ValueShadow::partOf(uintptr_t address) {
  const WrittenMemory *const memory = WrittenMemory::process();
  if (memory != nullptr && memory->changes() != changes_) {
    recent_ = {};
    changes_ = memory->changes();
  }
  PagePart &known = recent_[pageOf(address) % recent_.size()];
  if (known.page != nullptr && known.holds(address, 1)) return known;
  const PagePart part = look(address);
  if (part.page != nullptr) known = part;
  return part;
}

hw_value_metadata ValueShadow::nowhere(uint64_t bytes, bool stores) {
  std::vector<ShadowLine> &place = stores ? sink_ : zeros_;
  const size_t lines = bytes / sizeof(ShadowLine) + 2;
  if (place.size() < lines) place.resize(lines);
  if (noOrigins_.size() < lines) noOrigins_.resize(lines);
  return {place.data(), reinterpret_cast<uint32_t *>(noOrigins_.data())};
}

// inPieces(): the access touches several pages.
hw_value_metadata ValueShadow::inPieces(uintptr_t address, uint64_t bytes, bool stores) {
  if (stores) {
    write(address, bytes);
    return nowhere(bytes, true);
  }
  const hw_value_metadata all = nowhere(bytes, true);
  for (uint64_t i = 0; i < bytes; ++i) {
    const hw_value_metadata one = find(address + i, 1, false);
    static_cast<uint8_t *>(all.shadow)[i] = *static_cast<uint8_t *>(one.shadow);
    if (i % 4 == 0) all.origins[i / 4] = *one.origins;
  }
  return all;
}

hw_value_metadata ValueShadow::find(uintptr_t address, uint64_t bytes, bool stores) {
  if (WrittenBlock *const shared = sharedAt(address)) {
    if (bytes > shared->end() - address) return nowhere(bytes, stores);
    return {shared->shadowOf(address), shared->originsOf(address)};
  }
  const PagePart part = partOf(address);
  if (part.page == nullptr) return nowhere(bytes, stores);
  if (!part.holds(address, bytes)) return inPieces(address, bytes, stores);
  const size_t at = address % ValuePage::bytes;
  return {part.page->shadow.data() + at, part.page->originsOf(ValueOrigins::unknown) + at / 4};
}

void ValueShadow::declare(uintptr_t address, uint64_t bytes, uint8_t shadow, uint32_t origin) {
  for (uintptr_t end = address + bytes; address < end;) {
    std::unique_ptr<ValuePage> &page = locals_[pageOf(address)];
    if (!page) page = std::make_unique<ValuePage>(0);
    const size_t at = address % ValuePage::bytes, part = std::min<size_t>(end - address, ValuePage::bytes - at);
    std::fill_n(page->shadow.begin() + at, part, shadow);
    std::fill_n(page->originsOf(ValueOrigins::unknown) + at / 4, (at % 4 + part + 3) / 4, origin);
    address += part;
  }
}

void ValueShadow::write(uintptr_t address, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) *static_cast<uint8_t *>(find(address + i, 1, true).shadow) = 0;
}

// copy(): what is copied may overlap.
void ValueShadow::copy(uintptr_t to, uintptr_t from, uint64_t bytes) {
  const bool isUpwards = to > from && to < from + bytes;
  for (uint64_t done = 0; done < bytes; ++done) {
    const uint64_t i = isUpwards ? bytes - 1 - done : done;
    const hw_value_metadata source = find(from + i, 1, false);
    const uint8_t shadow = *static_cast<const uint8_t *>(source.shadow);
    const uint32_t origin = *source.origins;
    const hw_value_metadata target = find(to + i, 1, true);
    *static_cast<uint8_t *>(target.shadow) = shadow;
    if (shadow != 0) *target.origins = origin;
  }
}

}  // namespace hostwarp::check
