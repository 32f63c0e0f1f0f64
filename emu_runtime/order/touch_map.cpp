#include "emu_runtime/order/touch_map.h"

#include <algorithm>
#include <iterator>

namespace hostwarp::order {

void TouchMap::splitAt(uintptr_t address) {
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return;
  const auto range = std::prev(next);
  if (range->first == address || range->second.end <= address) return;
  ranges_.emplace_hint(next, address, range->second);
  range->second.end = address;
}

void TouchMap::note(std::vector<Toucher> &touchers, const Toucher &now) {
  const auto isCovered = [&](const Toucher &each) {
    if (each.how != now.how) return false;
    return each.part == now.part || Work::isBefore(*each.part, *now.part);
  };
  std::erase_if(touchers, isCovered);
  touchers.push_back(now);
}

void TouchMap::add(uintptr_t start, uintptr_t end, const Toucher &now, const Judge &judge) {
  splitAt(start);
  splitAt(end);
  const auto first = ranges_.lower_bound(start);
  for (auto each = first; each != ranges_.end() && each->first < end; ++each)
    for (const Toucher &before : each->second.touchers) judge(before, now, each->first, each->second.end);
  if (replaces(now.how)) {
    ranges_.emplace_hint(ranges_.erase(first, ranges_.lower_bound(end)), start, Range{end, {now}});
    return;
  }
  uintptr_t covered = start;
  for (auto each = first; each != ranges_.end() && each->first < end; ++each) {
    if (covered < each->first) ranges_.emplace_hint(each, covered, Range{each->first, {now}});
    note(each->second.touchers, now);
    covered = each->second.end;
  }
  if (covered < end) ranges_.emplace(covered, Range{end, {now}});
}

void TouchMap::drop(const std::function<bool(const Toucher &)> &isOver) {
  for (auto range = ranges_.begin(); range != ranges_.end();) {
    std::erase_if(range->second.touchers, [&](const Toucher &each) { return each.how != How::Frees && isOver(each); });
    range = range->second.touchers.empty() ? ranges_.erase(range) : std::next(range);
  }
}

}  // namespace hostwarp::order
