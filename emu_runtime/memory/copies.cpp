#include "emu_runtime/memory/copies.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

#include "emu_runtime/stream/task_threads.h"
#include "fibers/fault_guard.h"

namespace hostwarp::memory {

namespace {

// One core rarely saturates the memory of a large machine; sixteen do.
constexpr size_t mostThreads = 16;
// Less is not worth waking a thread.
constexpr size_t leastPiece = size_t{2} << 20;
// mostWorkers(): the standard library reads a file each time.
size_t mostWorkers() {
  static const size_t workers = std::min<size_t>(mostThreads, std::max(1U, std::thread::hardware_concurrency()));
  return workers;
}

// Pieces is a loop over [0, count) that several threads share. The caller works too, so it ends even if no other
// thread ever comes. `body` tells whether it found its memory.
struct Pieces {
  std::function<bool(size_t)> body;
  size_t count;
  std::atomic<bool> good{true};
  std::atomic<size_t> next{0};
  std::atomic<size_t> finished{0};

  void work() {
    size_t done = 0;
    for (size_t i; (i = next.fetch_add(1)) < count; ++done) {
      if (!body(i)) good = false;
    }
    if (done && finished.fetch_add(done) + done == count) finished.notify_all();
  }

  void wait() {
    for (size_t seen; (seen = finished.load()) != count;) finished.wait(seen);
  }
};

bool inPieces(size_t count, std::function<bool(size_t)> body) {
  auto pieces = std::make_shared<Pieces>();
  pieces->body = std::move(body);
  pieces->count = count;
  const size_t threads = std::min(count, mostWorkers());
  for (size_t i = 1; i < threads; ++i) stream::TaskThreads::process().run([pieces] { pieces->work(); });
  pieces->work();
  pieces->wait();
  return pieces->good;
}

// forBytes() calls body(offset, bytes) for parts that together make up [0, bytes).
template <typename Body>
bool forBytes(size_t bytes, const Body &body) {
  // One piece for each thread, as long as can be: memcpy() uses non-temporal stores, which do not read the lines that
  // they overwrite, for long copies only, on some processors beyond 128 MiB. Pieces of whole pages, so that no two
  // threads write to one.
  constexpr size_t page = 4096;
  const size_t piece = std::max(leastPiece, (bytes / mostWorkers() / page + 1) * page);
  auto some = [&](size_t i) {
    return fibers::withinReach([&] { body(i * piece, std::min(piece, bytes - i * piece)); });
  };
  if (bytes < 2 * leastPiece) return fibers::withinReach([&] { body(size_t{0}, bytes); });
  return inPieces((bytes + piece - 1) / piece, some);
}

// forRows() calls body(slice, row) for every row of the box.
template <typename Body>
bool forRows(const Box &box, const Body &body) {
  const size_t rows = box.height * box.depth;
  const size_t rowsPerPiece = std::max<size_t>(1, leastPiece / std::max<size_t>(1, box.width));
  auto some = [&](size_t i) {
    return fibers::withinReach([&] {
      for (size_t row = i * rowsPerPiece; row < std::min(rows, (i + 1) * rowsPerPiece); ++row) {
        body(row / box.height, row % box.height);
      }
    });
  };
  const size_t pieces = (rows + rowsPerPiece - 1) / rowsPerPiece;
  return pieces < 2 ? some(0) : inPieces(pieces, some);
}

bool contiguous(const Pitched &memory, const Box &box) {
  return (box.height == 1 || memory.pitch == box.width) && (box.depth == 1 || memory.slice == box.width * box.height);
}

bool overlap(const char *a, const char *b, size_t bytes) { return a < b + bytes && b < a + bytes; }

template <typename Element>
void fillRow(char *row, Element value, size_t bytes) {
  // Rows of a pitched image need not be aligned to the element.
  for (size_t i = 0; i + sizeof(value) <= bytes; i += sizeof(value)) std::memcpy(row + i, &value, sizeof(value));
}

void fillBytes(char *to, uint32_t value, size_t elementBytes, size_t bytes) {
  switch (elementBytes) {
    case 1:
      std::memset(to, static_cast<int>(value), bytes);
      break;
    case 2:
      fillRow(to, static_cast<uint16_t>(value), bytes);
      break;
    default:
      fillRow(to, value, bytes);
      break;
  }
}

}  // namespace

bool copyBox(const Pitched &to, const Pitched &from, const Box &box) {
  if (box.bytes() == 0) return true;
  if (contiguous(to, box) && contiguous(from, box)) {
    if (overlap(to.start, from.start, box.bytes())) {
      return fibers::withinReach([&] { std::memmove(to.start, from.start, box.bytes()); });
    }
    return forBytes(box.bytes(),
                    [&](size_t offset, size_t bytes) { std::memcpy(to.start + offset, from.start + offset, bytes); });
  }
  return forRows(box, [&](size_t slice, size_t row) {
    std::memmove(to.start + slice * to.slice + row * to.pitch, from.start + slice * from.slice + row * from.pitch,
                 box.width);
  });
}

bool fillBox(const Pitched &to, uint32_t value, size_t elementBytes, const Box &box) {
  if (box.bytes() == 0) return true;
  if (contiguous(to, box)) {
    return forBytes(box.bytes(),
                    [&](size_t offset, size_t bytes) { fillBytes(to.start + offset, value, elementBytes, bytes); });
  }
  return forRows(box, [&](size_t slice, size_t row) {
    fillBytes(to.start + slice * to.slice + row * to.pitch, value, elementBytes, box.width);
  });
}

}  // namespace hostwarp::memory
