// For each piece of memory the accesses that later ones must come after.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_SHADOW_MEMORY_H
#define HOSTWARP_EMU_RUNTIME_CHECK_SHADOW_MEMORY_H

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu_runtime/check/access_history.h"

namespace hostwarp::check {

// Cell is the history of some bytes that are always accessed together.
struct Cell {
  Accesses write;   // the last one that is not atomic
  Accesses others;  // reads and atomic accesses since
};

// ShadowRegion has the cells of a stretch of memory: one for every 4 bytes, until an access is of less than that.
class ShadowRegion {
 public:
  // cover() starts with empty cells for so many bytes.
  void cover(uintptr_t start, size_t bytes);
  bool covers(uintptr_t address) const { return address - start_ < bytes_; }
  size_t bytesFrom(uintptr_t address) const { return bytes_ - (address - start_); }
  uintptr_t start() const { return start_; }

  // forEachCell() visits the cells of an access; pre: it lies inside.
  template <class Visit>
  void forEachCell(uintptr_t address, size_t bytes, Visit visit) {
    const size_t offset = address - start_;
    if (shift_ != 0 && ((offset | bytes) & 3) != 0) split();
    const size_t last = (offset + bytes - 1) >> shift_;
    for (size_t i = offset >> shift_; i <= last; ++i) visit(cells_[i]);
  }
  void clear(uintptr_t address, size_t bytes);

 private:
  void split();

  uintptr_t start_ = 0;
  size_t bytes_ = 0;
  uint32_t shift_ = 2;
  std::vector<Cell> cells_;
};

// ShadowMemory is the regions of global memory, by page, made when they are touched. Not thread-safe.
class ShadowMemory {
 public:
  // forEachCell() visits the cells of an access.
  template <class Visit>
  void forEachCell(uintptr_t address, size_t bytes, Visit visit) {
    while (bytes != 0) {
      ShadowRegion &region = pageOf(address);
      const size_t part = std::min(bytes, region.bytesFrom(address));
      region.forEachCell(address, part, visit);
      address += part;
      bytes -= part;
    }
  }
  // forget() empties the cells of memory that becomes somebody else's.
  void forget(uintptr_t address, size_t bytes);
  // clear() empties all cells.
  void clear() { ++generation_; }

 private:
  static constexpr size_t kPageBytes = 4096;
  struct Page {
    uint64_t generation = 0;
    ShadowRegion region;
  };

  ShadowRegion &pageOf(uintptr_t address);
  Page *find(uintptr_t number);

  uint64_t generation_ = 1;
  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<std::pair<uintptr_t, Page *>, 1024> recent_{};
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_SHADOW_MEMORY_H
