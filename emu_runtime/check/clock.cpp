#include "emu_runtime/check/clock.h"

#include <algorithm>

namespace hostwarp::check {

Time Clock::at(uint64_t key) const {
  const auto place = std::ranges::lower_bound(*entries_, key, {}, &Entry::key);
  return place != entries_->end() && place->key == key ? place->time : 0;
}

Time Clock::of(uint64_t block, uint32_t thread) const {
  if (empty()) return 0;
  return std::max({at(key(block, thread)), at(key(block, kWarps + thread / 32)), at(key(block, kBlock))});
}

void Clock::raise(uint64_t key, Time time) {
  auto changed = std::make_shared<Entries>(empty() ? Entries() : *entries_);
  const auto place = std::ranges::lower_bound(*changed, key, {}, &Entry::key);
  if (place == changed->end() || place->key != key)
    changed->insert(place, {key, time});
  else
    place->time = std::max(place->time, time);
  entries_ = std::move(changed);
}

void Clock::join(const Clock &other) {
  if (other.empty() || other.entries_ == entries_) return;
  if (empty()) {
    entries_ = other.entries_;
    return;
  }
  auto both = std::make_shared<Entries>();
  both->reserve(entries_->size() + other.entries_->size());
  auto mine = entries_->begin(), theirs = other.entries_->begin();
  while (mine != entries_->end() && theirs != other.entries_->end()) {
    if (mine->key != theirs->key) {
      both->push_back(mine->key < theirs->key ? *mine++ : *theirs++);
      continue;
    }
    both->push_back({mine->key, std::max(mine->time, theirs->time)});
    ++mine;
    ++theirs;
  }
  both->insert(both->end(), mine, entries_->end());
  both->insert(both->end(), theirs, other.entries_->end());
  entries_ = std::move(both);
}

void Clock::forget(uint64_t block) {
  if (empty()) return;
  const auto first = std::ranges::lower_bound(*entries_, key(block, 0), {}, &Entry::key);
  const auto last = std::ranges::lower_bound(*entries_, key(block + 1, 0), {}, &Entry::key);
  if (first == last) return;
  if (first == entries_->begin() && last == entries_->end()) {
    entries_ = nullptr;
    return;
  }
  auto rest = std::make_shared<Entries>(entries_->begin(), first);
  rest->insert(rest->end(), last, entries_->end());
  entries_ = std::move(rest);
}

}  // namespace hostwarp::check
