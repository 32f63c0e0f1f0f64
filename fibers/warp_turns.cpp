// Warps of a block entry whose lanes run in turns: who meets whom, and who goes on. Block does the same for fibers.
#include <algorithm>
#include <bit>
#include <cstring>

#include "fibers/block.h"
#include "fibers/engine.h"
#include "fibers/engine_section.h"
#include "fibers/lane_exchange.h"
#include "fibers/sync_observer.h"
#include "fibers/turn_frame.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::fibers {
namespace {

constexpr Collective collectiveOf(uint32_t kind) {
  switch (kind) {
    case HW_AT_SHUFFLE:
      return Collective::Shuffle;
    case HW_AT_VOTE:
      return Collective::Vote;
    case HW_AT_MATCH_ANY:
      return Collective::MatchAny;
    case HW_AT_MATCH_ALL:
      return Collective::MatchAll;
    case HW_AT_REDUCE:
      return Collective::Reduce;
    case HW_AT_TOGETHER:
      return Collective::Together;
    case HW_AT_ACTIVEMASK:
      return Collective::ActiveMask;
    default:
      return Collective::SyncWarp;
  }
}

// observedBlock() is what SyncObserver calls the running block; null: nobody looks.
void *observedBlock() {
  return syncObserver != nullptr ? reinterpret_cast<const ObservedThread *>(hw_current)->blockState : nullptr;
}

// tellOfMeeting() tells who looks of lanes that meet at a collective, whose mask is 0 where it names nobody; `all` when
// no live lane is missing.
void tellOfMeeting(void *observed, uint32_t warp, uint32_t kind, uint32_t mask, uint32_t lanes, bool all) {
  if (kind == HW_AT_ACTIVEMASK) return syncObserver->looksAtOrder(observed);
  if (kind != HW_AT_SYNCWARP) return syncObserver->lanesExchange(observed, warp, lanes);
  // Lanes that are only kept in step are not ordered.
  if (mask != 0) syncObserver->lanesMeet(observed, warp, lanes, all);
}

// TurnWarp is one warp between two turns.
class TurnWarp {
 public:
  TurnWarp(const TurnFrame &frame, uint32_t warp)
      : frame_(frame), warp_(warp), first_(warp * 32), count_(std::min(frame.threads() - first_, 32u)) {
    for (uint32_t lane = 0; lane < count_; ++lane) {
      const uint32_t state = frame_.state(first_ + lane);
      if (state == frame_.plan().exit) continue;
      live_ |= 1u << lane;
      if ((state & HW_WAITS) == 0)
        ready_ |= 1u << lane;
      else if (at(lane).kind == HW_AT_SPIN)
        spinning_ |= 1u << lane;
      else if (!waitsForBlock(at(lane).kind))
        meeting_ |= 1u << lane;
    }
    if (void *observed = observedBlock()) syncObserver->lanesEnd(observed, warp_, ended());
  }

  uint32_t live() const { return live_; }
  uint32_t ready() const { return ready_; }
  uint32_t spinning() const { return spinning_; }

  // completeMeetings() lets the lanes go on that have all they wait for.
  void completeMeetings() {
    for (uint32_t rest = meeting_; rest != 0;) {
      const uint32_t group = groupOf(static_cast<uint32_t>(std::countr_zero(rest)));
      rest &= ~group;
      const uint32_t mask = maskOf(static_cast<uint32_t>(std::countr_zero(group)));
      if (((mask != 0 ? mask : ~0u) & live_ & ~group) == 0) complete(group);
    }
  }

  // completeSoft() is for lanes that wait for "whoever comes along", when nobody else can come. __activemask() comes
  // first, for any subset is a right answer there; then what stands first in the code. False: none waits so.
  bool completeSoft() {
    uint32_t first = 0;
    for (uint32_t rest = meeting_; rest != 0;) {
      const uint32_t group = groupOf(static_cast<uint32_t>(std::countr_zero(rest)));
      rest &= ~group;
      if (maskOf(static_cast<uint32_t>(std::countr_zero(group))) != 0) continue;
      if (first == 0 || rank(group) < rank(first)) first = group;
    }
    if (first != 0) complete(first);
    return first != 0;
  }

  // isStuck(): lanes wait at collectives, and nobody goes on who could come there.
  bool isStuck() const { return ready_ == 0 && spinning_ == 0 && meeting_ != 0; }
  bool isTogether() const {
    for (uint32_t lane = 1; lane < 32; ++lane)
      if (frame_.state(first_ + lane) != frame_.state(first_)) return false;
    return true;
  }
  uint32_t region() const { return frame_.state(first_); }

 private:
  uint32_t ended() const { return static_cast<uint32_t>((uint64_t{1} << count_) - 1) & ~live_; }
  const hw_boundary &at(uint32_t lane) const { return frame_.boundary(first_ + lane); }
  std::pair<bool, uint32_t> rank(uint32_t group) const {
    const auto lane = static_cast<uint32_t>(std::countr_zero(group));
    return {at(lane).kind != HW_AT_ACTIVEMASK, frame_.state(first_ + lane)};
  }

