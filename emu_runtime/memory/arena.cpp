#include "emu_runtime/memory/arena.h"

#include <new>

#include "emu_runtime/memory/pages.h"

namespace hostwarp::memory {

namespace {

// A program that reads slightly past its array works on a GPU, where neighbours share large pages: a stencil reads the
// row above the first one, and drops it. It works here too. Finding such reads is the checkers' business; a write there
// is an error that the program hears of. This many bytes right behind a block are part of it.
constexpr size_t slack = 512;
constexpr size_t moatBytes = size_t{64} << 10;

// Every moat is a mapping of its own, and Linux allows a process 65530 of them.
constexpr size_t guardedBlocks = 12000;

constexpr size_t largeBlock = size_t{4} << 20;
constexpr size_t largeAlignment = size_t{2} << 20;  // lets the system back large blocks with huge pages

void *pointer(uintptr_t address) { return reinterpret_cast<void *>(address); }  // NOLINT(performance-no-int-to-ptr)

}  // namespace

size_t Arena::usable(size_t bytes) { return pages::roundUp(bytes + slack, pages::size()); }

bool Arena::reserveOnce() {
  if (reserved_) return true;
  // An address-space limit (ulimit -v) may allow less than the wanted size.
  for (size_t bytes = bytes_; bytes >= size_t{64} << 20; bytes /= 2) {
    void *base = pages::reserve(wanted_, bytes);
    if (!base) continue;
    const auto start = reinterpret_cast<uintptr_t>(base);
    try {
      ranges_ = RangeAllocator(start, bytes);
      return reserved_ = true;
    } catch (const std::bad_alloc &) {
      pages::unreserve(start, bytes);
      return false;
    }
  }
  return false;
}

uintptr_t Arena::take(size_t bytes, size_t alignment, size_t lead) {
  try {
    return ranges_.take(bytes, alignment, lead);
  } catch (const std::bad_alloc &) {
    return 0;
  }
}

Block Arena::allocate(size_t bytes, size_t alignment) {
  const Block block = reserve(bytes, alignment);
  if (!block || commit(block)) return block;
  free(block);
  return {};
}

Block Arena::reserve(size_t bytes, size_t alignment) {
  if (bytes > bytes_) return {};
  const size_t page = pages::size();
  if (bytes >= largeBlock && alignment < largeAlignment) alignment = largeAlignment;
  if (alignment < page) alignment = page;

  MutexLock lock(mutex_);
  if (!reserveOnce()) return {};
  Block block;
  block.bytes = bytes;
  block.moat = blocks_ < guardedBlocks ? moatBytes : 0;
  block.reserved = usable(bytes) + block.moat;
  const uintptr_t base = take(block.moat + block.reserved, alignment, block.moat);
  if (base == 0) return {};
  block.start = base + block.moat;
  ++blocks_;
  return block;
}

bool Arena::commit(const Block &block) {
  const size_t bytes = usable(block.bytes);
  if (!pages::commit(pointer(block.start), bytes)) return false;
  if (block.moat == 0) return true;
  pages::protect(block.start - block.moat, block.moat, true, false);
  pages::protect(block.start + bytes, block.moat, true, false);
  return true;
}

void Arena::decommit(const Block &block) {
  pages::decommit(pointer(block.start - block.moat), block.moat + block.reserved);
}

void Arena::free(const Block &block) {
  decommit(block);
  MutexLock lock(mutex_);
  --blocks_;
  try {
    ranges_.give(block.start - block.moat, block.moat + block.reserved);
  } catch (const std::bad_alloc &) {
    // Nobody will get these addresses again; there are many.
  }
}

}  // namespace hostwarp::memory
