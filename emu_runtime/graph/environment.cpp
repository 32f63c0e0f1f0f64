#include "emu_runtime/graph/environment.h"

#include <algorithm>
#include <utility>

#include "emu_runtime/stream/task_threads.h"
#include "include/cuda_device_runtime_api.h"

namespace hostwarp::graph {

namespace {

// During one execution of a graph.
constexpr unsigned mostFired = 120;
constexpr size_t mostTails = 255;

}  // namespace

void Environment::enter() {
  MutexLock lock(mutex_);
  ++pending_;
}

void Environment::leave() {
  const auto self = shared_from_this();  // the graph's run, which this object owns, may hold the last reference
  Tails tails;
  {
    MutexLock lock(mutex_);
    if (--pending_ > 0) return;
    tails = std::move(tails_);
  }
  if (executable_) executable_->setBusy(false);
  tails.insert(tails.end(), inherited_.begin(), inherited_.end());
  if (!tails.empty()) {
    ExecutableRef next = std::move(tails.front());
    tails.pop_front();
    next->setBusy(true);
    return start(parent_, std::move(next), fibers::derivedOrigin(origin_, 0), std::move(tails));
  }
  if (parent_) return parent_->leave();
  std::exchange(complete_, nullptr)();
}

// start() runs a graph in an environment that `parent` waits for already.
void Environment::start(std::shared_ptr<Environment> parent, ExecutableRef executable, uint64_t origin,
                        Tails inherited) {
  auto environment = std::make_shared<Environment>(std::move(parent), std::move(executable));
  environment->comeFrom(origin);
  environment->inherited_ = std::move(inherited);
  // The caller may be a thread of a kernel.
  stream::TaskThreads::process().run([environment] { environment->run(); });
}

void Environment::run() {
  plan_ = executable_->uploaded();
  scope_ = std::make_unique<RunScope>(*plan_);
  scope_->environment = this;
  run_ = std::make_unique<PlanRun>(plan_, *scope_, [self = shared_from_this()] { self->leave(); });
  run_->start(origin_);
}

cudaError_t Environment::launch(const ExecutableRef &executable, cudaStream_t stream) {
  if (!executable->uploaded()) return cudaErrorInvalidValue;
  if (stream == cudaStreamGraphTailLaunch) return launchTail(executable);
  const bool sibling = stream == cudaStreamGraphFireAndForgetAsSibling;
  if (!sibling && stream != cudaStreamGraphFireAndForget) return cudaErrorInvalidValue;
  uint64_t origin = 0;
  {
    MutexLock lock(mutex_);
    if (fired_ == mostFired) return cudaErrorInvalidValue;
    if (executable->setBusy(true)) return cudaErrorInvalidValue;
    origin = fibers::derivedOrigin(origin_, ++fired_);
  }
  const auto parent = sibling ? parent_ : shared_from_this();
  parent->enter();
  start(parent, executable, origin, {});
  return cudaSuccess;
}

// launchTail(): a graph may queue itself, once, although it runs.
cudaError_t Environment::launchTail(const ExecutableRef &executable) {
  MutexLock lock(mutex_);
  if (tails_.size() == mostTails) return cudaErrorInvalidValue;
  if (executable == executable_) {
    if (std::ranges::find(tails_, executable) != tails_.end()) return cudaErrorInvalidValue;
  } else if (executable->setBusy(true)) {
    return cudaErrorInvalidValue;
  }
  tails_.push_back(executable);
  return cudaSuccess;
}

}  // namespace hostwarp::graph
