// Accesses to shared memory that nobody has looked at yet: they matter only to others before the next barrier.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_DEFERRED_ACCESSES_H
#define HOSTWARP_EMU_RUNTIME_CHECK_DEFERRED_ACCESSES_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "emu_runtime/check/lane_call.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

// DeferredAccesses has what a block's threads have done in its shared memory since its last barrier, in their order, as
// long as no two of them disturb each other: no thread writes a word that another one has touched, nor touches one that
// another one has written. What is still there at a barrier of all threads needs no look: all that follows comes behind
// it. It is for kernels in which nothing else orders threads.
class DeferredAccesses {
 public:
  // begin(): the block's shared memory; `mayDefer` false: everything has to be looked at. `launch` is the block's, by
  // which it remembers whether it was worth while.
  void begin(uintptr_t start, uint64_t bytes, uint64_t launch, bool mayDefer);
  // defer() is false where the access has to be looked at now, and with it, if they touch(), by settle(), all that have
  // been put off. pre: the call is of some accesses.
  bool defer(const LaneCall &call) {
    if (!isOpen_ || !isDeferrable(call.traits) || count_ >= kMost) return false;
    const uintptr_t first = call.startOf(static_cast<uint32_t>(std::countr_zero(call.lanes)));
    if (first - start_ >= bytes_) return false;
    return call.addresses != nullptr ? deferEach(call) : deferRow(call);
  }
  bool mustSettleFor(const Extent &extent) const {
    return isOpen_ && (extent.start - start_ < bytes_ || start_ - extent.start < extent.bytes);
  }
  // settle() hands over what has been put off, as calls, in their order; until the next barrier there will be no more.
  template <class Look>
  void settle(Look look);
  // passesBarrier(): all threads do.
  void passesBarrier() {
    if (worth_ < kLeastWorth) return;
    if (count_ != 0 && worth_ < kMostWorth) ++worth_;
    isOpen_ = mayDefer_;
    forget();
  }
  // isWritten(): some plain access that was put off, now or earlier, has written the word.
  bool isWritten(uint64_t offset) const { return offset < bytes_ && mayDefer_ && everWritten_[offset / 4] != 0; }

 private:
  static constexpr uint32_t kMost = 1u << 14;
  static constexpr int kMostWorth = 64, kLeastWorth = -16;

  // Stretch is some of the shared memory, by offsets.
  struct Stretch {
    uint32_t from, to;
    bool overlaps(const Stretch &other) const { return from < other.to && other.from < to; }
    // joins(): there is no gap between them that is worth a stretch more; rows of a matrix may have a word behind them.
    bool joins(const Stretch &other) const { return from <= other.to + kGap && other.from <= to + kGap; }
    static constexpr uint32_t kGap = 32;
    void add(const Stretch &other) { *this = {std::min(from, other.from), std::max(to, other.to)}; }
  };
  // Stretches are some that hold all that was added, and perhaps more: there are only a few, as many as a kernel mostly
  // has arrays.
  class Stretches {
   public:
    bool overlap(const Stretch &other) const {
      for (uint32_t i = 0; i < count_; ++i)
        if (each_[i].overlaps(other)) return true;
      return false;
    }
    void add(const Stretch &more) {
      for (uint32_t i = 0; i < count_; ++i)
        if (each_[i].joins(more)) return each_[i].add(more);
      if (count_ < each_.size())
        each_[count_++] = more;
      else
        each_.back().add(more);
    }

   private:
    std::array<Stretch, 4> each_;
    uint32_t count_ = 0;
  };
  // Deferred is a LaneCall, of shared memory.
  struct Deferred {
    const hw_access_site *site;
    uint32_t thread, lanes, traits, bytes;
    int32_t start;  // of a lane that need not be there; or where the lanes' offsets are, if there is no stride
    int32_t stride, step;
    uint32_t count;
    bool isEach;
  };
  // Where the stretches of all that was read and written are not enough, an owner says for each word, or for each byte
  // once threads have touched bytes of one word, whose it is: in an epoch, a kind, and a thread.
  enum Kind : uint32_t { Read = 0, ReadByMany = 1, Written = 2, Updated = 3 };
  static constexpr uint32_t kThreadBits = 10, kKindBits = 2;

