#include "emu_runtime/stream/operation.h"

#include <utility>

#include "emu_runtime/stream/task_threads.h"

namespace hostwarp::stream {

namespace {

// The operations that became ready while this thread was already running some: finishing a long chain of short
// operations must not recurse.
thread_local std::vector<OperationRef> *deferred = nullptr;

}  // namespace

void Operation::schedule(std::span<const OperationRef> predecessors) {
  OperationRef self = shared_from_this();
  self_ = self;
  for (const OperationRef &predecessor : predecessors) {
    if (predecessor && !predecessor->done()) predecessor->addSuccessor(self);
  }
  if (!releasePredecessor()) return;
  if (deferred) {
    deferred->push_back(std::move(self));
  } else {
    runAll({std::move(self)});
  }
}

void Operation::wait() const {
  while (!done()) done_.wait(0, std::memory_order_acquire);
}

bool Operation::addSuccessor(const OperationRef &successor) {
  std::lock_guard lock(mutex_);
  if (closed_) return false;
  successor->pending_.fetch_add(1, std::memory_order_relaxed);
  successors_.push_back(successor);
  return true;
}

void Operation::finish() {
  OperationRef self = shared_from_this();  // self_ may hold the last reference
  std::vector<OperationRef> ready;
  markDone(deferred ? *deferred : ready);
  if (!deferred) runAll(std::move(ready));
}

void Operation::markDone(std::vector<OperationRef> &ready) {
  std::vector<OperationRef> successors;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    successors.swap(successors_);
  }
  done_.store(1, std::memory_order_release);
  done_.notify_all();
  for (OperationRef &successor : successors) {
    if (successor->releasePredecessor()) ready.push_back(std::move(successor));
  }
  self_.reset();
}

Operation::Progress Operation::runNow() {
  if (context_->error() == cudaSuccess) return start();
  abandon();
  return Progress::Finished;
}

void Operation::runAll(std::vector<OperationRef> ready) {
  std::vector<OperationRef> more;
  deferred = &more;
  while (!ready.empty()) {
    for (const OperationRef &operation : ready) {
      if (operation->runNow() == Progress::Finished) operation->markDone(more);
    }
    ready.clear();
    ready.swap(more);
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
  turn_.wait(Waiting, std::memory_order_acquire);
  return turn_.load(std::memory_order_acquire) == Come;
}

void CallerTask::announce(Turn turn) {
  turn_.store(turn, std::memory_order_release);
  turn_.notify_all();
}

Operation::Progress CallerTask::start() {
  announce(Come);
  return Progress::Running;
}

void CallerTask::abandon() { announce(Lost); }

}  // namespace hostwarp::stream
