// For each piece of memory the accesses that later ones must come after.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_SHADOW_MEMORY_H
#define HOSTWARP_EMU_RUNTIME_CHECK_SHADOW_MEMORY_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/read_log.h"
#include "emu_runtime/support/page_table.h"

namespace hostwarp::check {

// Cell is the history of some bytes that are always accessed together.
struct Cell {
  Accesses write;   // the last one that is not atomic
  Accesses others;  // reads and atomic accesses since
};

// Row is which thread of a block has accessed which bytes, where those that follow each other have accessed bytes that
// do: it is the same for the whole row, wherever one looks at it, but for chunks that it ends in. In a chunk that is
// one cell it stands in the place of the lanes.
class Row {
 public:
  static constexpr uint32_t kChunk = 32;

  // The thread has accessed so many bytes there. pre: a power of 2, up to a chunk's; the address is a multiple of it.
  Row(uint32_t thread, uintptr_t address, uint32_t bytes)
      : code_(kIsRow | kWhole | shiftOf(bytes) << kThreadBits |
              ((thread - numberAt(address, shiftOf(bytes))) & kThreads)) {}
  explicit Row(uint32_t code) : code_(code) {}

  uint32_t code() const { return code_; }
  uint32_t bytes() const { return 1u << shift(); }
  uint32_t threadAt(uintptr_t address) const { return (code_ + numberAt(address, shift())) & kThreads; }
  // part() is what lies in a chunk from one offset to another, which is not of it.
  Row part(size_t from, size_t to) const {
    return Row((code_ & ~kWhole) | static_cast<uint32_t>(from) << kFromAt | static_cast<uint32_t>(to - 1) << kLastAt);
  }
  // isWhole(): it is of all of the chunk; covers(): of the byte at the offset.
  bool isWhole() const { return (code_ & kExtent) == kWhole; }
  bool covers(size_t offset) const { return offset >= from() && offset <= last(); }
  // isLike(): the same threads have accessed the bytes that are of both.
  bool isLike(Row other) const { return ((code_ ^ other.code_) & ~kExtent) == 0; }
  // joins() tells whether both together are one piece, and with() is that. pre: isLike().
  bool joins(Row other) const { return from() <= other.last() + 1 && other.from() <= last() + 1; }
  Row with(Row other) const { return part(std::min(from(), other.from()), std::max(last(), other.last()) + 1); }
  // areApart(): no warp has threads in both rows that access the same bytes.
  static bool areApart(Row one, Row other) {
    const uint32_t distance = (one.code_ - other.code_) & kThreads;
    return one.shift() == other.shift() && distance >= 32 && distance <= kThreads + 1 - 32;
  }

 private:
  static constexpr uint32_t kThreadBits = 10, kThreads = (1u << kThreadBits) - 1;
  static constexpr uint32_t kFromAt = 16, kLastAt = 21, kOffset = kChunk - 1;
  static constexpr uint32_t kExtent = kOffset << kFromAt | kOffset << kLastAt, kWhole = kOffset << kLastAt;
  static constexpr uint32_t kIsRow = 1u << 31;
  static uint32_t shiftOf(uint32_t bytes) { return static_cast<uint32_t>(std::countr_zero(bytes)); }
  static uint32_t numberAt(uintptr_t address, uint32_t shift) { return static_cast<uint32_t>(address >> shift); }
  uint32_t shift() const { return code_ >> kThreadBits & 7; }
  uint32_t from() const { return code_ >> kFromAt & kOffset; }
  uint32_t last() const { return code_ >> kLastAt & kOffset; }
  uint32_t code_;
};

// Chunk is the history of 32 bytes: one cell as long as rows of lanes access all of it, or else one for every 4 bytes,
// or for each.
class Chunk {
 public:
  static constexpr size_t kBytes = Row::kChunk;

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
  // cover() starts with no accesses for so many bytes; those to come are of the history.
  void cover(AccessHistory &history, uintptr_t start, size_t bytes);
  // coverAlike() is the same where the accesses to come may be like those that were, as another block's are: chunks
  // that had fallen apart begin so.
  void coverAlike(AccessHistory &history, uintptr_t start, size_t bytes);
  AccessHistory &history() const { return *history_; }
  bool covers(uintptr_t address) const { return address - start_ < bytes_; }
  size_t bytesFrom(uintptr_t address) const { return bytes_ - (address - start_); }
  // holds(): all of the bytes are its; touches(): one is.
  bool holds(uintptr_t address, uint64_t bytes) const { return covers(address) && bytes <= bytesFrom(address); }
  bool touches(uintptr_t address, uint64_t bytes) const { return covers(address) || start_ - address < bytes; }
  uintptr_t start() const { return start_; }

