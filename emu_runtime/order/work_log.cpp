#include "emu_runtime/order/work_log.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "emu_runtime/check/verdicts.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/order/host_watch.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::order {

namespace {

using memory::AllocationTable;

const void *pointerTo(uintptr_t address) { return reinterpret_cast<const void *>(address); }  // NOLINT

// isOfHeap(): malloc() in kernels gives out the same memory to one kernel after another.
bool isOfHeap(const Touch &touch) {
  const AllocationTable &heaps = AllocationTable::ofHeaps();
  if (touch.site == nullptr || heaps.changes() == 0) return false;
  return heaps.find(pointerTo(touch.start)) || heaps.findFreed(pointerTo(touch.start));
}

// isInUse(): freed memory has become somebody else's in a way that is not followed. Memory of a graph is always in the
// table.
bool isInUse(uintptr_t address) {
  const auto allocation = AllocationTable::process().find(pointerTo(address));
  return allocation && allocation->kind != memory::Kind::Graph;
}

// unsettle(): what a kernel comes to may depend on when other operations run.
void unsettle(const Toucher &toucher) {
  constexpr std::string_view kernel = "kernel ";
  const std::string &what = toucher.part->what();
  if (what.starts_with(kernel))
    check::Verdicts::process().unsettle(what.substr(kernel.size()), check::Unsettled::Operations);
}

}  // namespace

bool isFollowed() {
  static const bool isChecked = optionText(Option::BUILD) == "checked";
  return isChecked;
}

WorkLog &WorkLog::process() {
  static auto *log = new WorkLog;
  return *log;
}

Clock::Ref WorkLog::enqueue(const WorkRef &work, const Clock::Ref &before, const Mark &mark) {
  MutexLock lock(mutex_);
  const Clock::Ref known = Clock::joined(before, host_);
  all_ = Clock::with(all_, mark);
  if (work) {
    work->place(known, mark);
    waiting_.push_back(work);
    HostWatch::process().enqueued(work);
  }
  return Clock::with(known, mark);
}

void WorkLog::complete(const WorkRef &work) {
  MutexLock lock(mutex_);
  work->isDone = true;
  drain();
}

void WorkLog::hostActs(const WorkRef &work) {
  MutexLock lock(mutex_);
  const Mark mark{hostTimeline, ++hostMarks_};
  work->place(host_, mark);
  work->isDone = true;
  host_ = Clock::with(host_, mark);
  all_ = Clock::with(all_, mark);
  waiting_.push_back(work);
  drain();
}

void WorkLog::hostLearns(const Clock::Ref &clock) {
  MutexLock lock(mutex_);
  if (clock) host_ = Clock::joined(host_, clock);
  settleWatched();
  if (Clock::joined(host_, all_) != host_ || !waiting_.empty()) {
    if (touched_.size() > mostRanges_) dropKnown();
    return;
  }
  inOrder_.clear();
  keptTouches_ = 0;
  touched_.drop([](const Toucher &) { return true; });
  tellNow();
}

bool WorkLog::hostKnows(const Work &work) const { return work.mark().number != 0 && host_ && host_->has(work.mark()); }

// dropKnown() forgets what comes before all that is to be enqueued. What waits to be judged may not know it.
void WorkLog::dropKnown() {
  const auto isKnown = [&](const Toucher &each) HOSTWARP_REQUIRES(mutex_) {
    const Work &work = each.part->work();
    return hostKnows(work) && std::ranges::all_of(waiting_, [&](const WorkRef &waiting) {
             return waiting->before() && waiting->before()->has(work.mark());
           });
  };
  touched_.drop(isKnown);
  mostRanges_ = std::max<size_t>(4096, 2 * touched_.size());
}

void WorkLog::settleWatched() {
  const auto isOver = [this](const Work &work) HOSTWARP_REQUIRES(mutex_) { return hostKnows(work); };
  const bool isSure = std::ranges::none_of(waiting_, [&](const WorkRef &each) { return isOver(*each); });
  for (Finding &finding : HostWatch::process().settle(isOver, isSure)) findings_.push_back(std::move(finding));
}

Clock::Ref WorkLog::everything() {
  MutexLock lock(mutex_);
  return all_;
}

void WorkLog::tell() {
  MutexLock lock(mutex_);
  for (const WorkRef &each : waiting_) each->isDone = true;
  drain();
  tellNow();
}

void WorkLog::tellNow() {
  for (const Finding &finding : std::exchange(findings_, {})) print(finding);
}

void WorkLog::drain() {
  for (; !waiting_.empty() && waiting_.front()->isDone; waiting_.pop_front()) judge(*waiting_.front());
}

void WorkLog::judge(Work &work) {
  for (Part &part : work.parts()) {
    const PartRef ref(work.shared_from_this(), &part);
    std::vector<Touch> touches = part.settle();
    std::erase_if(touches, isOfHeap);
    for (const Touch &touch : touches) HostWatch::process().touched(ref, touch);
    if (isInOrder(ref, touches)) {
      keptTouches_ += touches.size();
      inOrder_.push_back({ref, std::move(touches)});
      continue;
    }
    for (const InOrder &each : std::exchange(inOrder_, {})) compare(each.part, each.touches);
    keptTouches_ = 0;
    compare(ref, touches);
  }
}

// isInOrder(): nothing that is kept can be in disorder with the part, nor can one that comes later, but with one of
// both.
bool WorkLog::isInOrder(const PartRef &part, const std::vector<Touch> &touches) const {
  constexpr size_t mostKept = size_t{1} << 24;
  if (touched_.size() != 0 || keptTouches_ + touches.size() > mostKept) return false;
  const auto isLifetime = [](const Touch &each) { return each.how == How::Allocates || each.how == How::Frees; };
  if (std::ranges::any_of(touches, isLifetime)) return false;
  return inOrder_.empty() || Work::isBefore(*inOrder_.back().part, *part);
}

void WorkLog::compare(const PartRef &part, const std::vector<Touch> &touches) {
  known_.clear();
  for (const Touch &touch : touches) {
    touched_.add(touch.start, touch.end, {part, touch.how, touch.site, touch.places},
                 [this](const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end)
                     HOSTWARP_REQUIRES(mutex_) { judgeAll(before, now, start, end); });
  }
}

// judgeAll() judges by pieces where the two have been at several places.
void WorkLog::judgeAll(const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end) {
  if (before.places == nullptr && now.places == nullptr) return judge(before, now, start, end);
  const uintptr_t last = std::min(end, start + 64);  // behind that all comes again
  for (uintptr_t at = start; at < last;) {
    const Toucher one = before.at(at), other = now.at(at);
    uintptr_t to = at;
    do {
      to = std::min(last, (to & ~uintptr_t{3}) + 4);
    } while (to < last && before.at(to).site == one.site && now.at(to).site == other.site);
    judge(one, other, at, to);
    at = to;
  }
}

void WorkLog::judge(const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end) {
  const std::optional<Disorder> disorder = disorderOf(before, now);
  if (!disorder) return;
  if (before.how == How::Frees && isInUse(start)) return;
  if (!known_.insert({before.part.get(), before.site, now.site, *disorder}).second) return;
  unsettle(before);
  unsettle(now);
  findings_.push_back(findingOf(*disorder, before, now, start, end));
}

}  // namespace hostwarp::order
