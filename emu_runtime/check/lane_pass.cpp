#include "emu_runtime/check/lane_pass.h"

namespace hostwarp::check {

namespace {

// isOne(): there is one lane for each byte of the cell.
template <class Who>
bool isOne(uint32_t who) {
  return std::is_same_v<Who, Row> || (who & (who - 1)) == 0;
}

// lanesOf() is all lanes of the chunk's row.
template <class Who>
uint32_t lanesOf(uint32_t who) {
  if constexpr (!std::is_same_v<Who, Row>) return who;
  const Row row(who);
  uint32_t lanes = 0;
  for (size_t offset = 0; offset < Chunk::kBytes; offset += row.bytes()) lanes |= 1u << row.laneAt(offset);
  return lanes;
}

}  // namespace

const LanePass::Seen &LanePass::look(uint32_t id) {
  Seen &seen = seen_[id % seen_.size()];
  if (seen.id == id) return seen;
  const AccessRecord &record = history_.record(id);
  const bool isOfBlock = record.block == block_.linear() && record.launch == block_.launch();
  seen = {.id = id,
          .isAlike = record.isAtomic() == isAtomic_ && (record.traits & HW_ACCESS_IN_BLOCK) == 0 &&
                     (writes_ || !record.writes()),
          .isOfLaunch = record.launch == block_.launch(),
          .isOfTime = isOfBlock && record.time == history_.record(mine_).time};
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
  if (before == Before::Known) lastKnown_ = some.id;
  return before == Before::Known || (before == Before::Own && some.lanes == who && isOne<Who>(who));
}

template <class Who>
bool LanePass::findEachOver(Accesses set, uint32_t who) {
  bool areKnown = true, areOver = true;
  history_.forEach(set, [&](Accesses each) {
    areKnown = areKnown && look(each.id).before == Before::Known;
    return areOver = isOver<Who>(each, who);
  });
  if (areKnown && areOver) lastPast_ = set.id;
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
  if (seen.before == Before::Known) lastPastKind_ = others.id;
  others = isOver<Who>(others, who) ? mine(who) : history_.with(others, mine(who));
  return true;
}

template <class Who>
bool LanePass::addToSet(Accesses &others, uint32_t who) {
  if (isEnough_ && isEnough<Who>(others, who)) return true;
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
  if (!isOver<Who>(last, who)) {
    if (!history_.mayGrow(others)) return false;
    others = history_.with(others, mine(who));
    return true;
  }
  if (!areOver<Who>(others, who)) return false;
  others = mine(who);
  return true;
}

// isSecond(): it has been added to the set before the last one, as where each half of a warp reads the same row.
bool LanePass::isSecond(Accesses set, Accesses each) const {
  const Accesses before = history_.before(set);
  return (before.isSet ? history_.last(before) : before) == each;
}

// isEnough(): whoever makes an access that the new one would disturb, one of the set's last two disturbs it, too. They
// are of two blocks, or of two warps of this one, between the same barriers.
template <class Who>
bool LanePass::isEnough(Accesses set, uint32_t who) {
  const AccessHistory::Pair pair = history_.lastPair(set);
  if (pair == AccessHistory::Pair::Other) return false;
  const Seen &last = look(history_.last(set).id);
  if (!last.isAlike || !(pair == AccessHistory::Pair::OfBlocks ? last.isOfLaunch : last.isOfTime)) return false;
  if (pair == AccessHistory::Pair::OfWarps) block_.forgetsRead(warp_, lanesOf<Who>(who));
  return true;
}

bool LanePass::writeAll(ShadowRegion &region, Chunk &chunk, Row row) {
  bool areAllOver = true;
  region.forEachCell(chunk, [&](const Cell &cell, size_t offset) {
    const uint32_t lane = 1u << row.laneAt(offset);
    return areAllOver = (cell.write.none() || isOver<Lanes>(cell.write, lane)) &&
                        (cell.others.none() || areOver<Lanes>(cell.others, lane));
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