  uint32_t maskOf(uint32_t lane) const {
    const uint32_t mask = frame_.number(at(lane).mask, first_ + lane);
    if (mask != 0 && (mask >> lane & 1) == 0)
      failGridAt(Fault::BadCollective, "warp collective with a mask that does not name the calling lane", nullptr);
    return mask;
  }

  // groupOf() are the lanes that wait for the same collective as `lane`. Without a mask only those at the same place.
  uint32_t groupOf(uint32_t lane) const {
    const uint32_t mask = maskOf(lane);
    uint32_t group = 0;
    for (uint32_t rest = meeting_; rest != 0; rest &= rest - 1) {
      const auto other = static_cast<uint32_t>(std::countr_zero(rest));
      const bool same =
          at(other).kind == at(lane).kind && maskOf(other) == mask && (mask != 0 || &at(other) == &at(lane));
      group |= static_cast<uint32_t>(same) << other;
    }
    return group;
  }

  void complete(uint32_t group) {
    LaneExchange lanes[32];
    LaneExchange *pointers[32] = {};
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      frame_.take(at(lane), first_ + lane, lanes[lane]);
      pointers[lane] = &lanes[lane];
    }
    const auto first = static_cast<uint32_t>(std::countr_zero(group));
    computeResults(collectiveOf(at(first).kind), group, pointers);
    if (void *observed = observedBlock())
      tellOfMeeting(observed, warp_, at(first).kind, maskOf(first), group, group == live_);
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      frame_.give(at(lane), first_ + lane, lanes[lane]);
      frame_.state(first_ + lane) &= ~HW_WAITS;
    }
    meeting_ &= ~group;
    ready_ |= group;
  }

  const TurnFrame &frame_;
  uint32_t warp_, first_, count_;
  uint32_t live_ = 0;
  uint32_t ready_ = 0;
  uint32_t meeting_ = 0;   // lanes that wait at a collective
  uint32_t spinning_ = 0;  // lanes that have had their turn
};

// masksAgree(): each lane names itself, and all those that it names name the same ones. A lane that names everybody may
// stand beside others that have left it out: they came here in another turn of a loop.
bool masksAgree(const TurnFrame &frame, const hw_boundary &at, uint32_t first) {
  uint32_t masks[32];
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t mask = frame.number(at.mask, first + lane);
    masks[lane] = mask != 0 ? mask : ~0u;
  }
  for (uint32_t rest = ~0u; rest != 0;) {
    const uint32_t mask = masks[std::countr_zero(rest)];
    uint32_t group = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) group |= static_cast<uint32_t>(masks[lane] == mask) << lane;
    if (group != mask) return false;
    rest &= ~group;
  }
  return true;
}

void meetAll(const TurnFrame &frame, const hw_boundary &at, uint32_t first) {
  LaneExchange lanes[32];
  LaneExchange *pointers[32];
  for (uint32_t lane = 0; lane < 32; ++lane) {
    frame.take(at, first + lane, lanes[lane]);
    pointers[lane] = &lanes[lane];
  }
  for (uint32_t rest = ~0u; rest != 0;) {
    const uint32_t mask = frame.number(at.mask, first + static_cast<uint32_t>(std::countr_zero(rest)));
    const uint32_t group = mask != 0 ? mask : ~0u;
    computeResults(collectiveOf(at.kind), group, pointers);
    if (void *observed = observedBlock()) tellOfMeeting(observed, first / 32, at.kind, mask, group, group == ~0u);
    rest &= ~group;
  }
  for (uint32_t lane = 0; lane < 32; ++lane) frame.give(at, first + lane, lanes[lane]);
}

// barrierOfAll() is what all threads of the block wait at; null: not all wait, or not at one place.
const hw_boundary *barrierOfAll(const TurnFrame &frame) {
  if (!frame.waits(0)) return nullptr;
  // All are equal if each is what the next one is.
  const uint32_t *states = &frame.state(0);
  return std::memcmp(states, states + 1, (frame.threads() - 1) * sizeof *states) == 0 ? &frame.boundary(0) : nullptr;
}

// resultOf() is what a barrier tells its threads, of which so many have arrived, so many of them with a value.
uint32_t resultOf(const hw_boundary &at, uint32_t arrived, uint32_t holding) {
  return at.operation == HW_COUNT ? holding : at.operation == HW_AND ? holding == arrived : holding != 0;
}

// reduceAll() is for threads that all wait at one place.
template <typename T>
void reduceAll(const TurnFrame &frame, const hw_boundary &at) {
  const T *values = frame.values<T>(at);
  uint32_t holding = 0;
  for (uint32_t thread = 0; thread < frame.threads(); ++thread) holding += values[thread] != 0;
  std::fill_n(frame.results<T>(at), frame.threads(), resultOf(at, frame.threads(), holding));
}

