// The shadow of a page of memory.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_VALUE_PAGE_H
#define HOSTWARP_EMU_RUNTIME_CHECK_VALUE_PAGE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace hostwarp::check {

// A bit of the shadow is set where that bit of memory was never written, or depends on such bits.
inline constexpr uint8_t neverWritten = 0xff;

// ShadowLine: code takes the shadow for as well aligned as what it is of, vectors among that.
struct alignas(64) ShadowLine {
  std::array<uint8_t, 64> bytes;
};

// ValuePage also has where the values come from, one for each 4 bytes, once somebody asks (ValueOrigins).
struct ValuePage {
  static constexpr size_t bytes = 4096, words = bytes / 4;

  explicit ValuePage(uint8_t all) { shadow.fill(all); }

  uint32_t *originsOf(uint32_t all) {
    if (!origins) {
      origins = std::make_unique<Origins>();
      origins->all.fill(all);
    }
    return origins->all.data();
  }

  struct alignas(ShadowLine) Origins {
    std::array<uint32_t, words> all;
  };
  alignas(ShadowLine) std::array<uint8_t, bytes> shadow;
  std::unique_ptr<Origins> origins;
};

// PagePart is the part of a page that lies in one allocation. page null: there is none.
struct PagePart {
  uintptr_t start = 0, end = 0;
  ValuePage *page = nullptr;
  bool holds(uintptr_t address, uint64_t size) const { return address - start < end - start && size <= end - address; }
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_VALUE_PAGE_H
