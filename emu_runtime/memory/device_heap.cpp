#include "emu_runtime/memory/device_heap.h"

#include <algorithm>
#include <cstring>

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/pages.h"
#include "emu_runtime/support/options.h"
#include "fibers/sync_observer.h"

namespace hostwarp::memory {

namespace {

constexpr size_t leastAlignment = 16;
constexpr int freedByte = 0xDD;             // a recognisable value for reads of freed memory
constexpr size_t poisonedBytes = 64 << 10;  // not more: freeing has to stay cheap

// isChecked(): accesses are looked up, those of the heap too.
bool isChecked() {
  static const bool checked = optionText(Option::BUILD) == "checked";
  return checked;
}

}  // namespace

DeviceHeap::~DeviceHeap() {
  if (block_) arena_.free(block_);
}

bool DeviceHeap::setSize(size_t bytes) {
  MutexLock lock(mutex_);
  if (block_) return bytes == size_;
  size_ = bytes;
  return true;
}

size_t DeviceHeap::size() const {
  MutexLock lock(mutex_);
  return size_;
}

bool DeviceHeap::openOnce() {
  if (block_) return true;
  block_ = arena_.allocate(size_);
  if (!block_) return false;
  ranges_ = RangeAllocator(block_.start, block_.bytes);
  return true;
}

void *DeviceHeap::allocate(size_t bytes, size_t alignment) {
  MutexLock lock(mutex_);
  if (bytes > size_ || alignment > size_ || (alignment & (alignment - 1)) || !openOnce()) return nullptr;
  const size_t taken = pages::roundUp(std::max(bytes, leastAlignment), leastAlignment);
  const uintptr_t start = ranges_.take(taken, std::max(alignment, leastAlignment));
  if (!start) return nullptr;
  live_.emplace(start, taken);
  auto *const memory = reinterpret_cast<void *>(start);  // NOLINT(performance-no-int-to-ptr)
  if (isChecked()) AllocationTable::ofHeaps().add({start, bytes, Kind::DeviceHeap, 0, 0, {}});
  if (fibers::syncObserver != nullptr) fibers::syncObserver->getsMemory(memory, bytes);
  return memory;
}

bool DeviceHeap::free(void *pointer) {
  if (!pointer) return true;
  MutexLock lock(mutex_);
  auto found = live_.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == live_.end()) return false;
  std::memset(pointer, freedByte, std::min(found->second, poisonedBytes));
  if (isChecked()) AllocationTable::ofHeaps().take(pointer, [](const Allocation &) { return true; });
  ranges_.give(found->first, found->second);
  live_.erase(found);
  return true;
}

}  // namespace hostwarp::memory