void reduceSome(const TurnFrame &frame) {
  const auto reduces = [&](uint32_t thread) {
    return frame.waits(thread) && frame.boundary(thread).kind == HW_AT_BARRIER_REDUCE;
  };
  uint32_t arrived = 0, holding = 0;
  for (uint32_t thread = 0; thread < frame.threads(); ++thread) {
    arrived += frame.waits(thread);
    if (reduces(thread)) holding += frame.value(frame.boundary(thread), thread) != 0;
  }
  for (uint32_t thread = 0; thread < frame.threads(); ++thread) {
    if (!reduces(thread)) continue;
    const hw_boundary &at = frame.boundary(thread);
    LaneExchange lane;
    lane.result = resultOf(at, arrived, holding);
    frame.give(at, thread, lane);
  }
}

}  // namespace
}  // namespace hostwarp::fibers

using namespace hostwarp::fibers;

extern "C" {

HOSTWARP_ABI uint32_t hw_resume_warp(const hw_warp_plan *plan, void *memory, uint32_t index,
                                     uint32_t mayJoin) noexcept {
  EngineSection section;
  const TurnFrame frame(*plan, memory);
  TurnWarp warp(frame, index);
  if (warp.live() == 0) return plan->exit;
  warp.completeMeetings();
  // Who meets while others spin may be whom they wait for: a lane that has the lock, between its stores.
  if (warp.ready() == 0 && warp.completeSoft()) section.fiber()->block->noteProgress();
  if (warp.isStuck())
    failGridAt(Fault::Deadlock, "lanes of a warp wait at a collective for lanes that do not come", nullptr);
  if (warp.ready() == 0) return warp.spinning() != 0 ? HW_SPINS : HW_WAITS;
  return mayJoin != 0 && warp.ready() == ~0u && warp.isTogether() ? warp.region() : HW_SCATTERED;
}

HOSTWARP_ABI void hw_begin_turn(const hw_warp_plan *plan, void *memory, uint32_t index, uint32_t opened) noexcept {
  // A loop that only looks like waiting must not lose much by its stops, and one that waits must not keep for long whom
  // it waits for.
  constexpr int32_t turnsPerStop = 128;
  hw_current->spinBudget = turnsPerStop;
  const TurnFrame frame(*plan, memory);
  const uint32_t end = std::min(index * 32 + 32, frame.threads());
  for (uint32_t thread = index * 32; thread < end; ++thread) {
    if (!frame.waits(thread)) continue;
    const uint32_t kind = frame.boundary(thread).kind;
    if (kind == HW_AT_SPIN || (opened != 0 && isBarrier(kind))) frame.state(thread) &= ~HW_WAITS;
  }
}

HOSTWARP_ABI void hw_yield_block(void) noexcept {
  EngineSection section;
  section.fiber()->block->yield(section.fiber(), __builtin_return_address(0));
}

HOSTWARP_ABI uint32_t hw_meet_warp(const hw_warp_plan *plan, void *memory, uint32_t index, uint32_t region) noexcept {
  EngineSection section;
  const TurnFrame frame(*plan, memory);
  const hw_boundary &at = plan->boundaries[region];
  if (!masksAgree(frame, at, index * 32)) return 0;
  meetAll(frame, at, index * 32);
  return 1;
}

HOSTWARP_ABI void hw_check_meeting(uint32_t warp, uint32_t kind) noexcept {
  if (void *observed = observedBlock()) tellOfMeeting(observed, warp, kind, ~0u, ~0u, true);
}

HOSTWARP_ABI void hw_check_warps(const hw_warp_plan *plan, void *memory) noexcept {
  void *const observed = observedBlock();
  if (observed == nullptr) return;
  const TurnFrame frame(*plan, memory);
  ThreadSet waiting;
  for (uint32_t warp = 0; warp * 32 < frame.threads(); ++warp) {
    const uint32_t count = std::min(frame.threads() - warp * 32, 32u), standing = frame.standing(warp);
    for (uint32_t lane = 0; lane < count; ++lane) {
      const bool waits =
          standing == HW_SCATTERED ? frame.state(warp * 32 + lane) != plan->exit : standing != plan->exit;
      waiting.lanes[warp] |= static_cast<uint32_t>(waits) << lane;
    }
    syncObserver->lanesEnd(observed, warp, static_cast<uint32_t>((uint64_t{1} << count) - 1) & ~waiting.lanes[warp]);
  }
  syncObserver->barrierOpens(observed, 0, waiting, true);
}

HOSTWARP_ABI void hw_reduce_block(const hw_warp_plan *plan, void *memory) noexcept {
  const TurnFrame frame(*plan, memory);
  const hw_boundary *all = barrierOfAll(frame);
  // Most barriers of a kernel that has a reducing one are not it.
  if (all != nullptr && all->kind != HW_AT_BARRIER_REDUCE) return;
  if (all != nullptr)
    all->valueBytes == 8 ? reduceAll<uint64_t>(frame, *all) : reduceAll<uint32_t>(frame, *all);
  else
    reduceSome(frame);
}

}  // extern "C"
