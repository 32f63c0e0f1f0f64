// What several lanes of a warp do at once.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_LANE_ACCESSES_H
#define HOSTWARP_EMU_RUNTIME_CHECK_LANE_ACCESSES_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "emu_runtime/check/known_memory.h"

namespace hostwarp::check {

// Extent is a stretch of memory.
struct Extent {
  uintptr_t start;
  uint64_t bytes;
};

// LaneAccesses is what lanes of one warp are about to do, in step, at one place in the source.
struct LaneAccesses {
  uint32_t warp;
  uint32_t lanes;                // which of them
  uint32_t first;                // the lane that the arrays begin with
  uintptr_t start;               // of that lane's access, were it there
  int64_t stride;                // from one lane's to the next one's
  const void *const *addresses;  // null: there is a stride
  const uint64_t *values;        // null: none are known
  uint64_t bytes;                // of each access
  uint32_t traits;               // hw_access_traits
  const hw_access_site *site;

  uint32_t lowest() const { return static_cast<uint32_t>(std::countr_zero(lanes)); }
  uint32_t highest() const { return 31 - static_cast<uint32_t>(std::countl_zero(lanes)); }
  bool isOfOne() const { return (lanes & (lanes - 1)) == 0; }
  uintptr_t startOf(uint32_t lane) const {
    const uint32_t index = lane - first;
    if (addresses != nullptr) return reinterpret_cast<uintptr_t>(addresses[index]);
    return start + static_cast<uint64_t>(stride) * index;
  }
  // areSideBySide(): lanes that follow each other access bytes that do.
  bool areSideBySide() const {
    const uint32_t fromLowest = lanes >> lowest();
    return addresses == nullptr && static_cast<uint64_t>(stride) == bytes && (fromLowest & (fromLowest + 1)) == 0;
  }
  // extent() is from the first byte that they access to the last.
  Extent extent() const {
    uintptr_t low = startOf(lowest()), high = startOf(highest());
    if (addresses != nullptr) [[unlikely]]
      std::tie(low, high) = bounds();
    else if (low > high)
      std::swap(low, high);
    const uint64_t span = high - low + bytes;
    return {low, span >= bytes ? span : UINT64_MAX};
  }
  bool areOfOnePlace() const { return addresses == nullptr && stride == 0; }
  uint64_t valueOf(uint32_t lane) const { return values != nullptr ? values[lane - first] : 0; }
  Access of(uint32_t lane) const { return {startOf(lane), bytes, traits, site, valueOf(lane), {}, {}}; }

  // bounds() is the least and the greatest of the addresses.
  [[gnu::noinline]] std::pair<uintptr_t, uintptr_t> bounds() const {
    std::pair<uintptr_t, uintptr_t> both{UINTPTR_MAX, 0};
    forEach([&](uint32_t lane) {
      both.first = std::min(both.first, startOf(lane));
      both.second = std::max(both.second, startOf(lane));
    });
    return both;
  }

  template <class Visit>
  void forEach(Visit visit) const {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) visit(static_cast<uint32_t>(std::countr_zero(rest)));
  }
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_LANE_ACCESSES_H
