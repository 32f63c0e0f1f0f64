#include "emu_runtime/memory/advice.h"

#include <iterator>

#include "emu_runtime/memory/pages.h"

namespace hostwarp::memory {

namespace {

// Pages are what a range stands for: from the page that it begins in, as many as its size needs, as on a GPU.
struct Pages {
  Pages(const void *start, size_t bytes)
      : begin(reinterpret_cast<uintptr_t>(start) & ~(pages::size() - 1)),
        end(begin + pages::roundUp(bytes, pages::size())) {}

  uintptr_t begin, end;
};

}  // namespace

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
  const Pages range(start, bytes);
  MutexLock lock(mutex_);
  splitAt(range.begin);
  splitAt(range.end);
  for (auto part = parts_.find(range.begin); part->first < range.end; ++part) change(part->second);
}

void AdviceMap::forget(const void *start, size_t bytes) {
  const Pages range(start, bytes);
  MutexLock lock(mutex_);
  if (parts_.empty()) return;
  splitAt(range.begin);
  splitAt(range.end);
  parts_.erase(std::next(parts_.find(range.begin)), parts_.find(range.end));
  parts_[range.begin] = Advice{};
}

std::vector<Advice> AdviceMap::partsOf(const void *start, size_t bytes) const {
  const Pages range(start, bytes);
  std::vector<Advice> advice;
  MutexLock lock(mutex_);
  auto part = parts_.upper_bound(range.begin);
  advice.push_back(part == parts_.begin() ? Advice{} : std::prev(part)->second);
  for (; part != parts_.end() && part->first < range.end; ++part) advice.push_back(part->second);
  return advice;
}

}  // namespace hostwarp::memory