  // inChunk() is how far into its chunk the address is. pre: covers().
  size_t inChunk(uintptr_t address) const { return (address - start_) % Chunk::kBytes; }
  Chunk &chunkAt(uintptr_t address) { return chunks_[(address - start_) / Chunk::kBytes]; }
  // forEachCell() visits the cells of an access, each with where it begins; pre: it lies inside.
  template <class Visit>
  void forEachCell(uintptr_t address, size_t bytes, Visit visit) {
    while (bytes != 0) {
      const size_t from = inChunk(address), part = std::min(bytes, Chunk::kBytes - from);
      Chunk &chunk = chunkAt(address);
      const size_t unit = split(chunk, address - from, ((address | part) & 3) == 0 ? 4 : 1), shift = unit == 4 ? 2 : 0;
      for (size_t i = from >> shift; i << shift < from + part; ++i)
        visit(cellsOf(chunk)[i], address - from + (i << shift));
      address += part;
      bytes -= part;
    }
  }
  // wordAt() is the cell of the 4 bytes, where the chunk has such cells; null: look by forEachCell(). pre: covers().
  Cell *wordAt(uintptr_t address) {
    const Chunk &chunk = chunkAt(address);
    if (chunk.isOne() || unitOf(chunk) != 4 || (address & 3) != 0) return nullptr;
    return &cells_[chunk.whole_.write.id + inChunk(address) / 4];
  }
  // join() makes a chunk one cell again, with no accesses.
  void join(Chunk &chunk);
  // forEachCell() visits all cells of a chunk that is not one.
  template <class Visit>
  void forEachCell(Chunk &chunk, Visit visit) {
    for (size_t i = 0; i < Chunk::kBytes / unitOf(chunk); ++i)
      if (!visit(cellsOf(chunk)[i], i * unitOf(chunk))) return;
  }
  void clear(uintptr_t address, size_t bytes);

 private:
  static size_t unitOf(const Chunk &chunk) { return chunk.whole_.write.lanes; }
  Cell *cellsOf(const Chunk &chunk) { return &cells_[chunk.whole_.write.id]; }
  // split() makes a chunk, which begins there, have cells of so many bytes, or less; returns how many.
  size_t split(Chunk &chunk, uintptr_t start, size_t unit) {
    if (!chunk.isOne() && unitOf(chunk) <= unit) return unitOf(chunk);
    return splitFurther(chunk, start, unit);
  }
  size_t splitFurther(Chunk &chunk, uintptr_t start, size_t unit);
  uint32_t takeCells(size_t unit);

  AccessHistory *history_ = nullptr;
  uintptr_t start_ = 0;
  size_t bytes_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<Cell> cells_{1};                 // of all chunks that are not one
  std::array<std::vector<uint32_t>, 2> free_;  // cells of 4 bytes for a chunk, and of one
};

// ShadowMemory is the regions of global memory, by page, made when they are touched, with one history. Reads may be put
// off as long as nobody writes to their page. Not thread-safe.
class ShadowMemory {
 public:
  AccessHistory &history() { return history_; }
  // regionOf() is the one that has the address's chunk, for accesses that write or only read; `past` is what is over
  // when they are made.
  ShadowRegion &regionOf(uintptr_t address, bool writes, Past past) {
    const uintptr_t number = address / kPageBytes;
    Page &page = pageOf(number);
    if (page.generation != generation_) begin(page, number);
    if (writes && page.written != epoch_) [[unlikely]]
      beginWrites(page, number, past);
    return page.region;
  }
  // putOff() is false where plain reads by lanes have to be looked at: the lowest lane's is at the address, each
  // further lane's `stride` behind that of the lane before. pre: their record is of threads that hold no lock.
  bool putOff(uintptr_t address, uint64_t bytes, uint64_t stride, uint32_t record, uint32_t lanes) {
    const size_t offset = address % kPageBytes;
    const auto span = static_cast<uint32_t>(std::bit_width(lanes >> std::countr_zero(lanes))) - 1;
    Page &page = pageOf(address / kPageBytes);
    if (page.written == epoch_ || stride >= kPageBytes || bytes > kPageBytes - offset ||
        span * stride > kPageBytes - offset - bytes)
      return false;
    const uint32_t last =
        reads_.add(page.readsSince == epoch_ ? page.lastRead : 0, {.id = record,
                                                                   .lanes = lanes,
                                                                   .offset = static_cast<uint16_t>(offset),
                                                                   .bytes = static_cast<uint16_t>(bytes),
                                                                   .stride = static_cast<uint16_t>(stride)});
    if (last == 0) return false;
    page.readsSince = epoch_;
    page.lastRead = last;
    return true;
  }
  // beginEpoch(): all that was done until now is over.
  void beginEpoch() {
    ++epoch_;
    reads_.clear();
  }
  // forget() empties the cells of memory that becomes somebody else's.
  void forget(uintptr_t address, size_t bytes);
  // clear() empties all cells, and forgets the history.
  void clear();

 private:
  static constexpr size_t kPageBytes = ReadLog::kPageBytes;
  struct Page {
    uint64_t generation = 0;               // 0: the region is still to be made
    uint64_t written = 0, readsSince = 0;  // in which epoch it was written last; since when there are reads put off
    uint32_t lastRead = 0;                 // where their chain ends
    ShadowRegion region;
  };

  Page &pageOf(uintptr_t number) { return pages_.at(number, std::make_unique<Page>); }
  void begin(Page &page, uintptr_t number);
  // beginWrites() notes the reads that were put off.
  void beginWrites(Page &page, uintptr_t number, Past past);
  void note(Cell &cell, Accesses read, Past past);
  bool isEnough(Accesses readers) const;

  AccessHistory history_;
  ReadLog reads_;
  uint64_t generation_ = 1, epoch_ = 1;
  PageTable<Page> pages_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_SHADOW_MEMORY_H
