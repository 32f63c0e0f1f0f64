// Work: an operation as `hostwarp check` follows it: where it was enqueued, what comes before it, which memory it
// touches.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_WORK_H
#define HOSTWARP_EMU_RUNTIME_ORDER_WORK_H

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emu_runtime/order/call.h"
#include "emu_runtime/order/clock.h"
#include "emu_runtime/order/touched_pages.h"
#include "fibers/mutex.h"

namespace hostwarp::order {

// Queue is where work stands: in a stream of some kind, or done by the host itself.
struct Queue {
  enum class Kind : uint8_t { Host, Legacy, Blocking, NonBlocking };
  Kind kind = Kind::Host;
  int device = 0;
  std::string name = "the host";  // "stream 2"
};

class Work;

// Part is what the work does at one time: all of it, or a node of a graph.
class Part {
 public:
  Part(const Work &work, std::string what, uint32_t node) : work_(work), what_(std::move(what)), node_(node) {}

  const Work &work() const { return work_; }
  // what() is "cudaMemcpyAsync()" or "kernel sum(int*)".
  const std::string &what() const { return what_; }
  uint32_t node() const { return node_; }

  // touch() notes what a copy, a fill, an allocation or a free touches. Thread-safe.
  void touch(uintptr_t start, size_t bytes, How how);
  // access() notes an access of a kernel, fence() that it has fences. For one thread at a time.
  void access(uintptr_t start, size_t bytes, uint32_t traits, const hw_access_site *site) {
    noteFences(traits);
    pages_.touch(start, bytes, howOf(traits), site);
  }
  // accessEach() is the same for accesses at several places, at most TouchedPages::kMostPlaces.
  void accessEach(std::span<const uintptr_t> starts, size_t bytes, uint32_t traits, const hw_access_site *site) {
    noteFences(traits);
    pages_.touchEach(starts, bytes, howOf(traits), site);
  }
  void fence() { fences_ = true; }

  // settle() makes of what was noted the ranges; called once, when the work is done.
  std::vector<Touch> settle();
  // talksWith(): both are kernels that have fences, and one sees what the other writes by atomic accesses: they may
  // wait for each other. pre: both are settled.
  bool talksWith(const Part &other) const;
  // talksWithHost(): it has fences and sees or makes atomic or volatile writes in memory of the host.
  bool talksWithHost() const { return talksWithHost_; }

 private:
  void noteFences(uint32_t traits) {
    constexpr uint32_t orders = HW_ACCESS_ACQUIRES | HW_ACCESS_RELEASES | HW_ACCESS_POLLS;
    fences_ = fences_ || (traits & orders) != 0;
  }
  bool hears(const Part &other) const;

  const Work &work_;
  const std::string what_;
  const uint32_t node_;
  Mutex mutex_;
  std::vector<Touch> touches_ HOSTWARP_GUARDED_BY(mutex_);
  TouchedPages pages_;
  bool fences_ = false, talksWithHost_ = false;
  std::vector<Touch> seen_, updated_;  // by atomic accesses, of a kernel with fences; by address
};

// PartRef keeps the work alive, too.
using PartRef = std::shared_ptr<Part>;

// Work is made by the call that enqueues it. Its parts are there before it is enqueued.
class Work : public std::enable_shared_from_this<Work> {
 public:
  explicit Work(Queue queue) : queue_(std::move(queue)), call_(Call::current()) {}

  // add() makes a part; without a name it is the call itself.
  PartRef add(std::string what = {}, uint32_t node = 0);
  std::deque<Part> &parts() { return parts_; }
  const Queue &queue() const { return queue_; }
  const Call &call() const { return call_; }

  // Successors are the edges of a graph, by node.
  using Successors = std::vector<std::vector<uint32_t>>;
  void setGraph(Successors successors) { successors_ = std::move(successors); }
  bool isGraph() const { return !successors_.empty(); }

  // place() says what comes before the work, and which mark it has in clocks.
  void place(Clock::Ref before, const Mark &mark);
  const Clock::Ref &before() const { return before_; }
  const Mark &mark() const { return mark_; }

  // isBefore() tells whether one part has happened when the other begins.
  static bool isBefore(const Part &first, const Part &second);

  bool isDone = false;  // guarded by WorkLog

 private:
  bool leads(uint32_t from, uint32_t to) const;

  const Queue queue_;
  const Call call_;
  std::deque<Part> parts_;
  Successors successors_;
  Clock::Ref before_;
  Mark mark_;
};

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_WORK_H
