#include "emu_runtime/memory/free_order.h"

#include <algorithm>

namespace hostwarp::memory {

FreeOrder::Ref FreeOrder::joined(const Ref &a, const Ref &b) {
  if (!b || a == b || (a && a->hasAll(*b))) return a;
  if (!a || b->hasAll(*a)) return b;
  auto both = std::make_shared<FreeOrder>(*a);
  for (const auto &[stream, number] : b->last_) {
    uint64_t &last = both->last_[stream];
    last = std::max(last, number);
  }
  return both;
}

FreeOrder::Ref FreeOrder::with(const Ref &order, const FreeMark &mark) {
  auto more = order ? std::make_shared<FreeOrder>(*order) : std::make_shared<FreeOrder>();
  uint64_t &last = more->last_[mark.stream];
  last = std::max(last, mark.number);
  return more;
}

bool FreeOrder::hasAll(const FreeOrder &other) const {
  return std::ranges::all_of(other.last_, [&](const auto &entry) { return has({entry.first, entry.second}); });
}

}  // namespace hostwarp::memory
