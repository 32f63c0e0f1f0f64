#include "emu_runtime/memory/advice.h"

#include <iterator>

namespace hostwarp::memory {

AdviceMap &AdviceMap::process() {
  static auto *map = new AdviceMap;
  return *map;
}

void AdviceMap::splitAt(uintptr_t address) {
  auto next = parts_.upper_bound(address);
  if (next == parts_.begin()) {
    parts_.emplace(address, Advice{});
  } else if (auto part = std::prev(next); part->first != address) {
    parts_.emplace(address, part->second);
  }
}

void AdviceMap::update(const void *start, size_t bytes, const std::function<void(Advice &)> &change) {
  const auto begin = reinterpret_cast<uintptr_t>(start);
  std::lock_guard lock(mutex_);
  splitAt(begin);
  splitAt(begin + bytes);
  for (auto part = parts_.find(begin); part->first < begin + bytes; ++part) change(part->second);
}

void AdviceMap::forget(const void *start, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(start);
  std::lock_guard lock(mutex_);
  if (parts_.empty()) return;
  splitAt(begin);
  splitAt(begin + bytes);
  parts_.erase(std::next(parts_.find(begin)), parts_.find(begin + bytes));
  parts_[begin] = Advice{};
}

std::vector<Advice> AdviceMap::partsOf(const void *start, size_t bytes) const {
  const auto begin = reinterpret_cast<uintptr_t>(start);
  std::vector<Advice> advice;
  std::lock_guard lock(mutex_);
  auto part = parts_.upper_bound(begin);
  advice.push_back(part == parts_.begin() ? Advice{} : std::prev(part)->second);
  for (; part != parts_.end() && part->first < begin + bytes; ++part) advice.push_back(part->second);
  return advice;
}

}  // namespace hostwarp::memory
