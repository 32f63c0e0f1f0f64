// Which bytes of device memory have been written since it was allocated.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_WRITTEN_MEMORY_H
#define HOSTWARP_EMU_RUNTIME_CHECK_WRITTEN_MEMORY_H

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "emu_runtime/check/value_origins.h"
#include "emu_runtime/check/value_page.h"
#include "emu_runtime/memory/memory_observer.h"
#include "fibers/mutex.h"

namespace hostwarp::check {

// WrittenMemory follows what only the device can write, so that nothing escapes it: cudaMalloc, pools, graphs'
// allocations, cuMemMap, malloc() in kernels. All other memory counts as written. Thread-safe.
class WrittenMemory final : public memory::MemoryObserver {
 public:
  // process() is null unless the program's reads are to be looked at (HOSTWARP_CHECK_INIT).
  static WrittenMemory *process();
  // followsValues(): reads are told of where the value is used (the build that follows values), not where they are.
  static bool followsValues();

  // firstUnwritten() is the first of the bytes that has never been written.
  std::optional<uintptr_t> firstUnwritten(uintptr_t address, size_t bytes);
  void write(uintptr_t address, size_t bytes);
  // copy() makes the bytes there what those at `from` are.
  void copy(uintptr_t to, uintptr_t from, size_t bytes);
  // partOf() is the shadow of the memory around the address, good until changes() counts on; null: the memory is not
  // followed.
  PagePart partOf(uintptr_t address);
  uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
  // writeAll() takes all that is there for written: nobody knows better.
  void writeAll();

  void allocated(const memory::Allocation &allocation) override;
  void released(const memory::Allocation &allocation) override;
  // copied() tells of bytes that leave for the host without having been written.
  void copied(const memory::Pitched &to, const memory::Pitched &from, const memory::Box &box) override;
  void filled(const memory::Pitched &to, const memory::Box &box) override;

 private:
  struct Range {
    uintptr_t start = 0, end = 0;
    uint32_t origin = ValueOrigins::unknown;
    bool holds(uintptr_t address) const { return address - start < end - start; }
  };

  // rangeOf() is the followed memory that the address lies in; empty: none.
  Range rangeOf(uintptr_t address) HOSTWARP_REQUIRES(mutex_);
  void set(uintptr_t address, size_t bytes, bool isWritten) HOSTWARP_REQUIRES(mutex_);
  void nameOrigins(ValuePage &page, uintptr_t start) HOSTWARP_REQUIRES(mutex_);
  std::optional<uintptr_t> findUnwritten(uintptr_t address, size_t bytes) HOSTWARP_REQUIRES(mutex_);
  void copyBits(uintptr_t to, uintptr_t from, size_t bytes) HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  std::atomic<uint64_t> changes_ = 0;
  std::map<uintptr_t, Range> ranges_ HOSTWARP_GUARDED_BY(mutex_);  // by start
  Range last_ HOSTWARP_GUARDED_BY(mutex_);
  std::unordered_map<uintptr_t, ValuePage> pages_ HOSTWARP_GUARDED_BY(mutex_);  // by number; none: nothing is written
};

// WrittenBlock is the same for the shared memory of a block.
class WrittenBlock {
 public:
  void begin(uintptr_t start, size_t bytes) {
    start_ = start;
    bytes_ = bytes;
    lead_ = start % sizeof(ShadowLine);
    shadow_.resize((lead_ + bytes) / sizeof(ShadowLine) + 1);
    std::fill_n(shadowOf(start), bytes, neverWritten);
    origins_.clear();
  }
  bool covers(uintptr_t address) const { return address - start_ < bytes_; }
  // pre: they lie inside.
  bool isWritten(uintptr_t address, size_t bytes) const {
    return std::all_of(shadowOf(address), shadowOf(address) + bytes, [](uint8_t bits) { return bits == 0; });
  }
  void write(uintptr_t address, size_t bytes) { std::fill_n(shadowOf(address), bytes, uint8_t{0}); }
  void writeAll() {
    if (bytes_ != 0) write(start_, bytes_);
  }
  uintptr_t end() const { return start_ + bytes_; }
  uint8_t *shadowOf(uintptr_t address) { return shadow_.front().bytes.data() + lead_ + (address - start_); }
  const uint8_t *shadowOf(uintptr_t address) const { return shadow_.front().bytes.data() + lead_ + (address - start_); }
  uint32_t *originsOf(uintptr_t address) {
    if (origins_.empty()) nameOrigins();
    return reinterpret_cast<uint32_t *>(origins_.front().bytes.data()) + (lead_ + (address - start_)) / 4;
  }

 private:
  void nameOrigins() {
    origins_.resize(shadow_.size());
    std::fill_n(reinterpret_cast<uint32_t *>(origins_.front().bytes.data()), origins_.size() * sizeof(ShadowLine) / 4,
                ValueOrigins::sharedMemory);
  }

  uintptr_t start_ = 0;
  size_t bytes_ = 0, lead_ = 0;               // what lies before the start in its line
  std::vector<ShadowLine> shadow_, origins_;  // one origin for each 4 bytes, once somebody asks
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_WRITTEN_MEMORY_H
