// HostWatch: whether the host leaves buffers alone that copies read, until it has waited for them.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_HOST_WATCH_H
#define HOSTWARP_EMU_RUNTIME_ORDER_HOST_WATCH_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "emu_runtime/order/order_report.h"
#include "emu_runtime/order/work.h"
#include "fibers/mutex.h"

namespace hostwarp::order {

// HostWatch remembers what was in page-locked memory when a copy from it was enqueued. Where the host has waited for
// the copy and something else is there, although no operation has written it, the host has: too early. Nothing is said
// where operations are in flight that might have. Thread-safe.
class HostWatch {
 public:
  static HostWatch &process();

  // reads() and writes() are of copies and fills that are about to be enqueued. pre: the memory is there.
  void reads(const PartRef &part, uintptr_t start, size_t bytes);
  void writes(const PartRef &part, uintptr_t start, size_t bytes);
  // enqueued() is for all work.
  void enqueued(const WorkRef &work);
  // written() is for what was touched by work that is done, or that frees memory.
  void written(uintptr_t start, uintptr_t end);
  // settle() is what the host has written too early, by what it has waited for now; nothing unless all that is over
  // has been told of by written(), which is what isSure says.
  using IsOver = std::function<bool(const Work &)>;
  std::vector<Finding> settle(const IsOver &isOver, bool isSure);

 private:
  struct Buffer {
    PartRef part;
    uintptr_t start = 0;
    std::string bytes;
    bool isChanged = false;  // by operations
  };
  struct Write {
    PartRef part;
    uintptr_t start = 0, end = 0;
  };

  void change(uintptr_t start, uintptr_t end) HOSTWARP_REQUIRES(mutex_);

  Mutex mutex_;
  std::vector<Buffer> buffers_ HOSTWARP_GUARDED_BY(mutex_);
  std::vector<Write> writes_ HOSTWARP_GUARDED_BY(mutex_);    // that the host has not waited for
  std::vector<WorkRef> unsure_ HOSTWARP_GUARDED_BY(mutex_);  // the same, of which nobody knows what they write
};

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_HOST_WATCH_H
