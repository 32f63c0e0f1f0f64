#include "emu_runtime/check/deferred_accesses.h"

namespace hostwarp::check {

void DeferredAccesses::begin(uintptr_t start, uint64_t bytes, uint64_t launch, bool mayDefer) {
  start_ = start;
  bytes_ = bytes;
  if (std::exchange(launch_, launch) != launch) {
    worth_ = kMostWorth / 2;
    areBytes_ = false;
  }
  mayDefer_ = mayDefer && bytes != 0;
  isOpen_ = mayDefer_ && worth_ >= kLeastWorth;
  forget();
  if (!mayDefer_) return;
  everWritten_.assign((bytes + 3) / 4, 0);
}

bool DeferredAccesses::deferEach(const LaneCall &call) {
  if (offsets_.size() < offsetCount_ + 32) offsets_.resize(2 * offsets_.size() + 1024);
  uint32_t *const offsets = &offsets_[offsetCount_];
  uint64_t low = bytes_, high = 0;
  for (uint32_t rest = call.lanes; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t offset = call.startOf(index) - start_;
    low = std::min(low, offset);
    high = std::max(high, offset);
    offsets[index] = static_cast<uint32_t>(offset);
  }
  if (high >= bytes_ || call.bytes > bytes_ - high) return false;
  // The turns may lead out of it.
  if (call.count != 1) {
    const Extent all = call.extent();
    low = all.start - start_;
    if (low > bytes_ || all.bytes > bytes_ - low) return false;
    high = low + all.bytes - call.bytes;
  }
  return defer(call, {static_cast<uint32_t>(low), static_cast<uint32_t>(high + call.bytes)}, offsets);
}

bool DeferredAccesses::ownWith(const LaneCall &call, const uint32_t *offsets) {
  if ((isOwned_ || ownAll()) && own(call, offsets)) return true;
  // Perhaps they have touched bytes of one word only.
  const auto isNarrow = [](const Deferred &deferred) { return deferred.bytes % 4 != 0; };
  const bool areNarrow = call.bytes % 4 != 0 || std::any_of(deferred_.begin(), deferred_.begin() + count_, isNarrow);
  if (areBytes_ || !areNarrow) return false;
  areBytes_ = true;
  return ownAll() && own(call, offsets);
}

LaneCall DeferredAccesses::get(const Deferred &deferred, LaneCall::Places &places) const {
  if (deferred.isEach)
    for (uint32_t index = 0; index < 32 && deferred.lanes >> index != 0; ++index)
      places[index] =
          reinterpret_cast<const void *>(start_ + offsetsOf(deferred)[index]);  // NOLINT(performance-no-int-to-ptr)
  return {.thread = deferred.thread,
          .lanes = deferred.lanes,
          .start = deferred.isEach ? 0 : start_ + static_cast<uintptr_t>(int64_t{deferred.start}),
          .stride = deferred.stride,
          .addresses = deferred.isEach ? places.data() : nullptr,
          .bytes = deferred.bytes,
          .traits = deferred.traits,
          .site = deferred.site,
          .count = deferred.count,
          .step = deferred.step};
}

bool DeferredAccesses::ownAll() {
  isOwned_ = true;
  if (owners_.size() < bytes_) owners_.resize(bytes_);
  if (++epoch_ >> (32 - kThreadBits - kKindBits) != 0) {
    std::ranges::fill(owners_, 0);
    epoch_ = 1;
  }
  LaneCall::Places places;
  for (uint32_t i = 0; i < count_; ++i)
    if (!own(get(deferred_[i], places), offsetsOf(deferred_[i]))) return false;
  return true;
}

bool DeferredAccesses::own(const LaneCall &call, const uint32_t *offsets) {
  if ((call.traits & HW_ACCESS_ATOMIC) != 0) return ownAs<Updated>(call, offsets);
  return (call.traits & HW_ACCESS_WRITES) != 0 ? ownAs<Written>(call, offsets) : ownAs<Read>(call, offsets);
}

// ownUnit(): what is of another epoch is nobody's.
template <DeferredAccesses::Kind kind>
inline bool DeferredAccesses::ownUnit(uint32_t &owner, uint32_t epoch, uint32_t thread) {
  constexpr uint32_t kindMask = (1u << kKindBits) - 1;
  const auto as = [&](Kind next, uint32_t who) { return (epoch << kKindBits | next) << kThreadBits | who; };
  const bool isNew = owner >> (kThreadBits + kKindBits) != epoch;
  if constexpr (kind == Updated) {
    if (isNew) owner = as(Updated, 0);
    return owner == as(Updated, 0);
  }
  const bool isMine = isNew || owner == as(Written, thread) || owner == as(Read, thread);
  if constexpr (kind == Written) {
    if (!isMine) return false;
    owner = as(Written, thread);
    return true;
  }
  if (isMine) {
    if (isNew) owner = as(Read, thread);
    return true;
  }
  const uint32_t before = owner >> kThreadBits & kindMask;
  if (before == Read) owner = as(ReadByMany, 0);
  return before <= ReadByMany;
}

template <DeferredAccesses::Kind kind, class OffsetOf>
inline bool DeferredAccesses::ownWords(const LaneCall &call, OffsetOf offsetOf) {
  uint32_t *const owners = owners_.data();
  uint8_t *const everWritten = everWritten_.data();
  const uint32_t epoch = epoch_;
  bool isMine = true;
  const auto ownOf = [&](uint32_t index) {
    const uint32_t offset = offsetOf(index), word = offset / 4;
    isMine = isMine && offset % 4 == 0 && ownUnit<kind>(owners[word], epoch, call.thread + index);
    if constexpr (kind == Written) everWritten[word] |= static_cast<uint8_t>(isMine);
  };
  if (call.lanes == ~0u)
    for (uint32_t index = 0; index < 32; ++index) ownOf(index);
  else
    for (uint32_t rest = call.lanes; rest != 0; rest &= rest - 1) ownOf(static_cast<uint32_t>(std::countr_zero(rest)));
  return isMine;
}

template <DeferredAccesses::Kind kind>
bool DeferredAccesses::ownAs(const LaneCall &call, const uint32_t *offsets) {
  const auto start = static_cast<uint32_t>(call.start - start_), stride = static_cast<uint32_t>(call.stride);
  const auto turns = static_cast<uint32_t>(call.step == 0 ? 1 : call.count);
  if (turns == 1 && call.bytes == 4 && !areBytes_ && offsets != nullptr)
    return ownWords<kind>(call, [offsets](uint32_t index) { return offsets[index]; });
  if (turns == 1 && call.bytes == 4 && !areBytes_)
    return ownWords<kind>(call, [start, stride](uint32_t index) { return start + stride * index; });
  for (uint32_t turn = 0; turn < turns; ++turn)
    for (uint32_t rest = call.lanes; rest != 0; rest &= rest - 1) {
      const auto index = static_cast<uint32_t>(std::countr_zero(rest));
      const uint32_t first = offsets != nullptr ? offsets[index] : start + stride * index;
      const uint32_t from = first + turn * static_cast<uint32_t>(call.step);
      const uint32_t last = from + static_cast<uint32_t>(call.bytes) - 1, shift = areBytes_ ? 0 : 2;
      for (uint32_t unit = from >> shift; unit <= last >> shift; ++unit)
        if (!ownUnit<kind>(owners_[unit], epoch_, call.thread + index)) return false;
      if constexpr (kind == Written)
        for (uint32_t word = from / 4; word <= last / 4; ++word) everWritten_[word] = 1;
    }
  return true;
}

void DeferredAccesses::markWritten(const LaneCall &call, const Stretch &stretch) {
  const uint32_t fromLowest = call.lanes >> std::countr_zero(call.lanes);
  const bool isOnePiece = call.addresses == nullptr && static_cast<uint64_t>(std::abs(call.stride)) <= call.bytes &&
                          (fromLowest & (fromLowest + 1)) == 0;
  const auto mark = [&](uint64_t from, uint64_t to) {
    std::fill(everWritten_.begin() + static_cast<ptrdiff_t>(from / 4),
              everWritten_.begin() + static_cast<ptrdiff_t>((to + 3) / 4), 1);
  };
  if (isOnePiece) return mark(stretch.from, stretch.to);
  for (uint32_t rest = call.lanes; rest != 0; rest &= rest - 1) {
    const uintptr_t offset = call.startOf(static_cast<uint32_t>(std::countr_zero(rest))) - start_;
    mark(offset, offset + call.bytes);
  }
}

}  // namespace hostwarp::check
