#include "emu_runtime/memory/pool.h"

#include <algorithm>
#include <new>

#include "emu_runtime/memory/pages.h"

namespace hostwarp::memory {

namespace {

// Blocks of few sizes fit more later requests.
constexpr size_t granularity = 4096;

// A much larger block is better kept for a larger request.
bool fits(size_t block, size_t bytes) { return bytes <= block && block <= 2 * bytes; }

}  // namespace

void *Pool::allocate(size_t bytes, const StreamIdentity &stream) {
  if (bytes > allocator_.budget().limit()) return nullptr;
  const size_t rounded = pages::roundUp(bytes, granularity);
  if (rounded < bytes) return nullptr;  // beyond all numbers
  Block block = takeFreeing(rounded, stream);
  if (!block) block = takeCached(rounded);
  if (!block) {
    {
      std::lock_guard lock(mutex_);
      if (most_ && statistics_.reserved + rounded > most_) return nullptr;
    }
    block = allocator_.take(rounded);
    if (!block) {
      trimTo(0);  // what is cached in other sizes may be what is missing
      block = allocator_.take(rounded);
    }
    if (!block) return nullptr;
    countReserved(block);
  }
  const unsigned flags = kind_ == Kind::Managed ? cudaMemAttachGlobal : 0;
  const Allocation allocation{block.start, bytes, kind_, device_, flags, block, shared_from_this()};
  countUsed(bytes);
  try {
    AllocationTable::process().add(allocation);
  } catch (const std::bad_alloc &) {
    recycle(allocation);
    return nullptr;
  }
  return reinterpret_cast<void *>(block.start);  // NOLINT(performance-no-int-to-ptr)
}

Block Pool::takeFreeing(size_t bytes, const StreamIdentity &stream) {
  if (!stream) return {};
  std::lock_guard lock(mutex_);
  auto found = freeing_.lower_bound({stream, bytes});
  if (found == freeing_.end() || found->first.first != stream || !fits(found->first.second, bytes)) return {};
  const FreeingRef freeing = found->second;
  freeing_.erase(found);
  freeing->reused = true;
  freeing->stream.reset();
  statistics_.used -= freeing->allocation.bytes;
  return freeing->allocation.block;
}

Block Pool::takeCached(size_t bytes) {
  std::lock_guard lock(mutex_);
  auto found = cached_.lower_bound(bytes);
  if (found == cached_.end() || !fits(found->first, bytes)) return {};
  const Block block = found->second;
  cached_.erase(found);
  return block;
}

void Pool::countReserved(const Block &block) {
  std::lock_guard lock(mutex_);
  statistics_.reserved += block.bytes;
  statistics_.reservedHigh = std::max(statistics_.reservedHigh, statistics_.reserved);
}

void Pool::countUsed(size_t bytes) {
  std::lock_guard lock(mutex_);
  statistics_.used += bytes;
  statistics_.usedHigh = std::max(statistics_.usedHigh, statistics_.used);
}

void Pool::offer(const FreeingRef &freeing, StreamIdentity stream) {
  if (kind_ == Kind::Managed) return;  // the memory's advice goes with it when the free is executed
  std::lock_guard lock(mutex_);
  try {
    freeing_.emplace(FreeingKey{stream, freeing->allocation.block.bytes}, freeing);
    freeing->stream = std::move(stream);
  } catch (const std::bad_alloc &) {
    // It is recycled all the same when the free is executed.
  }
}

bool Pool::withdraw(const FreeingRef &freeing) {
  std::lock_guard lock(mutex_);
  // The free is an operation of the stream, which would be kept by it.
  const StreamIdentity stream = std::exchange(freeing->stream, nullptr);
  if (freeing->reused) return false;
  const auto [first, last] = freeing_.equal_range({stream, freeing->allocation.block.bytes});
  const auto found = std::find_if(first, last, [&](const auto &entry) { return entry.second == freeing; });
  if (found != last) freeing_.erase(found);
  return true;
}

void Pool::recycle(const Allocation &allocation) {
  const Block &block = allocation.block;
  std::lock_guard lock(mutex_);
  statistics_.used -= allocation.bytes;
  try {
    cached_.emplace(block.bytes, block);
  } catch (const std::bad_alloc &) {
    // What cannot be kept goes back to the device.
    statistics_.reserved -= block.bytes;
    allocator_.give(block);
  }
}

void Pool::trimTo(size_t keep) {
  std::lock_guard lock(mutex_);
  while (statistics_.reserved > keep && !cached_.empty()) {
    auto largest = std::prev(cached_.end());
    statistics_.reserved -= largest->second.bytes;
    allocator_.give(largest->second);
    cached_.erase(largest);
  }
}

Pool::Statistics Pool::statistics() const {
  std::lock_guard lock(mutex_);
  return statistics_;
}

void Pool::resetReservedHigh() {
  std::lock_guard lock(mutex_);
  statistics_.reservedHigh = statistics_.reserved;
}

void Pool::resetUsedHigh() {
  std::lock_guard lock(mutex_);
  statistics_.usedHigh = statistics_.used;
}

uint64_t Pool::releaseThreshold() const {
  std::lock_guard lock(mutex_);
  return releaseThreshold_;
}

void Pool::setReleaseThreshold(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  releaseThreshold_ = bytes;
}

int Pool::reusePolicy(int index) const {
  std::lock_guard lock(mutex_);
  return reusePolicies_[index];
}

void Pool::setReusePolicy(int index, int value) {
  std::lock_guard lock(mutex_);
  reusePolicies_[index] = value;
}

int Pool::access(int device) const {
  constexpr int everything = 3;  // cudaMemAccessFlagsProtReadWrite
  if (kind_ == Kind::Managed || (kind_ == Kind::Pool && device == device_)) return everything;
  std::lock_guard lock(mutex_);
  auto found = access_.find(device);
  return found == access_.end() ? 0 : found->second;
}

void Pool::setAccess(int device, int flags) {
  std::lock_guard lock(mutex_);
  access_[device] = flags;
}

std::vector<int> Pool::sharers() const {
  std::lock_guard lock(mutex_);
  std::vector<int> devices;
  for (const auto &[device, flags] : access_)
    if (flags && (device != device_ || kind_ != Kind::Pool)) devices.push_back(device);
  return devices;
}

}  // namespace hostwarp::memory
