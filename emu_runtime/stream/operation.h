// Operation: one piece of asynchronous work, and the dependency graph that orders all of them.
//
// There is no scheduler thread. An operation starts on whichever thread finished the last of its predecessors, or on
// the enqueuing thread when nothing is pending: an idle stream costs no thread switch.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_OPERATION_H
#define HOSTWARP_EMU_RUNTIME_STREAM_OPERATION_H

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "emu_runtime/memory/free_order.h"
#include "emu_runtime/order/clock.h"
#include "emu_runtime/stream/context_state.h"
#include "fibers/engine.h"
#include "fibers/mutex.h"
#include "fibers/promised.h"

namespace hostwarp::stream {

class Operation;
using OperationRef = std::shared_ptr<Operation>;
// A list that has few elements nearly always, and then takes no memory of its own.
using FewOperations = boost::container::small_vector<OperationRef, 2>;

// Operation is a node of the graph of pending work. Life: constructed, scheduled once, started when every predecessor
// is done, done. It keeps itself alive from scheduling until it is done. Thread-safe.
class Operation : public std::enable_shared_from_this<Operation> {
 public:
  explicit Operation(std::shared_ptr<ContextState> context) : context_(std::move(context)) {}
  virtual ~Operation() = default;
  Operation(const Operation &) = delete;
  Operation &operator=(const Operation &) = delete;

  // schedule() makes this operation run once all of `predecessors` are done (null entries are ignored); runs it at once
  // on the calling thread when they are. Blocks only where the host's memory has run out. pre: called once.
  void schedule(std::span<const OperationRef> predecessors) noexcept;

  // done() tells whether the operation and so everything before it has finished. Acquires its effects.
  bool done() const { return done_.get() != 0; }

  // wait() blocks the calling OS thread until done(), during which it helps those that work on what comes before.
  void wait() const;

  // place() is where in its stream the operation stands; nowhere if it need not wait for the one before. stand() says
  // so. pre: not scheduled.
  const fibers::Place &place() const { return place_; }
  void stand(const fibers::Place &place) { place_ = place; }

  // Helper runs what stands at `last` or before it, if it likes to, until over().
  using Helper = void (*)(const fibers::Place &last, const std::function<bool()> &over);
  static void setHelper(Helper helper) { helper_.store(helper, std::memory_order_release); }

  // follows() is which frees come before the end of this operation; set when it is enqueued.
  memory::FreeOrder::Ref follows() {
    MutexLock lock(mutex_);
    return follows_;
  }
  void setFollows(memory::FreeOrder::Ref order) {
    MutexLock lock(mutex_);
    follows_ = std::move(order);
  }

  // work() is what `hostwarp check` follows of the operation, null where nothing is; clock() is what comes before its
  // end. Both are set when it is enqueued, in checked runs only.
  const order::WorkRef &work() const { return work_; }
  void setWork(order::WorkRef work) { work_ = std::move(work); }
  order::Clock::Ref clock() {
    MutexLock lock(mutex_);
    return clock_;
  }
  void setClock(order::Clock::Ref clock) {
    MutexLock lock(mutex_);
    clock_ = std::move(clock);
  }

  // released() is the operation to wait for before work may start that is allowed to overlap with this one; null when
  // it may start now.
  virtual OperationRef released() { return shared_from_this(); }

 protected:
  enum class Progress { Finished, Running };

  // start() begins the work and must not block for long: it runs on any thread. When it returns Running, finish() has
  // to be called exactly once afterwards, from any thread. What it throws fails the context.
  virtual Progress start() = 0;

  // abandon() is called in place of start() when the context has failed.
  virtual void abandon() {}

  // finish() marks the operation done and starts successors that were waiting only for it.
  void finish();

  // helpUntil() has the calling thread help with what comes before, as long as there is something to do, until over().
  void helpUntil(const std::function<bool()> &over) const;

  const std::shared_ptr<ContextState> &context() const { return context_; }

