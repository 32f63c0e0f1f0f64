#include "emu_runtime/memory/freed_blocks.h"

#include <cstring>
#include <new>

#include "emu_runtime/memory/pages.h"

namespace hostwarp::memory {

FreedBlocks &FreedBlocks::process() {
  static auto *blocks = new FreedBlocks;  // static destructors of the program may still free memory
  return *blocks;
}

bool FreedBlocks::keep(const Arena &arena, const Block &block, bool onlyKernelsTouch) {
  const size_t usable = Arena::usable(block.bytes);
  if (usable > mostBytes || block.moat == 0) return false;
  MutexLock lock(mutex_);
  try {
    std::deque<Freed> &same = freed_[{&arena, usable}];
    if (same.size() >= most) return false;
    same.push_back({block, onlyKernelsTouch});
  } catch (const std::bad_alloc &) {
    return false;
  }
  if (onlyKernelsTouch)
    anyInReach_.store(true, std::memory_order_release);
  else
    pages::protect(block.start, usable, false, false);
  return true;
}

Block FreedBlocks::take(const Arena &arena, size_t usable) {
  if (usable > mostBytes) return {};
  Freed oldest;
  {
    MutexLock lock(mutex_);
    const auto same = freed_.find({&arena, usable});
    if (same == freed_.end() || same->second.size() <= between) return {};
    oldest = same->second.front();
    same->second.pop_front();
  }
  if (!oldest.isInReach) pages::protect(oldest.block.start, usable, true, true);
  std::memset(reinterpret_cast<void *>(oldest.block.start), 0, usable);  // NOLINT(performance-no-int-to-ptr)
  return oldest.block;
}

void FreedBlocks::sealAll() {
  MutexLock lock(mutex_);
  if (!anyInReach_.exchange(false)) return;
  for (auto &[key, blocks] : freed_) {
    // Those that were freed last are at the end.
    for (auto freed = blocks.rbegin(); freed != blocks.rend() && freed->isInReach; ++freed) {
      pages::protect(freed->block.start, key.second, false, false);
      freed->isInReach = false;
    }
  }
}

}  // namespace hostwarp::memory
