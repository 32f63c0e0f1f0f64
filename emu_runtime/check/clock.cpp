#include "emu_runtime/check/clock.h"

#include <algorithm>

namespace hostwarp::check {

namespace {

template <class Times>
boost::intrusive_ptr<const Times> later(const boost::intrusive_ptr<const Times> &one,
                                        const boost::intrusive_ptr<const Times> &two) {
  bool isOne = true, isTwo = true;
  boost::intrusive_ptr<Times> both(new Times);
  for (size_t i = 0; i < both->content.size(); ++i) {
    const Time a = one->content[i], b = two->content[i];
    both->content[i] = std::max(a, b);
    isOne &= a >= b;
    isTwo &= b >= a;
  }
  if (isOne) return one;
  return isTwo ? two : both;
}

}  // namespace

Time Clock::at(uint64_t key) const {
  const std::vector<Run> &runs = runs_->content;
  const auto place = std::ranges::lower_bound(runs, key / kRun, {}, &Run::number);
  return place != runs.end() && place->number == key / kRun ? place->times->content[key % kRun] : 0;
}

Time Clock::of(uint64_t block, uint32_t thread) const {
  if (empty()) return 0;
  return std::max({at(key(block, thread)), at(key(block, kWarps + thread / 32)), at(key(block, kBlock))});
}

void Clock::raise(uint64_t key, Time time) {
  if (!empty() && at(key) >= time) return;
  boost::intrusive_ptr<Runs> changed(new Runs);
  if (!empty()) changed->content = runs_->content;
  std::vector<Run> &runs = changed->content;
  auto place = std::ranges::lower_bound(runs, key / kRun, {}, &Run::number);
  boost::intrusive_ptr<Times> times(new Times);
  if (place == runs.end() || place->number != key / kRun)
    place = runs.insert(place, {key / kRun, {}});
  else
    times->content = place->times->content;
  times->content[key % kRun] = time;
  place->times = std::move(times);
  runs_ = std::move(changed);
}

bool Clock::isWithin(const Clock &other) const {
  const std::vector<Run> &theirs = other.runs_->content;
  auto their = theirs.begin();
  for (const Run &mine : runs_->content) {
    while (their != theirs.end() && their->number < mine.number) ++their;
    if (their == theirs.end() || their->number != mine.number) return false;
    if (their->times == mine.times) continue;
    if (!std::ranges::equal(mine.times->content, their->times->content, std::less_equal())) return false;
  }
  return true;
}

void Clock::join(const Clock &other) {
  if (other.empty() || other.runs_ == runs_) return;
  if (empty() || isWithin(other)) {
    runs_ = other.runs_;
    return;
  }
  if (other.isWithin(*this)) return;
  boost::intrusive_ptr<Runs> both(new Runs);
  const std::vector<Run> &ours = runs_->content, &theirs = other.runs_->content;
  both->content.reserve(ours.size() + theirs.size());
  auto mine = ours.begin(), their = theirs.begin();
  while (mine != ours.end() && their != theirs.end()) {
    if (mine->number != their->number) {
      both->content.push_back(mine->number < their->number ? *mine++ : *their++);
      continue;
    }
    both->content.push_back(
        {mine->number, mine->times == their->times ? mine->times : later(mine->times, their->times)});
    ++mine;
    ++their;
  }
  both->content.insert(both->content.end(), mine, ours.end());
  both->content.insert(both->content.end(), their, theirs.end());
  runs_ = std::move(both);
}

void Clock::forget(uint64_t block) {
  if (empty()) return;
  const std::vector<Run> &runs = runs_->content;
  const auto first = std::ranges::lower_bound(runs, key(block, 0) / kRun, {}, &Run::number);
  const auto last = std::ranges::lower_bound(runs, key(block + 1, 0) / kRun, {}, &Run::number);
  if (first == last) return;
  if (first == runs.begin() && last == runs.end()) {
    runs_ = nullptr;
    return;
  }
  boost::intrusive_ptr<Runs> rest(new Runs);
  rest->content.assign(runs.begin(), first);
  rest->content.insert(rest->content.end(), last, runs.end());
  runs_ = std::move(rest);
}

void Clock::shorten(uint64_t block, uint32_t threads) {
  if (empty()) return;
  const Time time = of(block, 0);
  if (time == at(key(block, kBlock))) return;
  for (uint32_t thread = 1; thread < threads; ++thread)
    if (of(block, thread) != time) return;
  forget(block);
  raiseBlock(block, time);
}

}  // namespace hostwarp::check