  static bool isDeferrable(uint32_t traits) {
    constexpr uint32_t wanted = HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES;
    constexpr uint32_t special = HW_ACCESS_COMPARES | HW_ACCESS_COPIES | HW_ACCESS_OF_LIBRARY | HW_ACCESS_ROUNDS;
    return (traits & (wanted | special)) == wanted;
  }
  bool deferRow(const LaneCall &call);
  bool deferEach(const LaneCall &call);
  // defer(): `offsets` are the lanes', if there is no stride.
  bool defer(const LaneCall &call, const Stretch &stretch, const uint32_t *offsets);
  // isClear(): the stretches say that it disturbs nobody.
  bool isClear(const LaneCall &call, const Stretch &stretch) const;
  void add(const LaneCall &call, const Stretch &stretch);
  // ownWith() is false where the access, or what has been put off, disturbs somebody.
  bool ownWith(const LaneCall &call, const uint32_t *offsets);
  bool ownAll();
  // own() is false where that is others'.
  bool own(const LaneCall &call, const uint32_t *offsets);
  template <Kind kind>
  bool ownAs(const LaneCall &call, const uint32_t *offsets);
  template <Kind kind>
  static bool ownUnit(uint32_t &owner, uint32_t epoch, uint32_t thread);
  // ownWords() is ownAs() for one word of each lane; `offsetOf` is of a lane by its index. What is not aligned, which
  // no GPU does, it leaves to others.
  template <Kind kind, class OffsetOf>
  bool ownWords(const LaneCall &call, OffsetOf offsetOf);
  void markWritten(const LaneCall &call, const Stretch &stretch);
  // get() is the call that was put off.
  LaneCall get(const Deferred &deferred, LaneCall::Places &places) const;
  const uint32_t *offsetsOf(const Deferred &deferred) const {
    return deferred.isEach ? &offsets_[static_cast<uint32_t>(deferred.start)] : nullptr;
  }
  void forget() {
    count_ = offsetCount_ = 0;
    read_ = written_ = {};
    isOwned_ = false;
  }

  uintptr_t start_ = 0;
  uint64_t bytes_ = 0, launch_ = ~uint64_t{0};
  bool mayDefer_ = false, isOpen_ = false, isOwned_ = false, areBytes_ = false;
  int worth_ = 0;  // grows with barriers that leave nothing to look at, shrinks where accesses are looked at after all
  Stretches read_, written_;
  uint32_t count_ = 0, offsetCount_ = 0, epoch_ = 0;
  // These grow as they are needed: of a cooperative grid many blocks are there at once.
  std::vector<Deferred> deferred_;
  std::vector<uint32_t> offsets_;  // of lanes that have no stride
  std::vector<uint32_t> owners_;
  std::vector<uint8_t> everWritten_;  // by word: by a plain access that was put off
};

inline bool DeferredAccesses::isClear(const LaneCall &call, const Stretch &stretch) const {
  if (written_.overlap(stretch)) return false;
  if ((call.traits & HW_ACCESS_WRITES) == 0) return true;
  // Lanes may touch each other's bytes.
  const bool isOfOne = (call.lanes & (call.lanes - 1)) == 0;
  const bool areApart =
      isOfOne || (call.addresses == nullptr && static_cast<uint64_t>(std::abs(call.stride)) >= call.bytes);
  return areApart && !read_.overlap(stretch);
}

inline void DeferredAccesses::add(const LaneCall &call, const Stretch &stretch) {
  if (count_ == deferred_.size()) deferred_.resize(2 * deferred_.size() + 64);
  const bool isEach = call.addresses != nullptr;
  // The lanes of several lie in the memory, and so does what is between them.
  const uint32_t lowest = static_cast<uint32_t>(std::countr_zero(call.lanes));
  const bool isOfOne = (call.lanes & (call.lanes - 1)) == 0;
  const uintptr_t start = (isOfOne ? call.startOf(lowest) : call.start) - start_;
  deferred_[count_++] = {.site = call.site,
                         .thread = call.thread,
                         .lanes = call.lanes,
                         .traits = call.traits,
                         .bytes = static_cast<uint32_t>(call.bytes),
                         .start = static_cast<int32_t>(isEach ? offsetCount_ : start),
                         .stride = isOfOne ? 0 : static_cast<int32_t>(call.stride),
                         .step = static_cast<int32_t>(call.step),
                         .count = static_cast<uint32_t>(call.count),
                         .isEach = isEach};
  if (isEach) offsetCount_ += call.last() + 1;
  if ((call.traits & HW_ACCESS_WRITES) == 0) return read_.add(stretch);
  written_.add(stretch);
  if (!isOwned_ && (call.traits & HW_ACCESS_ATOMIC) == 0) markWritten(call, stretch);
}

inline bool DeferredAccesses::defer(const LaneCall &call, const Stretch &stretch, const uint32_t *offsets) {
  if ((isOwned_ || !isClear(call, stretch)) && !ownWith(call, offsets)) return false;
  add(call, stretch);
  return true;
}

inline bool DeferredAccesses::deferRow(const LaneCall &call) {
  const Extent extent = call.extent();
  const uint64_t from = extent.start - start_;
  if (from > bytes_ || extent.bytes > bytes_ - from) return false;
  return defer(call, {static_cast<uint32_t>(from), static_cast<uint32_t>(from + extent.bytes)}, nullptr);
}

template <class Look>
void DeferredAccesses::settle(Look look) {
  isOpen_ = false;
  if (count_ == 0) return;
  worth_ -= 4;
  LaneCall::Places places;
  for (uint32_t i = 0; i < count_; ++i) look(get(deferred_[i], places));
  forget();
}

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_DEFERRED_ACCESSES_H
