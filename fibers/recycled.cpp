#include "fibers/recycled.h"

#include <array>
#include <atomic>
#include <new>
#include <utility>

#include "fibers/sanitizers.h"

namespace hostwarp::fibers {
namespace {

constexpr std::size_t kSizes = 16;   // multiples of the alignment that are kept; what is larger is not
constexpr std::size_t kBatch = 32;   // pieces that go from one thread to another at a time
constexpr std::size_t kMost = 1024;  // batches of one size that wait for a thread to take them

// Piece is memory that nobody uses, with the next of its batch in it; the first of a batch has the next batch.
struct Piece {
  Piece *next, *nextBatch;
};

void *fromSystem(std::size_t size) {
  return ::operator new((size + 1) * RecycledBytes::alignment, std::align_val_t(RecycledBytes::alignment));
}

void toSystem(void *storage) noexcept { ::operator delete(storage, std::align_val_t(RecycledBytes::alignment)); }

void allToSystem(Piece *batch) noexcept {
  while (batch != nullptr) toSystem(std::exchange(batch, batch->next));
}

// Depot has the batches of one size that threads pass on. A fork may come at any time, so there is no lock; since a
// thread takes all that there are, none can be put back meanwhile that another one still looks at.
class Depot {
 public:
  // put() gives a batch, or back to the system what would be too much.
  void put(Piece *batch) noexcept {
    if (count_.load(std::memory_order_relaxed) >= kMost) return allToSystem(batch);
    count_.fetch_add(1, std::memory_order_relaxed);
    batch->nextBatch = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(batch->nextBatch, batch, std::memory_order_release)) {
    }
  }
  // take() is all the batches, or null.
  Piece *take() noexcept {
    if (first_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    count_.store(0, std::memory_order_relaxed);
    return first_.exchange(nullptr, std::memory_order_acquire);
  }

 private:
  std::atomic<Piece *> first_{nullptr};
  std::atomic<std::size_t> count_{0};  // about how many there are
};

constinit std::array<Depot, kSizes> depots;

// Shelf has the pieces of one size that the running thread may take next, and what it gives back until that is a batch.
struct Shelf {
  Piece *pieces = nullptr, *batches = nullptr;
  Piece *back = nullptr;
  std::size_t backCount = 0;
};

// Shelves are a thread's, by size.
struct Shelves {
  std::array<Shelf, kSizes> of;
  ~Shelves();
};

// A library that a program loads late, as Python's do, may have but some hundred bytes of its own for each thread.
__attribute__((tls_model("initial-exec"))) constinit thread_local Shelves *current = nullptr;
constinit thread_local bool threadEnds = false;  // there are none any more

Shelves::~Shelves() {
  current = nullptr;
  threadEnds = true;
  for (Shelf &shelf : of) {
    allToSystem(shelf.pieces);
    allToSystem(shelf.back);
    while (shelf.batches != nullptr) {
      Piece *const next = shelf.batches->nextBatch;
      allToSystem(std::exchange(shelf.batches, next));
    }
  }
}

// currentShelves() are the running thread's; null: it ends, or there is no memory.
Shelves *currentShelves() {
  if (current == nullptr && !threadEnds) {
    thread_local std::unique_ptr<Shelves> own;
    own.reset(new (std::nothrow) Shelves);
    current = own.get();
  }
  return current;
}

// take() is a piece, or null.
void *take(Shelf &shelf, Depot &depot) {
  if (shelf.pieces == nullptr) {
    if (shelf.batches == nullptr) shelf.batches = depot.take();
    if (shelf.batches != nullptr) {
      shelf.pieces = shelf.batches;
      shelf.batches = shelf.batches->nextBatch;
    } else {
      shelf.pieces = std::exchange(shelf.back, nullptr);
      shelf.backCount = 0;
    }
  }
  return shelf.pieces != nullptr ? std::exchange(shelf.pieces, shelf.pieces->next) : nullptr;
}

void give(Shelf &shelf, Depot &depot, void *storage) {
  shelf.back = new (storage) Piece{shelf.back, nullptr};
  if (++shelf.backCount < kBatch) return;
  depot.put(std::exchange(shelf.back, nullptr));
  shelf.backCount = 0;
}

// sizeOf() is the index of a size. The sanitizers watch over each object instead.
std::size_t sizeOf(std::size_t bytes) {
#if defined(HOSTWARP_ASAN) || defined(HOSTWARP_TSAN)
  return (bytes - 1) / RecycledBytes::alignment + kSizes;
#else
  return (bytes - 1) / RecycledBytes::alignment;
#endif
}

}  // namespace

void *RecycledBytes::allocate(std::size_t bytes) {
  const std::size_t size = sizeOf(bytes);
  if (size >= kSizes) return fromSystem(size);
  Shelves *const shelves = currentShelves();
  void *const piece = shelves != nullptr ? take(shelves->of[size], depots[size]) : nullptr;
  return piece != nullptr ? piece : fromSystem(size);
}

void RecycledBytes::release(void *storage, std::size_t bytes) noexcept {
  const std::size_t size = sizeOf(bytes);
  Shelves *const shelves = size < kSizes ? currentShelves() : nullptr;
  if (shelves == nullptr) return toSystem(storage);
  give(shelves->of[size], depots[size], storage);
}

}  // namespace hostwarp::fibers
