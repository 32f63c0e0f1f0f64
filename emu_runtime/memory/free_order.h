// FreeOrder: which stream-ordered frees come before a point in the order of the streams.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_FREE_ORDER_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_FREE_ORDER_H

#include <cstdint>
#include <map>
#include <memory>

namespace hostwarp::memory {

// FreeMark is the number-th free in a stream; both count from 1, and no two streams of the process have one number.
struct FreeMark {
  uint64_t stream = 0;
  uint64_t number = 0;
};

// FreeOrder is immutable, so that operations and streams share one. Null stands for no frees.
class FreeOrder {
 public:
  using Ref = std::shared_ptr<const FreeOrder>;

  // joined() is what comes before either point; with() adds a free.
  static Ref joined(const Ref &a, const Ref &b);
  static Ref with(const Ref &order, const FreeMark &mark);

  bool has(const FreeMark &mark) const {
    auto found = last_.find(mark.stream);
    return found != last_.end() && mark.number <= found->second;
  }

 private:
  bool hasAll(const FreeOrder &other) const;

  std::map<uint64_t, uint64_t> last_;  // the last free of each stream: those before it come earlier
};

}  // namespace hostwarp::memory

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_FREE_ORDER_H
