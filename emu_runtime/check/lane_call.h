// What compiled code says of accesses by neighbours in a block.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_LANE_CALL_H
#define HOSTWARP_EMU_RUNTIME_CHECK_LANE_CALL_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/lane_accesses.h"

namespace hostwarp::check {

// LaneCall is what hw_check_lanes() is told, or, where each lane accesses one place after the other,
// hw_check_lane_reads().
struct LaneCall {
  uint32_t thread, lanes;
  uintptr_t start;
  int64_t stride;
  const void *const *addresses;  // null: there is a stride
  uint64_t bytes;
  uint32_t traits;
  const hw_access_site *site;
  const uint64_t *values = nullptr;  // null: none are known
  uint64_t count = 1;                // of each lane's accesses
  int64_t step = 0;                  // from one to the next

  // last() is the greatest number of a thread in it.
  uint32_t last() const { return 31 - static_cast<uint32_t>(std::countl_zero(lanes)); }
  uintptr_t startOf(uint32_t index) const {
    if (addresses != nullptr) return reinterpret_cast<uintptr_t>(addresses[index]);
    return start + static_cast<uint64_t>(stride) * index;
  }
  // extent() is from the first byte that is accessed to the last; of UINT64_MAX bytes where that is too far to be true.
  // pre: lanes and count are not 0.
  Extent extent() const {
    if (addresses != nullptr || count != 1) [[unlikely]]
      return extentOfAll();
    const uintptr_t one = startOf(static_cast<uint32_t>(std::countr_zero(lanes))), other = startOf(last());
    const uint64_t span = (stride < 0 ? one - other : other - one) + bytes;
    return {stride < 0 ? other : one, span >= bytes ? span : UINT64_MAX};
  }
  // findStride() has a stride stand in the place of addresses that have one: of lanes that access bytes side by side.
  // pre: there are addresses.
  void findStride() {
    const uint32_t lowest = static_cast<uint32_t>(std::countr_zero(lanes)), count = last() - lowest + 1;
    const uint32_t fromLowest = lanes >> lowest;
    const uintptr_t first = startOf(lowest);
    if (count == 1 || (fromLowest & (fromLowest + 1)) != 0 || startOf(lowest + 1) != first + bytes) return;
    uintptr_t differs = 0, expected = first;
    for (uint32_t i = 0; i < count; ++i, expected += bytes) differs |= startOf(lowest + i) ^ expected;
    if (differs != 0) return;
    start = first - bytes * lowest;
    stride = static_cast<int64_t>(bytes);
    addresses = nullptr;
  }
  // afterTurns() is what is left behind so many turns; `places` has room for its addresses.
  using Places = std::array<const void *, 32>;
  LaneCall afterTurns(uint64_t turns, Places &places) const {
    LaneCall rest = *this;
    const uint64_t way = static_cast<uint64_t>(step) * turns;
    rest.count = count - turns;
    rest.start = start + way;
    if (addresses == nullptr) return rest;
    for (uint32_t index = 0; index <= last(); ++index)
      places[index] = static_cast<const char *>(addresses[index]) + way;  // of a lane that is not there: anything
    rest.addresses = places.data();
    return rest;
  }
  // forEachTurn() visits the calls of one access of each lane that it comes to. Where it is the same each time, and
  // there is nothing wrong with it, once is enough.
  template <class Visit>
  void forEachTurn(Visit visit) const;
  // isOfOneWarp(): a row of threads may begin in the middle of a warp, and end in the next one.
  bool isOfOneWarp() const { return thread % 32 + last() < 32; }
  LaneAccesses inFirstWarp() const {
    return {.warp = thread / 32,
            .lanes = lanes << thread % 32,
            .first = thread % 32,
            .start = start,
            .stride = stride,
            .addresses = addresses,
            .values = values,
            .bytes = bytes,
            .traits = traits,
            .site = site};
  }
  // forEachWarp() visits the LaneAccesses of the first turn, by warp.
  template <class Visit>
  void forEachWarp(Visit visit) const;

 private:
  [[gnu::noinline]] Extent extentOfAll() const {
    uintptr_t low = UINTPTR_MAX, high = 0;
    const auto add = [&](uint32_t index) {
      low = std::min(low, startOf(index));
      high = std::max(high, startOf(index));
    };
    if (addresses == nullptr) {
      add(static_cast<uint32_t>(std::countr_zero(lanes)));
      add(last());
    } else {
      for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) add(static_cast<uint32_t>(std::countr_zero(rest)));
    }
    constexpr uint64_t mostCount = uint64_t{1} << 31;
    constexpr int64_t mostStep = int64_t{1} << 31;
    if (count > mostCount || step > mostStep || step < -mostStep) return {low, UINT64_MAX};
    const int64_t way = step * static_cast<int64_t>(count - 1);
    if (way < 0)
      low += static_cast<uint64_t>(way);
    else
      high += static_cast<uint64_t>(way);
    const uint64_t span = high - low + bytes;
    return {low, high >= low && span >= bytes ? span : UINT64_MAX};
  }
};

template <class Visit>
void LaneCall::forEachTurn(Visit visit) const {
  if (count == 1) return static_cast<void>(visit(*this));
  const uint64_t before = timesTold();
  Places places;
  for (uint64_t turn = 0; turn < count; ++turn) {
    LaneCall one = afterTurns(turn, places);
    one.count = 1;
    if (!visit(one) || (step == 0 && timesTold() == before)) return;
  }
}

template <class Visit>
void LaneCall::forEachWarp(Visit visit) const {
  if (const LaneAccesses inFirst = inFirstWarp(); inFirst.lanes != 0) visit(inFirst);
  if (isOfOneWarp()) return;
  const uint32_t skipped = 32 - thread % 32;
  visit(LaneAccesses{.warp = thread / 32 + 1,
                     .lanes = lanes >> skipped,
                     .first = 0,
                     .start = start + static_cast<uint64_t>(stride) * skipped,
                     .stride = stride,
                     .addresses = addresses != nullptr ? addresses + skipped : nullptr,
                     .values = values != nullptr ? values + skipped : nullptr,
                     .bytes = bytes,
                     .traits = traits,
                     .site = site});
}

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_LANE_CALL_H
