#include "fibers/lane_exchange.h"

#include <algorithm>
#include <bit>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::fibers {
namespace {

template <typename Visit>
inline void forEachLane(uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<uint32_t>(std::countr_zero(lanes)));
}

struct ShuffleSource {
  uint32_t lane;
  bool inRange;
};

// sourceOf() follows the definition of shfl.sync in the PTX manual, with the clamp and segment mask that CUDA's headers
// pass for a width.
ShuffleSource sourceOf(uint32_t lane, int kind, uint32_t operand, uint32_t width) {
  const uint32_t segmentMask = (32 - width) & 31;
  const uint32_t clamp = kind == HW_SHFL_UP ? 0 : 31;
  const uint32_t first = lane & segmentMask;
  const uint32_t last = first | (clamp & ~segmentMask);
  const uint32_t b = operand & 31;
  switch (kind) {
    case HW_SHFL_UP:
      return {lane - b, static_cast<int32_t>(lane - b) >= static_cast<int32_t>(last)};
    case HW_SHFL_DOWN:
      return {lane + b, lane + b <= last};
    case HW_SHFL_BFLY:
      return {lane ^ b, (lane ^ b) <= last};
    default:
      return {first | (b & ~segmentMask), (first | (b & ~segmentMask)) <= last};
  }
}

void shuffle(uint32_t participants, LaneExchange *const *lanes) {
  uint64_t values[32];
  forEachLane(participants, [&](uint32_t lane) { values[lane] = lanes[lane]->value; });
  forEachLane(participants, [&](uint32_t lane) {
    LaneExchange &self = *lanes[lane];
    const ShuffleSource source = sourceOf(lane, self.operation, self.operand, self.width);
    // A lane that does not take part has no value to give; the caller's own is the least surprising answer.
    const bool readable = source.inRange && (participants >> source.lane & 1) != 0;
    self.result = readable ? values[source.lane] : self.value;
    self.flag = source.inRange;
  });
}

void vote(uint32_t participants, LaneExchange *const *lanes) {
  uint32_t ballot = 0;
  forEachLane(participants, [&](uint32_t lane) { ballot |= static_cast<uint32_t>(lanes[lane]->value != 0) << lane; });
  forEachLane(participants, [&](uint32_t lane) {
    switch (lanes[lane]->operation) {
      case HW_VOTE_ALL:
        lanes[lane]->result = ballot == participants;
        break;
      case HW_VOTE_ANY:
        lanes[lane]->result = ballot != 0;
        break;
      case HW_VOTE_UNI:
        lanes[lane]->result = ballot == participants || ballot == 0;
        break;
      default:
        lanes[lane]->result = ballot;
        break;
    }
  });
}

void matchAny(uint32_t participants, LaneExchange *const *lanes) {
  for (uint32_t rest = participants; rest != 0;) {
    const uint64_t value = lanes[std::countr_zero(rest)]->value;
    uint32_t equal = 0;
    forEachLane(rest, [&](uint32_t lane) { equal |= static_cast<uint32_t>(lanes[lane]->value == value) << lane; });
    forEachLane(equal, [&](uint32_t lane) { lanes[lane]->result = equal; });
    rest &= ~equal;
  }
}

void matchAll(uint32_t participants, LaneExchange *const *lanes) {
  const uint64_t value = lanes[std::countr_zero(participants)]->value;
  bool equal = true;
  forEachLane(participants, [&](uint32_t lane) { equal = equal && lanes[lane]->value == value; });
  forEachLane(participants, [&](uint32_t lane) {
    lanes[lane]->result = equal ? participants : 0;
    lanes[lane]->flag = equal;
  });
}

uint32_t combine(int operation, uint32_t a, uint32_t b) {
  switch (operation) {
    case HW_REDUCE_ADD:
      return a + b;
    case HW_REDUCE_MIN_S:
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(a), static_cast<int32_t>(b)));
    case HW_REDUCE_MAX_S:
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(a), static_cast<int32_t>(b)));
    case HW_REDUCE_MIN_U:
      return std::min(a, b);
    case HW_REDUCE_MAX_U:
      return std::max(a, b);
    case HW_REDUCE_AND:
      return a & b;
    case HW_REDUCE_OR:
      return a | b;
    default:
      return a ^ b;
  }
}

void reduce(uint32_t participants, LaneExchange *const *lanes) {
  const uint32_t first = static_cast<uint32_t>(std::countr_zero(participants));
  const int operation = lanes[first]->operation;
  uint32_t sum = static_cast<uint32_t>(lanes[first]->value);
  forEachLane(participants & ~(1u << first),
              [&](uint32_t lane) { sum = combine(operation, sum, static_cast<uint32_t>(lanes[lane]->value)); });
  forEachLane(participants, [&](uint32_t lane) { lanes[lane]->result = sum; });
}

// together() hands every lane's pointer to the work that they brought along.
void together(uint32_t participants, LaneExchange *const *lanes) {
  void *handed[32] = {};
  forEachLane(participants, [&](uint32_t lane) { handed[lane] = reinterpret_cast<void *>(lanes[lane]->value); });
  lanes[std::countr_zero(participants)]->work(handed);
}

}  // namespace

void computeResults(Collective collective, uint32_t participants, LaneExchange *const *lanes) {
  switch (collective) {
    case Collective::SyncWarp:
      break;
    case Collective::Shuffle:
      return shuffle(participants, lanes);
    case Collective::Vote:
      return vote(participants, lanes);
    case Collective::MatchAny:
      return matchAny(participants, lanes);
    case Collective::MatchAll:
      return matchAll(participants, lanes);
    case Collective::Reduce:
      return reduce(participants, lanes);
    case Collective::Together:
      return together(participants, lanes);
    case Collective::ActiveMask:
      return forEachLane(participants, [&](uint32_t lane) { lanes[lane]->result = participants; });
  }
}

}  // namespace hostwarp::fibers