 private:
  // Ready is a list of operations whose turn has come. It allocates nothing, so that it cannot fail.
  struct Ready {
    OperationRef first;
    Operation *last = nullptr;
    void push(OperationRef operation);
    OperationRef pop();
  };

  void addSuccessor(const OperationRef &successor);
  bool releasePredecessor() { return pending_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  void markDone(Ready &ready);
  Progress runNow() noexcept;
  static void runAll(Ready ready);

  // What became ready while this thread was already running operations: finishing a long chain of short ones must not
  // recurse.
  static thread_local Ready *deferred;
  static std::atomic<Helper> helper_;

  std::shared_ptr<ContextState> context_;
  fibers::Place place_;
  order::WorkRef work_;
  OperationRef self_;                 // set while pending or running
  std::atomic<uint32_t> pending_{1};  // unfinished predecessors, and one for schedule() itself
  fibers::Promised done_;
  OperationRef next_;  // in a Ready
  Mutex mutex_;
  bool closed_ HOSTWARP_GUARDED_BY(mutex_) = false;  // done, takes no successors any more
  FewOperations successors_ HOSTWARP_GUARDED_BY(mutex_);
  memory::FreeOrder::Ref follows_ HOSTWARP_GUARDED_BY(mutex_);
  order::Clock::Ref clock_ HOSTWARP_GUARDED_BY(mutex_);
};

// Marker does nothing; it stands for "everything before it".
class Marker final : public Operation {
 public:
  using Operation::Operation;

 private:
  Progress start() override { return Progress::Finished; }
};

// Signal is done when somebody says so.
class Signal final : public Operation {
 public:
  using Operation::Operation;

  // raise() makes it done. pre: scheduled; called once.
  void raise() {
    if (!done()) finish();
  }

 private:
  Progress start() override { return Progress::Running; }
};

// Continuation runs a short function when its predecessors are done, however they ended.
class Continuation final : public Operation {
 public:
  Continuation(std::shared_ptr<ContextState> context, std::function<void()> next)
      : Operation(std::move(context)), next_(std::move(next)) {}

 private:
  Progress start() override {
    next_();
    return Progress::Finished;
  }
  void abandon() override { next_(); }

  std::function<void()> next_;
};

// InlineTask runs a short function on whichever thread gets to it: small copies, bookkeeping.
class InlineTask final : public Operation {
 public:
  enum class InFailedContext { Skip, Run };
  InlineTask(std::shared_ptr<ContextState> context, std::function<void()> task,
             InFailedContext otherwise = InFailedContext::Skip)
      : Operation(std::move(context)), task_(std::move(task)), otherwise_(otherwise) {}

 private:
  Progress start() override {
    task_();
    return Progress::Finished;
  }
  void abandon() override {
    if (otherwise_ == InFailedContext::Run) task_();
  }

  std::function<void()> task_;
  const InFailedContext otherwise_;
};

// ThreadTask runs a function that may take long or block on a thread of TaskThreads. `abandoned`, when given, runs
// there instead once the context has failed.
class ThreadTask final : public Operation {
 public:
  ThreadTask(std::shared_ptr<ContextState> context, std::function<void()> task, std::function<void()> abandoned = {})
      : Operation(std::move(context)), task_(std::move(task)), abandoned_(std::move(abandoned)) {}

 private:
  Progress start() override;
  void abandon() override;

  std::function<void()> task_;
  std::function<void()> abandoned_;
};

// CallerTask hands its turn to a host thread that waits for it: begin() blocks until every predecessor is done, then
// the caller works and calls end(). Used by synchronous copies, which need no thread of the runtime.
class CallerTask final : public Operation {
 public:
  using Operation::Operation;

  // begin() blocks until the caller's turn has come; returns false when the context failed before (then end() is not
  // called).
  bool begin();
  void end() { finish(); }

 private:
  enum Turn : uint32_t { Come = 1, Lost };
  Progress start() override;
  void abandon() override;

  fibers::Promised turn_;
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_OPERATION_H
