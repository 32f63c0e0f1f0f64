#include "emu_runtime/check/access_history.h"

namespace hostwarp::check {

uint32_t AccessHistory::add(const AccessRecord &record) {
  if (records_.size() >= kMost) return 0;
  records_.push_back(record);
  return static_cast<uint32_t>(records_.size() - 1);
}

uint32_t AccessHistory::addLaunch(const LaunchNote &launch) {
  launches_.push_back(launch);
  return static_cast<uint32_t>(launches_.size() - 1);
}

AccessHistory::Pair AccessHistory::pairOf(Accesses before, Accesses last) const {
  const AccessRecord &one = record(last.id), &two = record(before.isSet ? this->last(before).id : before.id);
  constexpr uint32_t kind = HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC | HW_ACCESS_IN_BLOCK;
  if (((one.traits ^ two.traits) & kind) != 0 || one.launch != two.launch) return Pair::Other;
  if (one.isInFlight() || two.isInFlight()) return Pair::Other;
  if (one.block != two.block) return Pair::OfBlocks;
  return one.warp != two.warp && one.time == two.time ? Pair::OfWarps : Pair::Other;
}

Accesses AccessHistory::add(size_t slot, Accesses before, Accesses last) {
  if (isFull()) return last;
  const auto id = static_cast<uint32_t>(sets_.size());
  const Accesses made{.id = id, .isSet = 1, .lanes = 0};
  sets_.push_back({before, last, size(before) + 1, traits(before) | traits(last), pairOf(before, last),
                   record(last.id).writes() ? made : endingInWrite(before)});
  ways_[slot] = {before, last, id};
  if (sets_.size() * 2 > ways_.size()) {
    std::vector<Way> old(ways_.size() * 2);
    old.swap(ways_);
    for (const Way &way : old)
      if (way.set != 0) ways_[slotOf(way.before, way.last)] = way;
  }
  return made;
}

void AccessHistory::clear() {
  records_.resize(1);
  launches_.clear();
  if (sets_.size() > 1) ways_.assign(kLeastWays, {});
  sets_.resize(1);
}

}  // namespace hostwarp::check
