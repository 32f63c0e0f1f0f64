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

Accesses AccessHistory::add(size_t slot, Accesses before, Accesses last) {
  if (isFull()) return last;
  const auto id = static_cast<uint32_t>(sets_.size());
  sets_.push_back({before, last, size(before) + 1, traits(before) | traits(last)});
  ways_[slot] = {before, last, id};
  if (sets_.size() * 2 > ways_.size()) {
    std::vector<Way> old(ways_.size() * 2);
    old.swap(ways_);
    for (const Way &way : old)
      if (way.set != 0) ways_[slotOf(way.before, way.last)] = way;
  }
  return {.id = id, .isSet = 1, .lanes = 0};
}

void AccessHistory::clear() {
  records_.resize(1);
  launches_.clear();
  if (sets_.size() > 1) ways_.assign(kLeastWays, {});
  sets_.resize(1);
}

}  // namespace hostwarp::check
