// What the lanes of a warp give to a collective and take from it.
#ifndef HOSTWARP_FIBERS_LANE_EXCHANGE_H
#define HOSTWARP_FIBERS_LANE_EXCHANGE_H

#include <cstdint>

namespace hostwarp::fibers {

// Collective is the family a warp rendezvous belongs to: lanes meet only in the same one.
enum class Collective : uint8_t { SyncWarp, Shuffle, Vote, MatchAny, MatchAll, Reduce, Together, ActiveMask };

// LaneExchange is one lane's part.
struct LaneExchange {
  uint64_t value = 0;
  uint64_t result = 0;
  uint32_t operand = 0;  // lane or delta of a shuffle
  uint32_t width = 32;
  uint32_t flag = 0;                      // second result: in range, all equal
  uint8_t operation = 0;                  // hw_shuffle, hw_vote or hw_warp_reduction
  void (*work)(void *const *) = nullptr;  // of hw_warp_together() and hw_tile_together()
};

// computeResults() performs `collective` among `participants`: reads value, operand, width and operation of each lane
// and writes result and flag [PTX: shfl.sync, vote.sync, match.sync, redux.sync].
void computeResults(Collective collective, uint32_t participants, LaneExchange *const *lanes);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_LANE_EXCHANGE_H
