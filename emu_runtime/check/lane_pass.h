// The quick way through the cells of an access by lanes that have not talked to others but at barriers.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_LANE_PASS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_LANE_PASS_H

#include <array>
#include <cstdint>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/shadow_memory.h"

namespace hostwarp::check {

// LanePass notes accesses in cells, as far as a look at the records before is enough. What a record is to the warp is
// found out once, since neighbouring cells mostly have the same.
class LanePass {
 public:
  // `mine` is the record of the accesses, which lanes of the warp make whose threads' state is alike.
  LanePass(BlockState &block, AccessHistory &history, uint32_t warp, uint32_t mine)
      : block_(block),
        history_(history),
        warp_(warp),
        mine_(mine),
        isAtomic_(history.record(mine).isAtomic()),
        writes_(history.record(mine).writes()),
        isPlainWrite_(!isAtomic_ && writes_),
        isEnough_((history.record(mine).traits & HW_ACCESS_ONLY_BARRIERS) != 0) {}

  // note() notes an access by these lanes, or by a row of them, of the whole cell; false: nothing has been noted, it
  // needs more than a look.
  bool note(Cell &cell, uint32_t lanes) { return note<Lanes>(cell, lanes); }
  bool note(Cell &cell, Row row) { return note<Row>(cell, row.code()); }
  // note() is false where the chunk has to be looked at by its cells.
  bool note(ShadowRegion &region, Chunk &chunk, Row row) {
    if (chunk.isOne()) return note(chunk.whole(), row);
    return isPlainWrite_ && writeAll(region, chunk, row);
  }

 private:
  class Lanes;

  // Known: all that the record's lanes did happened before. Own: it is of the same warp.
  enum class Before : uint8_t { Known, Own, Other };
  struct Seen {
    uint32_t id = 0;
    Before before = Before::Other;
    bool isAlike = false;                       // accesses of the kind do not disturb each other
    bool isOfLaunch = false, isOfTime = false;  // of mine; of my block, between the same barriers
  };

  Accesses mine(uint32_t who) const { return {.id = mine_, .isSet = 0, .lanes = who}; }
  template <class Who>
  bool note(Cell &cell, uint32_t who) {
    if (!cell.write.none() && !isOver<Who>(cell.write, who)) return false;
    if (!isPlainWrite_) return addTo<Who>(cell.others, who);
    if (!cell.others.none() && !areOver<Who>(cell.others, who)) return false;
    cell = {.write = mine(who), .others = {}};
    return true;
  }
  // isOver(): each of these accesses comes before all that `who` do now.
  template <class Who>
  bool isOver(Accesses some, uint32_t who) {
    return some.id == lastKnown_ || findOver<Who>(some, who);
  }
  template <class Who>
  bool areOver(Accesses others, uint32_t who) {
    if (!others.isSet) return isOver<Who>(others, who);
    return others.id == lastPast_ || findEachOver<Who>(others, who);
  }
  template <class Who>
  bool addTo(Accesses &others, uint32_t who) {
    if (others.none() || (!others.isSet && others.id == lastPastKind_)) {
      others = mine(who);
      return true;
    }
    return others.isSet ? addToSet<Who>(others, who) : addToOne<Who>(others, who);
  }

  const Seen &look(uint32_t id);
  template <class Who>
  bool findOver(Accesses some, uint32_t who);
  template <class Who>
  bool findEachOver(Accesses set, uint32_t who);
  template <class Who>
  bool addToOne(Accesses &others, uint32_t who);
  template <class Who>
  bool addToSet(Accesses &others, uint32_t who);
  bool isSecond(Accesses set, Accesses each) const;
  template <class Who>
  bool isEnough(Accesses set, uint32_t who);
  bool writeAll(ShadowRegion &region, Chunk &chunk, Row row);

  BlockState &block_;
  AccessHistory &history_;
  const uint32_t warp_, mine_;
  const bool isAtomic_, writes_, isPlainWrite_, isEnough_;
  // The last of which all is known: a record, one of the same kind as mine, a set.
  uint32_t lastKnown_ = 0, lastPastKind_ = 0, lastPast_ = 0;
  std::array<Seen, 8> seen_{};
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_LANE_PASS_H
