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

// Row is which lane of a warp has accessed which byte of a chunk: lane `first` the first `bytes`, the next one the next
// ... In a chunk that is one cell it stands in the place of the lanes.
class Row {
 public:
  // pre: bytes is a power of 2, up to a chunk's.
  Row(uint32_t first, uint32_t bytes) : code_(kIsRow | bytes << 8 | first) {}
  explicit Row(uint32_t code) : code_(code) {}

  uint32_t code() const { return code_; }
  uint32_t bytes() const { return code_ >> 8 & 0xff; }
  uint32_t laneAt(size_t offset) const { return (code_ & 0xff) + static_cast<uint32_t>(offset / bytes()); }

 private:
  static constexpr uint32_t kIsRow = 1u << 16;
  uint32_t code_;
};

// Chunk is the history of 32 bytes: one cell as long as rows of lanes access all of it, or else one for every 4 bytes,
// or for each.
class Chunk {
 public:
  static constexpr size_t kBytes = 32;

  bool isOne() const { return whole_.write.isSet == 0; }
  // whole() is its only cell. pre: isOne().
  Cell &whole() { return whole_; }

 private:
  friend class ShadowRegion;

  // A write is never a set: such a one says where the cells are, and for how many bytes each.
  Cell whole_;
};

// ShadowRegion has the chunks of a stretch of memory.
class ShadowRegion {
 public:
  // cover() starts with no accesses for so many bytes.
  void cover(uintptr_t start, size_t bytes);
  bool covers(uintptr_t address) const { return address - start_ < bytes_; }
  size_t bytesFrom(uintptr_t address) const { return bytes_ - (address - start_); }
  uintptr_t start() const { return start_; }

  // inChunk() is how far into its chunk the address is. pre: covers().
  size_t inChunk(uintptr_t address) const { return (address - start_) % Chunk::kBytes; }
  Chunk &chunkAt(uintptr_t address) { return chunks_[(address - start_) / Chunk::kBytes]; }
  // forEachCell() visits the cells of an access, each with where it begins; pre: it lies inside.
  template <class Visit>
  void forEachCell(AccessHistory &history, uintptr_t address, size_t bytes, Visit visit) {
    while (bytes != 0) {
      const size_t from = inChunk(address), part = std::min(bytes, Chunk::kBytes - from);
      Chunk &chunk = chunkAt(address);
      const size_t unit = split(history, chunk, ((address | part) & 3) == 0 ? 4 : 1);
      for (size_t i = from / unit; i * unit < from + part; ++i) visit(cellsOf(chunk)[i], address - from + i * unit);
      address += part;
      bytes -= part;
    }
  }
  // join() makes a chunk one cell again, with no accesses.
  void join(Chunk &chunk);
  // forEachCell() visits all cells of a chunk that is not one.
  template <class Visit>
  void forEachCell(Chunk &chunk, Visit visit) {
    for (size_t i = 0; i < Chunk::kBytes / unitOf(chunk); ++i)
      if (!visit(cellsOf(chunk)[i], i * unitOf(chunk))) return;
  }
  void clear(AccessHistory &history, uintptr_t address, size_t bytes);

 private:
  static size_t unitOf(const Chunk &chunk) { return chunk.whole_.write.lanes; }
  Cell *cellsOf(const Chunk &chunk) { return &cells_[chunk.whole_.write.id]; }
  // split() makes a chunk have cells of so many bytes, or less; returns how many.
  size_t split(AccessHistory &history, Chunk &chunk, size_t unit) {
    if (!chunk.isOne() && unitOf(chunk) <= unit) return unitOf(chunk);
    return splitFurther(history, chunk, unit);
  }
  size_t splitFurther(AccessHistory &history, Chunk &chunk, size_t unit);
  uint32_t takeCells(size_t unit);

  uintptr_t start_ = 0;
  size_t bytes_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<Cell> cells_{1};                 // of all chunks that are not one
  std::array<std::vector<uint32_t>, 2> free_;  // cells of 4 bytes for a chunk, and of one
};

// ShadowMemory is the regions of global memory, by page, made when they are touched. Not thread-safe.
class ShadowMemory {
 public:
  // regionOf() is the one that has the address's chunk.
  ShadowRegion &regionOf(uintptr_t address);
  // forget() empties the cells of memory that becomes somebody else's.
  void forget(AccessHistory &history, uintptr_t address, size_t bytes);
  // clear() empties all cells.
  void clear() { ++generation_; }

 private:
  static constexpr size_t kPageBytes = 4096;
  struct Page {
    uint64_t generation = 0;
    ShadowRegion region;
  };

  Page *find(uintptr_t number);

  uint64_t generation_ = 1;
  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<std::pair<uintptr_t, Page *>, 1024> recent_{};
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_SHADOW_MEMORY_H
