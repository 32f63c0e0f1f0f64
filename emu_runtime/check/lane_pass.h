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
  // `mine` is the record of the accesses, which lanes of the warp make whose threads' state is alike; `past` is what
  // all of them know to be over.
  LanePass(BlockState &block, AccessHistory &history, Past past, uint32_t warp, RecentRecord &mine)
      : block_(block),
        history_(history),
        past_(past),
        warp_(warp),
        mine_(mine.id),
        isAtomic_((mine.traits & HW_ACCESS_ATOMIC) != 0),
        writes_((mine.traits & HW_ACCESS_WRITES) != 0),
        isPlainWrite_(!isAtomic_ && writes_),
        isEnough_((~mine.traits & (HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES)) == 0),
        time_(mine.time),
        others_(mine.others) {}

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

  using Before = RecordsKnown::Before;
  using Seen = RecordsKnown::Seen;

  Accesses mine(uint32_t who) const { return {.id = mine_, .isSet = 0, .lanes = who}; }
  template <class Who>
  bool note(Cell &cell, uint32_t who) {
    if (!isOver<Who>(cell.write, who)) return false;
    if (!isPlainWrite_) return addTo<Who>(cell.others, who);
    if (!areOver<Who>(cell.others, who)) return false;
    cell = {.write = mine(who), .others = {}};
    return true;
  }
  // isOver(): each of these accesses comes before all that `who` do now.
  template <class Who>
  bool isOver(Accesses some, uint32_t who) {
    return past_.holds(some) || some.id == others_.known || findOver<Who>(some, who);
  }
  template <class Who>
  bool areOver(Accesses others, uint32_t who) {
    if (!others.isSet) return isOver<Who>(others, who);
    return past_.holds(others) || others.id == others_.past || findEachOver<Who>(others, who);
  }
  template <class Who>
  bool addTo(Accesses &others, uint32_t who) {
    if (past_.holds(others) || (!others.isSet && others.id == others_.pastKind)) {
      others = mine(who);
      return true;
    }
    if (others.isSet) return (isEnough_ && isEnough(others)) || addToSet<Who>(others, who);
    if (std::is_same_v<Who, Lanes> && others.id == mine_) {
      others.lanes |= who;
      return true;
    }
    return addToOne<Who>(others, who);
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
  // isEnough(): whoever makes an access that the new one would disturb, one of the set's last two disturbs it, too.
  // They are of two blocks, or of two warps of this one, between the same barriers, and all come to the next one.
  bool isEnough(Accesses set) { return set.id == others_.enough[set.id & 1] || findEnough(set); }
  bool findEnough(Accesses set);
  bool writeAll(ShadowRegion &region, Chunk &chunk, Row row);

  BlockState &block_;
  AccessHistory &history_;
  const Past past_;
  const uint32_t warp_, mine_;
  const bool isAtomic_, writes_, isPlainWrite_, isEnough_;
  const Time time_;
  RecordsKnown &others_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_LANE_PASS_H
