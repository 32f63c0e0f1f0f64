#include "emu_runtime/memory/allocation_table.h"

#include <iterator>

#include "emu_runtime/memory/memory_observer.h"

namespace hostwarp::memory {

AllocationTable &AllocationTable::process() {
  static auto *table = new AllocationTable;
  return *table;
}

AllocationTable &AllocationTable::ofHeaps() {
  static auto *table = new AllocationTable;
  return *table;
}

void AllocationTable::add(const Allocation &allocation) {
  WriterLock lock(mutex_);
  const uintptr_t end = allocation.start + (allocation.bytes ? allocation.bytes : 1);
  auto next = allocations_.lower_bound(allocation.start);
  if (next != allocations_.begin() && std::prev(next)->second.contains(allocation.start)) --next;
  while (next != allocations_.end() && next->first < end) next = allocations_.erase(next);
  allocations_.emplace(allocation.start, allocation);
  if (memoryObserver != nullptr) memoryObserver->allocated(allocation);
  changes_.fetch_add(1, std::memory_order_release);
}

void AllocationTable::noteTaken(const Allocation &allocation) {
  constexpr size_t most = 4096;
  changes_.fetch_add(1, std::memory_order_release);
  if (memoryObserver != nullptr) memoryObserver->released(allocation);
  if (!keepsFreed_) return;
  // Not what the allocation holds on to: that shall go.
  Allocation kept;
  kept.start = allocation.start;
  kept.bytes = allocation.bytes;
  kept.kind = allocation.kind;
  kept.device = allocation.device;
  freed_.push_front(std::move(kept));
  if (freed_.size() > most) freed_.pop_back();
}

AllocationTable::Neighbours AllocationTable::neighboursOf(const void *address) const {
  ReaderLock lock(mutex_);
  Neighbours neighbours;
  const auto next = allocations_.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (next != allocations_.end()) neighbours.above = next->second;
  if (next != allocations_.begin()) neighbours.below = std::prev(next)->second;
  return neighbours;
}

std::optional<Allocation> AllocationTable::findFreed(const void *address) const {
  ReaderLock lock(mutex_);
  for (const Allocation &allocation : freed_)
    if (allocation.contains(reinterpret_cast<uintptr_t>(address))) return allocation;
  return std::nullopt;
}

AllocationTable::Map::const_iterator AllocationTable::locate(uintptr_t address) const {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return allocations_.end();
  --next;
  return next->second.contains(address) ? next : allocations_.end();
}

std::optional<Allocation> AllocationTable::find(const void *address) const {
  ReaderLock lock(mutex_);
  auto found = locate(reinterpret_cast<uintptr_t>(address));
  if (found == allocations_.end()) return std::nullopt;
  return found->second;
}

bool AllocationTable::overlaps(const void *address, size_t bytes) const {
  const auto start = reinterpret_cast<uintptr_t>(address);
  ReaderLock lock(mutex_);
  if (locate(start) != allocations_.end()) return true;
  auto next = allocations_.lower_bound(start);
  return next != allocations_.end() && next->first - start < bytes;
}

std::optional<Allocation> AllocationTable::take(const void *address,
                                                const std::function<bool(const Allocation &)> &accept) {
  WriterLock lock(mutex_);
  auto found = allocations_.find(reinterpret_cast<uintptr_t>(address));
  if (found == allocations_.end() || !accept(found->second)) return std::nullopt;
  Allocation taken = found->second;
  allocations_.erase(found);
  noteTaken(taken);
  return taken;
}

std::vector<Allocation> AllocationTable::all() const {
  ReaderLock lock(mutex_);
  std::vector<Allocation> all;
  for (const auto &[start, allocation] : allocations_) all.push_back(allocation);
  return all;
}

std::vector<Allocation> AllocationTable::takeAll(const std::function<bool(const Allocation &)> &accept) {
  std::vector<Allocation> taken;
  WriterLock lock(mutex_);
  std::erase_if(allocations_, [&](const auto &entry) {
    if (!accept(entry.second)) return false;
    taken.push_back(entry.second);
    return true;
  });
  for (const Allocation &allocation : taken) noteTaken(allocation);
  return taken;
}

}  // namespace hostwarp::memory
