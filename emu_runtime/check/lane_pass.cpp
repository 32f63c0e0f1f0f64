#include "emu_runtime/check/lane_pass.h"

namespace hostwarp::check {

namespace {

// isOne(): there is one lane for each byte of the cell.
template <class Who>
bool isOne(uint32_t who) {
  return std::is_same_v<Who, Row> || (who & (who - 1)) == 0;
}

}  // namespace

const LanePass::Seen &LanePass::look(uint32_t id) {
  Seen &seen = others_.seen[id % others_.seen.size()];
  if (seen.id == id) return seen;
  const AccessRecord &record = history_.record(id);
  const bool isOfBlock = record.block == block_.linear() && record.launch == block_.launch();
  seen = {.id = id,
          .isAlike = record.isAtomic() == isAtomic_ && (record.traits & HW_ACCESS_IN_BLOCK) == 0 &&
                     (writes_ || !record.writes()),
          .isOfLaunch = record.launch == block_.launch(),
          .isOfTime = isOfBlock && record.time == time_};
  const bool isPending = record.isInFlight() && seen.isOfLaunch;
  if (isPending) seen.isAlike = false;
  if (record.lock.address != 0 || isPending) return seen;
  if (block_.betweenBarriers(record, ~0u, warp_ * 32) == 0)
    seen.before = Before::Known;
  else if (isOfBlock && record.warp == warp_)
    seen.before = Before::Own;
  return seen;
}

template <class Who>
bool LanePass::findOver(Accesses some, uint32_t who) {
  const Before before = look(some.id).before;
  if (before == Before::Known) others_.known = some.id;
  return before == Before::Known || (before == Before::Own && some.lanes == who && isOne<Who>(who));
}

template <class Who>
bool LanePass::findEachOver(Accesses set, uint32_t who) {
  bool areKnown = true, areOver = true;
  history_.forEach(set, [&](Accesses each) {
    areKnown = areKnown && look(each.id).before == Before::Known;
    return areOver = isOver<Who>(each, who);
  });
  if (areKnown && areOver) others_.past = set.id;
  return areOver;
}

template <class Who>
bool LanePass::addToOne(Accesses &others, uint32_t who) {
  if (others.id == mine_) {
    if (!std::is_same_v<Who, Row>)
      others.lanes |= who;
    else if (others.lanes != who)
      others = history_.with(others, mine(who));
    return true;
  }
  const Seen seen = look(others.id);
  if (!seen.isAlike) return false;
  if (seen.before == Before::Known) others_.pastKind = others.id;
  others = isOver<Who>(others, who) ? mine(who) : history_.with(others, mine(who));
  return true;
}

template <class Who>
bool LanePass::addToSet(Accesses &others, uint32_t who) {
  const Accesses last = history_.last(others);
  if (last.id == mine_ && std::is_same_v<Who, Row>) return last.lanes == who || isSecond(others, mine(who));
  if (last.id == mine_) {
    if ((last.lanes | who) != last.lanes) others = history_.with(history_.before(others), mine(last.lanes | who));
    return true;
  }
  const uint32_t traits = history_.traits(others);
  const bool isAlike = isAtomic_ ? (traits & (AccessHistory::isPlain | HW_ACCESS_IN_BLOCK)) == 0
                                 : (traits & (HW_ACCESS_WRITES | HW_ACCESS_ATOMIC)) == 0;
  if (!isAlike) return false;
  if (isSecond(others, mine(who))) return true;
  if (!isOver<Who>(last, who)) {
    if (!history_.mayGrow(others)) return false;
    others = history_.with(others, mine(who));
    return true;
  }
  if (!areOver<Who>(others, who)) return false;
  others = mine(who);
  return true;
}

// isSecond(): it has been added to the set before the last one, as where each half of a warp reads the same row, or
// lanes read a word at two places in turn.
bool LanePass::isSecond(Accesses set, Accesses each) const {
  const Accesses before = history_.before(set);
  return (before.isSet ? history_.last(before) : before) == each;
}

bool LanePass::findEnough(Accesses set) {
  const Accesses rest = history_.before(set);
  const uint32_t last = history_.last(set).id, before = rest.isSet ? history_.last(rest).id : rest.id;
  const Seen one = look(last), other = look(before);
  if (!one.isAlike || !other.isAlike || !one.isOfLaunch || !other.isOfLaunch) return false;
  const AccessRecord &oneRecord = history_.record(last), &otherRecord = history_.record(before);
  const bool areOfWarps = one.isOfTime && other.isOfTime && oneRecord.warp != otherRecord.warp;
  if (oneRecord.block == otherRecord.block && !areOfWarps) return false;
  others_.enough[set.id & 1] = set.id;
  return true;
}

bool LanePass::writeAll(ShadowRegion &region, Chunk &chunk, Row row) {
  bool areAllOver = true;
  region.forEachCell(chunk, [&](const Cell &cell, size_t offset) {
    const uint32_t lane = 1u << row.laneAt(offset);
    return areAllOver = isOver<Lanes>(cell.write, lane) && areOver<Lanes>(cell.others, lane);
  });
  if (!areAllOver) return false;
  region.join(chunk);
  chunk.whole().write = mine(row.code());
  return true;
}

template bool LanePass::findOver<LanePass::Lanes>(Accesses, uint32_t);
template bool LanePass::findOver<Row>(Accesses, uint32_t);
template bool LanePass::findEachOver<LanePass::Lanes>(Accesses, uint32_t);
template bool LanePass::findEachOver<Row>(Accesses, uint32_t);
template bool LanePass::addToOne<LanePass::Lanes>(Accesses &, uint32_t);
template bool LanePass::addToOne<Row>(Accesses &, uint32_t);
template bool LanePass::addToSet<LanePass::Lanes>(Accesses &, uint32_t);
template bool LanePass::addToSet<Row>(Accesses &, uint32_t);

}  // namespace hostwarp::check
