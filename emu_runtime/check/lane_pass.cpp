#include "emu_runtime/check/lane_pass.h"

namespace hostwarp::check {

template <class Who>
const LanePass::Seen &LanePass::look(uint32_t id) {
  Seen &seen = others_.seen[id / Accesses::kWarps % others_.seen.size()];
  if (seen.id == id) return seen;
  if constexpr (std::is_same_v<Who, Row>)
    lookAt<Who>(seen, history_.recordOfAll(id));
  else
    lookAt<Who>(seen, history_.record(id));
  seen.id = id;
  return seen;
}

template <class Who>
void LanePass::lookAt(Seen &seen, const AccessRecord &record) const {
  const bool isOfBlock = record.block == block_.linear() && record.launch == block_.launch();
  seen = {.isAlike = record.isAtomic() == isAtomic_ && (record.traits & HW_ACCESS_IN_BLOCK) == 0 &&
                     (writes_ || !record.writes()),
          .isOfLaunch = record.launch == block_.launch(),
          .isOfTime = isOfBlock && record.time == time_};
  const bool isPending = record.isInFlight() && seen.isOfLaunch;
  if (isPending) seen.isAlike = false;
  if (record.lock.address != 0 || isPending) return;
  // Rows of a block's record may be of any of its warps.
  const bool areOfAll = std::is_same_v<Who, Row> && record.isOfBlock;
  if (areOfAll ? block_.areBefore(record, warp_ * 32) : block_.betweenBarriers(record, ~0u, warp_ * 32) == 0)
    seen.before = Before::Known;
  else if (isOfBlock && (areOfAll || record.warp == warp_))
    seen.before = Before::Own;
}

template <class Who>
bool LanePass::findOver(Accesses some, uint32_t who) {
  const Before before = look<Who>(some.id).before;
  if (before == Before::Known) others_.known = some.id;
  if (before != Before::Own) return before == Before::Known;
  if constexpr (std::is_same_v<Who, Row>) {
    others_.own = some.id;
    return Row(some.lanes).isLike(Row(who));
  }
  return some.lanes == who && (who & (who - 1)) == 0;
}

template <class Who>
bool LanePass::findEachOver(Accesses set, uint32_t who) {
  bool areKnown = true, areOver = true;
  history_.forEach(set, [&](Accesses each) {
    areKnown = areKnown && look<Who>(each.id).before == Before::Known;
    return areOver = isOver<Who>(each, who);
  });
  if (areKnown && areOver) others_.past = set.id;
  return areOver;
}

// joinsWrite(): the rest of the chunk has been written by the same row of threads.
template <class Who>
bool LanePass::joinsWrite(Cell &cell, uint32_t who) {
  return cell.write.id == mine_ && cell.others.none() && joins<Who>(cell.write, who);
}

bool LanePass::grow(Accesses &others, uint32_t who) {
  if (others.isSet && !history_.mayGrow(others)) return false;
  others = history_.with(others, mine(who));
  return true;
}

template <class Who>
bool LanePass::addToOne(Accesses &others, uint32_t who) {
  if (others.id == mine_) return grow(others, who);
  const Seen seen = look<Who>(others.id);
  if (!seen.isAlike) return false;
  if (seen.before == Before::Known) others_.pastKind = others.id;
  const bool isReplaced = isAll<Who>(who) ? isOver<Who>(others, who) : seen.before == Before::Known;
  others = isReplaced ? mine(who) : history_.with(others, mine(who));
  return true;
}

// addToOwn() is addToSet() where the record's own accesses have been added last.
template <class Who>
bool LanePass::addToOwn(Accesses &others, uint32_t who) {
  Accesses last = history_.last(others);
  const uint32_t before = last.lanes;
  if (!joins<Who>(last, who)) return isSecond(others, mine(who)) || grow(others, who);
  if (last.lanes != before) others = history_.with(history_.before(others), last);
  return true;
}

template <class Who>
bool LanePass::addToSet(Accesses &others, uint32_t who) {
  const Accesses last = history_.last(others);
  if (last.id == mine_) return addToOwn<Who>(others, who);
  const uint32_t traits = history_.traits(others);
  const bool isAlike = isAtomic_ ? (traits & (AccessHistory::isPlain | HW_ACCESS_IN_BLOCK)) == 0
                                 : (traits & (HW_ACCESS_WRITES | HW_ACCESS_ATOMIC)) == 0;
  if (!isAlike) return false;
  if (isSecond(others, mine(who))) return true;
  if (!isOver<Who>(last, who)) return grow(others, who);
  if (!areOver<Who>(others, who) || (!isAll<Who>(who) && !areKnown<Who>(others))) return false;
  others = mine(who);
  return true;
}

// isSecond(): it has been added to the set before the last one, as where each half of a warp reads the same row, or
// lanes read a word at two places in turn.
bool LanePass::isSecond(Accesses set, Accesses each) const {
  const Accesses before = history_.before(set);
  return (before.isSet ? history_.last(before) : before) == each;
}

// areOfWarps(): those of the two that access the same bytes are never of one warp. pre: they are of the block.
template <class Who>
bool LanePass::areOfWarps(Accesses one, Accesses other) {
  if constexpr (!std::is_same_v<Who, Row>) return one.id % Accesses::kWarps != other.id % Accesses::kWarps;
  return Row::areApart(Row(one.lanes), Row(other.lanes));
}

template <class Who>
bool LanePass::findEnough(Accesses set) {
  const Accesses rest = history_.before(set), last = history_.last(set),
                 before = rest.isSet ? history_.last(rest) : rest;
  if (!isAll<Who>(last.lanes) || !isAll<Who>(before.lanes)) return false;
  const Seen one = look<Who>(last.id), other = look<Who>(before.id);
  if (!one.isAlike || !other.isAlike || !one.isOfLaunch || !other.isOfLaunch) return false;
  const bool areApart = one.isOfTime && other.isOfTime && areOfWarps<Who>(last, before);
  const AccessRecord &lastRecord = history_.recordOfAll(last.id), &beforeRecord = history_.recordOfAll(before.id);
  const bool areOfBlocks = lastRecord.block != beforeRecord.block;
  if (!areOfBlocks && !areApart) return false;
  // Readers of two blocks are so to all others, too, if they come to the next barrier.
  constexpr uint32_t meet = HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES;
  if (areOfBlocks && isPlainRead_ && (lastRecord.traits & beforeRecord.traits & meet) == meet)
    history_.setEnough(set, kindOf<Who>(), block_.launch());
  others_.enough[set.id & 1] = set.id;
  return true;
}

// Both kinds are used by race_detector.cpp.
template const LanePass::Seen &LanePass::look<LanePass::Lanes>(uint32_t);
template const LanePass::Seen &LanePass::look<Row>(uint32_t);
template bool LanePass::findOver<LanePass::Lanes>(Accesses, uint32_t);
template bool LanePass::findOver<Row>(Accesses, uint32_t);
template bool LanePass::findEachOver<LanePass::Lanes>(Accesses, uint32_t);
template bool LanePass::findEachOver<Row>(Accesses, uint32_t);
template bool LanePass::joinsWrite<LanePass::Lanes>(Cell &, uint32_t);
template bool LanePass::joinsWrite<Row>(Cell &, uint32_t);
template bool LanePass::addToOne<LanePass::Lanes>(Accesses &, uint32_t);
template bool LanePass::addToOne<Row>(Accesses &, uint32_t);
template bool LanePass::addToSet<LanePass::Lanes>(Accesses &, uint32_t);
template bool LanePass::addToSet<Row>(Accesses &, uint32_t);
template bool LanePass::findEnough<LanePass::Lanes>(Accesses);
template bool LanePass::findEnough<Row>(Accesses);

}  // namespace hostwarp::check
