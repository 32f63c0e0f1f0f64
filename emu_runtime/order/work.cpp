#include "emu_runtime/order/work.h"

#include <algorithm>
#include <utility>

#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::order {

namespace {

bool haveCommon(const std::vector<Touch> &some, const std::vector<Touch> &others) {
  for (auto a = some.begin(), b = others.begin(); a != some.end() && b != others.end();) {
    if (a->start < b->end && b->start < a->end) return true;
    a->end <= b->end ? ++a : ++b;
  }
  return false;
}

bool isOfHost(uintptr_t address) {
  const auto allocation = memory::AllocationTable::process().find(
      reinterpret_cast<const void *>(address));  // NOLINT(performance-no-int-to-ptr)
  return allocation && (allocation->pinnedHost() || allocation->managed());
}

}  // namespace

void Part::touch(uintptr_t start, size_t bytes, How how) {
  if (bytes == 0) return;
  MutexLock lock(mutex_);
  if (!touches_.empty() && touches_.back().end == start && touches_.back().how == how)
    touches_.back().end += bytes;
  else
    touches_.push_back({start, start + bytes, how});
}

std::vector<Touch> Part::settle() {
  std::vector<Touch> all = pages_.ranges();
  pages_.clear();
  if (fences_)
    for (const Touch &each : all) {
      if (each.how == How::Sees) seen_.push_back(each);
      if (each.how == How::Updates) updated_.push_back(each);
      if (each.how == How::Sees || each.how == How::Updates) talksWithHost_ = talksWithHost_ || isOfHost(each.start);
    }
  MutexLock lock(mutex_);
  all.insert(all.end(), touches_.begin(), touches_.end());
  touches_ = {};
  return all;
}

// hears(): an update sees, too.
bool Part::hears(const Part &other) const {
  return haveCommon(seen_, other.updated_) || haveCommon(updated_, other.updated_);
}

bool Part::talksWith(const Part &other) const {
  return fences_ && other.fences_ && (hears(other) || other.hears(*this));
}

PartRef Work::add(std::string what, uint32_t node) {
  parts_.emplace_back(*this, what.empty() ? call_.name + "()" : std::move(what), node);
  return {shared_from_this(), &parts_.back()};
}

void Work::place(Clock::Ref before, const Mark &mark) {
  before_ = std::move(before);
  mark_ = mark;
}

bool Work::isBefore(const Part &first, const Part &second) {
  if (&first.work() == &second.work())
    return !first.work().isGraph() || first.work().leads(first.node(), second.node());
  return second.work().before() && second.work().before()->has(first.work().mark());
}

bool Work::leads(uint32_t from, uint32_t to) const {
  std::vector<bool> isSeen(successors_.size());
  std::vector<uint32_t> open{from};
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    for (const uint32_t next : successors_[node]) {
      if (next == to) return true;
      if (isSeen[next]) continue;
      isSeen[next] = true;
      open.push_back(next);
    }
  }
  return false;
}

}  // namespace hostwarp::order
