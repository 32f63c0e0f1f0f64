// WorkLog: all that is enqueued and that the host waits for, in a checked run, and what is unordered in it.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_WORK_LOG_H
#define HOSTWARP_EMU_RUNTIME_ORDER_WORK_LOG_H

#include <deque>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "emu_runtime/order/clock.h"
#include "emu_runtime/order/order_report.h"
#include "emu_runtime/order/touch_map.h"
#include "emu_runtime/order/work.h"
#include "fibers/mutex.h"

namespace hostwarp::order {

// isFollowed(): this is a checked run; otherwise nothing here is called.
bool isFollowed();

// WorkLog judges work in the order in which it was enqueued, once it and all before it is done: so what is found does
// not depend on when it ran. All threads of the host are one to it: what one of them has waited for, all know.
// Thread-safe, and calls nobody back.
class WorkLog {
 public:
  static WorkLog &process();

  // enqueue() has the operation come after `before` and all that the host knows; `work` is null if it touches nothing.
  // What comes before its end is returned.
  Clock::Ref enqueue(const WorkRef &work, const Clock::Ref &before, const Mark &mark);
  // complete(): the work has touched all that it will. pre: enqueued, if it is to be judged.
  void complete(const WorkRef &work);
  // hostActs() is for work that the host does at once.
  void hostActs(const WorkRef &work);
  // hostLearns(): the host has waited for what comes before that point.
  void hostLearns(const Clock::Ref &clock);
  // everything() is all that was enqueued until now.
  Clock::Ref everything();
  // tell() prints what was found and not told yet. pre: everything is done.
  void tell();

 private:
  void drain() HOSTWARP_REQUIRES(mutex_);
  void judge(Work &work) HOSTWARP_REQUIRES(mutex_);
  void judgeAll(const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end) HOSTWARP_REQUIRES(mutex_);
  void judge(const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end) HOSTWARP_REQUIRES(mutex_);
  bool hostKnows(const Work &work) const HOSTWARP_REQUIRES(mutex_);
  void settleWatched() HOSTWARP_REQUIRES(mutex_);
  void dropKnown() HOSTWARP_REQUIRES(mutex_);
  void tellNow() HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  std::deque<WorkRef> waiting_ HOSTWARP_GUARDED_BY(mutex_);  // as enqueued; the first is not done
  Clock::Ref host_ HOSTWARP_GUARDED_BY(mutex_), all_ HOSTWARP_GUARDED_BY(mutex_);
  uint64_t hostMarks_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  // Work in a row of which each comes before the next is only kept: most programs have one stream.
  struct InOrder {
    PartRef part;
    std::vector<Touch> touches;
  };
  void compare(const PartRef &part, const std::vector<Touch> &touches) HOSTWARP_REQUIRES(mutex_);
  bool isInOrder(const PartRef &part, const std::vector<Touch> &touches) const HOSTWARP_REQUIRES(mutex_);

  std::vector<InOrder> inOrder_ HOSTWARP_GUARDED_BY(mutex_);
  size_t keptTouches_ HOSTWARP_GUARDED_BY(mutex_) = 0;
  TouchMap touched_ HOSTWARP_GUARDED_BY(mutex_);
  size_t mostRanges_ HOSTWARP_GUARDED_BY(mutex_) = 4096;  // when there are more, what all know is dropped
  // What one part was found to do wrong: once for each pair of places.
  std::set<std::tuple<const Part *, const hw_access_site *, const hw_access_site *, Disorder>> known_
      HOSTWARP_GUARDED_BY(mutex_);
  std::vector<Finding> findings_ HOSTWARP_GUARDED_BY(mutex_);
};

// hostLearns() is WorkLog's, for clocks of which there are none in other runs.
inline void hostLearns(const Clock::Ref &clock) {
  if (clock) WorkLog::process().hostLearns(clock);
}

// startsNow(): a host function is about to run, by which the host may learn what comes before it. null: not followed.
inline void startsNow(const WorkRef &work) {
  if (work) WorkLog::process().hostLearns(work->before());
}

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_WORK_LOG_H
