// HostWatch: whether the host leaves memory alone that operations read, until it has waited for them.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_HOST_WATCH_H
#define HOSTWARP_EMU_RUNTIME_ORDER_HOST_WATCH_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emu_runtime/order/order_report.h"
#include "emu_runtime/order/work.h"
#include "fibers/mutex.h"

namespace hostwarp::order {

// HostWatch remembers what was in page-locked and managed memory when a copy from it, or a kernel, was enqueued. Where
// the host has waited for that and something else is there that it has read, although no operation has written it, the
// host has: too early. Nothing is said where operations are in flight that might have. Thread-safe.
class HostWatch {
 public:
  static HostWatch &process();

  // reads() and writes() are of copies and fills that are about to be enqueued, launches() of kernels. pre: the memory
  // is there.
  void reads(const PartRef &part, uintptr_t start, size_t bytes);
  void writes(const PartRef &part, uintptr_t start, size_t bytes);
  void launches(const PartRef &part);
  // enqueued() is for all work.
  void enqueued(const WorkRef &work);
  // touched() is for all that work has touched which is done.
  void touched(const PartRef &part, const Touch &touch);
  // settle() is what the host has written too early, by what it has waited for now; nothing unless all that is over
  // has been told of by touched(), which is what isSure says.
  using IsOver = std::function<bool(const Work &)>;
  std::vector<Finding> settle(const IsOver &isOver, bool isSure);

 private:
  struct Range {
    uintptr_t start = 0, end = 0;
  };
  using Bytes = std::shared_ptr<const std::string>;
  struct Buffer {
    PartRef part;
    uintptr_t start = 0;
    Bytes bytes;
    std::vector<Range> read, changed;  // by operations
  };
  struct Write {
    PartRef part;
    Range range;
  };

  void change(const Range &range) HOSTWARP_REQUIRES(mutex_);
  Bytes remember(uintptr_t start, size_t bytes) HOSTWARP_REQUIRES(mutex_);
  static Range changeOf(const Buffer &buffer);
  static Finding findingOf(const Part &part, const Range &change);

  Mutex mutex_;
  std::vector<Buffer> buffers_ HOSTWARP_GUARDED_BY(mutex_);
  std::vector<Write> writes_ HOSTWARP_GUARDED_BY(mutex_);    // that the host has not waited for
  std::vector<WorkRef> unsure_ HOSTWARP_GUARDED_BY(mutex_);  // the same, of which nobody knows what they write
  std::map<uintptr_t, std::weak_ptr<const std::string>> last_ HOSTWARP_GUARDED_BY(mutex_);  // mostly nothing changes
};

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_HOST_WATCH_H
