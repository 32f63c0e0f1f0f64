#include "emu_runtime/check/access_history.h"

#include <bit>

namespace hostwarp::check {

size_t AccessHistory::Hash::operator()(const SetKey &key) const {
  const auto mix = [](Accesses accesses) { return std::bit_cast<uint64_t>(accesses) * 0x9e3779b97f4a7c15u; };
  const uint64_t mixed = mix(key.before) ^ std::rotl(mix(key.last), 29);
  return mixed ^ mixed >> 32;
}

uint32_t AccessHistory::add(const AccessRecord &record) {
  if (records_.size() >= kMost) return 0;
  records_.push_back(record);
  return static_cast<uint32_t>(records_.size() - 1);
}

uint32_t AccessHistory::addLaunch(const LaunchNote &launch) {
  launches_.push_back(launch);
  return static_cast<uint32_t>(launches_.size() - 1);
}

Accesses AccessHistory::with(Accesses some, Accesses more) {
  if (some.none()) return more;
  const auto [place, isNew] = known_.try_emplace({some, more}, static_cast<uint32_t>(sets_.size()));
  if (isNew) sets_.push_back({some, more, size(some) + 1, traits(some) | traits(more)});
  return {.id = place->second, .isSet = 1, .lanes = 0};
}

void AccessHistory::clear() {
  records_.resize(1);
  launches_.clear();
  sets_.resize(1);
  known_.clear();
}

}  // namespace hostwarp::check
