// Moving and filling bytes, on several threads when there are many.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_COPIES_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_COPIES_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hostwarp::memory {

// times() and plus() stop at the largest number, so that no size that callers make up comes out as a small one.
inline size_t times(size_t a, size_t b) {
  size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~size_t{0} : product;
}
inline size_t plus(size_t a, size_t b) {
  size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? ~size_t{0} : sum;
}

// Box is a three-dimensional region of pitched memory: `height` rows of `width` bytes in each of `depth` slices.
struct Box {
  size_t width = 0;
  size_t height = 1;
  size_t depth = 1;

  size_t bytes() const { return width && depth ? times(times(width, height), depth) : 0; }
};

// Pitched is memory seen as rows `pitch` bytes apart and slices `slice` bytes apart.
struct Pitched {
  char *start = nullptr;
  size_t pitch = 0;
  size_t slice = 0;

  // extent() is the number of bytes from start that a box in this memory covers; 0 for an empty box.
  size_t extent(const Box &box) const {
    if (box.bytes() == 0) return 0;
    return plus(plus(times(box.depth - 1, slice), times(box.height - 1, pitch)), box.width);
  }

  // from() is what begins at a place in this memory. Null: a box there would end beyond all addresses.
  std::optional<Pitched> from(size_t x, size_t y, size_t z, const Box &box) const {
    constexpr size_t lastAddress = (size_t{1} << 56) - 1;
    const size_t offset = plus(plus(times(z, slice), times(y, pitch)), x);
    const size_t end = plus(plus(reinterpret_cast<uintptr_t>(start), offset), extent(box));
    return end <= lastAddress ? std::optional(Pitched{start + offset, pitch, slice}) : std::nullopt;
  }
};

// copyBox() copies the box; overlapping memory gives what memmove() gives row by row. Blocks until done. False when not
// all of the memory was there.
[[nodiscard]] bool copyBox(const Pitched &to, const Pitched &from, const Box &box);

// fillBox() sets elements of `elementBytes` (1, 2 or 4) to `value` in the box, whose width is in bytes. False as above.
[[nodiscard]] bool fillBox(const Pitched &to, uint32_t value, size_t elementBytes, const Box &box);

// smallTransfer is the size up to which a transfer is cheaper than waking another thread for it.
inline constexpr size_t smallTransfer = size_t{256} << 10;

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_COPIES_H
