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
  // `mine` is the record of the accesses, which lanes of the warp make whose threads' state is alike, or threads of the
  // block; `others` is what is known from there; `past` is what all of them know to be over.
  LanePass(BlockState &block, AccessHistory &history, Past past, uint32_t warp, const RecentRecord &mine,
           RecordsKnown &others)
      : block_(block),
        history_(history),
        past_(past),
        warp_(warp),
        mine_(mine.id),
        isAtomic_((mine.traits & HW_ACCESS_ATOMIC) != 0),
        writes_((mine.traits & HW_ACCESS_WRITES) != 0),
        isPlainWrite_(!isAtomic_ && writes_),
        isPlainRead_(!isAtomic_ && !writes_),
        isEnough_((~mine.traits & (HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES)) == 0),
        time_(mine.time),
        others_(others) {}

  // note() notes an access by these lanes, or by a row of threads, of the whole cell; false: nothing has been noted, it
  // needs more than a look.
  bool note(Cell &cell, uint32_t lanes) { return note<Lanes>(cell, lanes); }
  bool note(Cell &cell, Row row) { return note<Row>(cell, row.code()); }
  // noteEach() notes a row of as many whole chunks; returns before which one it needs more than a look at what is
  // known.
  size_t noteEach(Chunk *chunks, size_t count, Row row) {
    const uint32_t known = others_.known, past = others_.past, pastKind = others_.pastKind, own = others_.own;
    const Accesses mine = this->mine(row.code());
    const auto isOver = [&](Accesses some) {
      return past_.holds(some) ||
             (!some.isSet && (some.id == known || (some.id == own && Row(some.lanes).isLike(row))));
    };
    for (size_t i = 0; i < count; ++i) {
      if (!chunks[i].isOne()) return i;
      Cell &cell = chunks[i].whole();
      if (!isOver(cell.write)) return i;
      if (isPlainWrite_) {
        if (!isOver(cell.others) && !(cell.others.isSet && cell.others.id == past)) return i;
        cell = {.write = mine, .others = {}};
      } else if (past_.holds(cell.others) || (!cell.others.isSet && cell.others.id == pastKind)) {
        cell.others = mine;
      } else if (cell.others != mine &&
                 !(isEnough_ && cell.others.isSet && cell.others.id == others_.enough[cell.others.id & 1])) {
        return i;
      }
    }
    return count;
  }
  // areOver(): all that the cells of a chunk that is not one have seen of the byte comes before what the lanes do now.
  bool areOver(const Cell &cell, uint32_t lanes) {
    return isOver<Lanes>(cell.write, lanes) && areOver<Lanes>(cell.others, lanes);
  }
  bool isPlainWrite() const { return isPlainWrite_; }
  // write() makes it a chunk of this row. pre: its cells' accesses are over.
  void write(ShadowRegion &region, Chunk &chunk, Row row) {
    region.join(chunk);
    chunk.whole().write = mine(row.code());
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
    if (!isAll<Who>(who) && !areKnown<Who>(cell)) return joinsWrite<Who>(cell, who);
    cell = {.write = mine(who), .others = {}};
    return true;
  }
  // isAll(): they access all bytes of the cell.
  template <class Who>
  static bool isAll(uint32_t who) {
    return !std::is_same_v<Who, Row> || Row(who).isWhole();
  }
  // isOver(): each of these accesses comes before all that `who` do now, as far as they touch the same bytes.
  template <class Who>
  bool isOver(Accesses some, uint32_t who) {
    if (past_.holds(some) || some.id == others_.known) return true;
    if (std::is_same_v<Who, Row> && some.id == others_.own) return Row(some.lanes).isLike(Row(who));
    return findOver<Who>(some, who);
  }
  template <class Who>
  bool areOver(Accesses others, uint32_t who) {
    if (!others.isSet) return isOver<Who>(others, who);
    return past_.holds(others) || others.id == others_.past || findEachOver<Who>(others, who);
  }
  // areKnown(): all of these accesses, to whichever bytes, come before all that is done now.
  template <class Who>
  bool areKnown(Accesses some) {
    if (past_.holds(some)) return true;
    bool areKnown = true;
    history_.forEach(some, [&](Accesses each) { return areKnown = look<Who>(each.id).before == Before::Known; });
    return areKnown;
  }
  template <class Who>
  bool areKnown(const Cell &cell) {
    return areKnown<Who>(cell.write) && areKnown<Who>(cell.others);
  }
  template <class Who>
  bool addTo(Accesses &others, uint32_t who) {
    if (past_.holds(others) || (!others.isSet && others.id == others_.pastKind)) {
      others = mine(who);
      return true;
    }
    if (others.isSet) return (isEnough_ && isEnough<Who>(others)) || addToSet<Who>(others, who);
    if (others.id == mine_ && joins<Who>(others, who)) return true;
    return addToOne<Who>(others, who);
  }
  // joins() makes accesses of the same record stand for those of `who`, too, if it can.
  template <class Who>
  static bool joins(Accesses &mine, uint32_t who) {
    if constexpr (!std::is_same_v<Who, Row>) {
      mine.lanes |= who;
      return true;
    }
    if (mine.lanes == who) return true;
    const Row row(mine.lanes), more(who);
    if (!row.isLike(more) || !row.joins(more)) return false;
    mine.lanes = row.with(more).code();
    return true;
  }

  template <class Who>
  const Seen &look(uint32_t id);
  template <class Who>
  void lookAt(Seen &seen, const AccessRecord &record) const;
  template <class Who>
  bool findOver(Accesses some, uint32_t who);
  template <class Who>
  bool findEachOver(Accesses set, uint32_t who);
  template <class Who>
  bool joinsWrite(Cell &cell, uint32_t who);
  template <class Who>
  bool addToOne(Accesses &others, uint32_t who);
  template <class Who>
  bool addToSet(Accesses &others, uint32_t who);
  template <class Who>
  bool addToOwn(Accesses &others, uint32_t who);
  bool grow(Accesses &others, uint32_t who);
  bool isSecond(Accesses set, Accesses each) const;
  // isEnough(): whoever makes an access that the new one would disturb, one of the set's last two disturbs it, too.
  // They are of two blocks, or of two warps of this one, between the same barriers, and all come to the next one.
  template <class Who>
  bool isEnough(Accesses set) {
    if (set.id == others_.enough[set.id & 1]) return true;
    return (isPlainRead_ && history_.enoughFor(set, kindOf<Who>()) == block_.launch() + 1) || findEnough<Who>(set);
  }
  template <class Who>
  static constexpr AccessHistory::Kind kindOf() {
    return std::is_same_v<Who, Row> ? AccessHistory::Kind::Rows : AccessHistory::Kind::Lanes;
  }
  template <class Who>
  bool findEnough(Accesses set);
  template <class Who>
  static bool areOfWarps(Accesses one, Accesses other);

  BlockState &block_;
  AccessHistory &history_;
  const Past past_;
  const uint32_t warp_, mine_;
  const bool isAtomic_, writes_, isPlainWrite_, isPlainRead_, isEnough_;
  const Time time_;
  RecordsKnown &others_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_LANE_PASS_H
