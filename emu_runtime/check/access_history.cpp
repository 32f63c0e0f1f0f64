#include "emu_runtime/check/access_history.h"

namespace hostwarp::check {

uint32_t AccessHistory::add(const AccessRecord &record) {
  if (records_.size() >= kMost) return 0;
  records_.push_back(record);
  return numberOf(records_.size() - 1) + (record.isOfBlock ? 0 : record.warp);
}

uint64_t AccessHistory::nextNumber() {
  static uint64_t last = 0;
  return ++last;
}

Accesses AccessHistory::add(size_t slot, Accesses before, Accesses last) {
  if (isFull()) return last;
  const auto id = static_cast<uint32_t>(sets_.size());
  const Accesses made{.id = id, .isSet = 1, .lanes = 0};
  sets_.push_back({before,
                   last,
                   size(before) + 1,
                   traits(before) | traits(last),
                   recordOfAll(last.id).writes() ? made : endingInWrite(before),
                   static_cast<uint32_t>(slot),
                   {}});
  ways_[slot] = {before, last, id};
  if (sets_.size() * 2 > ways_.size()) growWays();
  return made;
}

void AccessHistory::growWays() {
  std::vector<Way> old(ways_.size() * 2);
  old.swap(ways_);
  for (const Way &way : old) {
    if (way.set == 0) continue;
    const size_t slot = slotOf(way.before, way.last);
    ways_[slot] = way;
    sets_[way.set].slot = static_cast<uint32_t>(slot);
  }
}

void AccessHistory::clear() {
  number_ = nextNumber();
  if (records_.size() > 2 * kept_ || sets_.size() > 2 * kept_) return clearAndShrink();
  records_.resize(1);
  for (size_t i = 1; i < sets_.size(); ++i) ways_[sets_[i].slot] = {};
  sets_.resize(1);
}

void AccessHistory::clearAndShrink() {
  records_ = {};
  records_.reserve(2 * kept_);
  records_.resize(1);
  sets_ = std::vector<Set>(1);
  ways_ = std::vector<Way>(kLeastWays);
}

}  // namespace hostwarp::check
