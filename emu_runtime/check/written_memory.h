// Which bytes of device memory have been written since it was allocated.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_WRITTEN_MEMORY_H
#define HOSTWARP_EMU_RUNTIME_CHECK_WRITTEN_MEMORY_H

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emu_runtime/memory/memory_observer.h"
#include "fibers/mutex.h"

namespace hostwarp::check {

// WrittenMemory follows what only the device can write, so that nothing escapes it: cudaMalloc, pools, graphs'
// allocations, cuMemMap, malloc() in kernels. All other memory counts as written. Thread-safe.
class WrittenMemory final : public memory::MemoryObserver {
 public:
  // process() is null unless the program's reads are to be looked at (HOSTWARP_CHECK_INIT).
  static WrittenMemory *process();

  // firstUnwritten() is the first of the bytes that has never been written.
  std::optional<uintptr_t> firstUnwritten(uintptr_t address, size_t bytes);
  void write(uintptr_t address, size_t bytes);
  // copy() makes the bytes there what those at `from` are.
  void copy(uintptr_t to, uintptr_t from, size_t bytes);
  // writeAll() takes all that is there for written: nobody knows better.
  void writeAll();

  void allocated(const memory::Allocation &allocation) override;
  void released(const memory::Allocation &allocation) override;
  // copied() tells of bytes that leave for the host without having been written.
  void copied(const memory::Pitched &to, const memory::Pitched &from, const memory::Box &box) override;
  void filled(const memory::Pitched &to, const memory::Box &box) override;

 private:
  static constexpr size_t kPageBytes = 4096;
  using Page = std::bitset<kPageBytes>;
  struct Range {
    uintptr_t start = 0, end = 0;
    bool holds(uintptr_t address) const { return address - start < end - start; }
  };

  // rangeOf() is the followed memory that the address lies in; empty: none.
  Range rangeOf(uintptr_t address) HOSTWARP_REQUIRES(mutex_);
  void set(uintptr_t address, size_t bytes, bool isWritten) HOSTWARP_REQUIRES(mutex_);
  std::optional<uintptr_t> findUnwritten(uintptr_t address, size_t bytes) HOSTWARP_REQUIRES(mutex_);
  void copyBits(uintptr_t to, uintptr_t from, size_t bytes) HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<uintptr_t, uintptr_t> ranges_ HOSTWARP_GUARDED_BY(mutex_);  // end by start
  Range last_ HOSTWARP_GUARDED_BY(mutex_);
  std::unordered_map<uintptr_t, Page> pages_ HOSTWARP_GUARDED_BY(mutex_);  // by number; none: nothing is written
};

// WrittenBlock is the same for the shared memory of a block.
class WrittenBlock {
 public:
  void begin(uintptr_t start, size_t bytes) {
    start_ = start;
    written_.assign(bytes, false);
  }
  bool covers(uintptr_t address) const { return address - start_ < written_.size(); }
  // pre: they lie inside.
  bool isWritten(uintptr_t address, size_t bytes) const {
    for (size_t i = 0; i < bytes; ++i)
      if (!written_[address - start_ + i]) return false;
    return true;
  }
  void write(uintptr_t address, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) written_[address - start_ + i] = true;
  }
  void writeAll() { written_.assign(written_.size(), true); }

 private:
  uintptr_t start_ = 0;
  std::vector<bool> written_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_WRITTEN_MEMORY_H
