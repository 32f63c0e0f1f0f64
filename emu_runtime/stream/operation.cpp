#include "emu_runtime/stream/operation.h"

#include <new>
#include <utility>

#include "emu_runtime/order/work_log.h"
#include "emu_runtime/stream/task_threads.h"
#include "emu_runtime/stream/turns.h"

namespace hostwarp::stream {

thread_local Operation::Ready *Operation::deferred = nullptr;
std::atomic<Operation::Helper> Operation::helper_{nullptr};

void Operation::Ready::push(OperationRef operation) {
  Operation *pushed = operation.get();
  (first ? last->next_ : first) = std::move(operation);
  last = pushed;
}

OperationRef Operation::Ready::pop() {
  OperationRef operation = std::move(first);
  if (operation) first = std::move(operation->next_);
  return operation;
}

void Operation::schedule(std::span<const OperationRef> predecessors) noexcept {
  OperationRef self = shared_from_this();
  self_ = self;
  for (const OperationRef &predecessor : predecessors) {
    if (predecessor && !predecessor->done()) predecessor->addSuccessor(self);
  }
  if (!releasePredecessor()) return;
  Ready ready;
  (deferred ? *deferred : ready).push(std::move(self));
  if (!deferred) runAll(std::move(ready));
}

void Operation::helpUntil(const std::function<bool()> &over) const {
  if (place_.queue == 0 || deferred || over()) return;
  if (const Helper helper = helper_.load(std::memory_order_acquire)) helper(place_, over);
}

void Operation::wait() const {
  helpUntil([this] { return done(); });
  done_.wait();
}

void Operation::addSuccessor(const OperationRef &successor) {
  try {
    MutexLock lock(mutex_);
    if (closed_) return;
    successors_.push_back(successor);
    successor->pending_.fetch_add(1, std::memory_order_relaxed);
  } catch (const std::bad_alloc &) {
    // Order without a note of it.
    wait();
  }
}

void Operation::finish() {
  OperationRef self = shared_from_this();  // self_ may hold the last reference
  Ready ready;
  markDone(deferred ? *deferred : ready);
  if (!deferred) runAll(std::move(ready));
}

void Operation::markDone(Ready &ready) {
  FewOperations successors;
  {
    MutexLock lock(mutex_);
    closed_ = true;
    successors.swap(successors_);
  }
  if (work_) order::WorkLog::process().complete(work_);
  done_.set(1);
  for (OperationRef &successor : successors) {
    if (successor->releasePredecessor()) ready.push(std::move(successor));
  }
  self_.reset();
}

Operation::Progress Operation::runNow() noexcept {
  try {
    if (context_->error() == cudaSuccess) return start();
    abandon();
  } catch (const std::bad_alloc &) {
    context_->fail(cudaErrorMemoryAllocation);
  } catch (...) {
    context_->fail(cudaErrorUnknown);
  }
  return Progress::Finished;
}

void Operation::runAll(Ready ready) {
  const Turns::Batch batch;
  deferred = &ready;
  while (OperationRef operation = ready.pop()) {
    if (operation->runNow() == Progress::Finished) operation->markDone(ready);
  }
  deferred = nullptr;
}

Operation::Progress ThreadTask::start() {
  TaskThreads::process().run([this] {
    task_();
    finish();
  });
  return Progress::Running;
}

void ThreadTask::abandon() {
  // The notice may be a user's function, which must not run on a worker of the engine; nothing waits for its end.
  if (abandoned_) TaskThreads::process().run(std::move(abandoned_));
}

bool CallerTask::begin() {
  helpUntil([this] { return turn_.get() != 0; });
  return turn_.wait() == Come;
}

Operation::Progress CallerTask::start() {
  turn_.set(Come);
  return Progress::Running;
}

void CallerTask::abandon() { turn_.set(Lost); }

}  // namespace hostwarp::stream
