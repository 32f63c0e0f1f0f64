#include "emu_runtime/stream/stream.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "emu_runtime/order/work_log.h"

namespace hostwarp::stream {

namespace {

// Most programs free nothing in the order of streams, which then has not to be known.
std::atomic<bool> anyFrees{false};

// all(): Boost's containers do not become spans by themselves.
std::span<const OperationRef> all(const FewOperations &operations) { return {operations.data(), operations.size()}; }

}  // namespace

StreamSet::StreamSet(std::shared_ptr<ContextState> state)
    : state_(std::move(state)), legacy_(std::make_shared<Stream>(StreamKind::Legacy, 0, 1)) {}

std::shared_ptr<Stream> StreamSet::create(StreamKind kind, int priority) {
  MutexLock lock(mutex_);
  auto stream = std::make_shared<Stream>(kind, priority, nextId_++);
  streams_.push_back(stream);
  return stream;
}

void StreamSet::release(const std::shared_ptr<Stream> &stream) {
  MutexLock lock(mutex_);
  std::erase(streams_, stream);
  dropFinishedOrphans();
  order::Clock::Ref &released = stream->kind_ == StreamKind::Blocking ? releasedBlocking_ : releasedOthers_;
  released = order::Clock::joined(released, stream->clock_);
  if (busy(stream->tail_)) orphans_.push_back({stream->kind_, stream->tail_});
}

void StreamSet::enqueue(Stream &stream, const OperationRef &operation, std::span<const OperationRef> extra) {
  append(stream, operation, extra, nullptr);
}

void StreamSet::enqueueFree(Stream &stream, const OperationRef &operation, const memory::FreeMark &mark) {
  anyFrees.store(true, std::memory_order_relaxed);
  append(stream, operation, {}, &mark);
}

void StreamSet::append(Stream &stream, const OperationRef &operation, std::span<const OperationRef> extra,
                       const memory::FreeMark *mark) {
  FewOperations predecessors(extra.begin(), extra.end());
  {
    MutexLock lock(mutex_);
    collect(stream, predecessors);
    order(stream, *operation, extra, mark);
    this->mark(stream, *operation, extra);
    operation->stand({stream.serial_, ++stream.operations_});
    stream.tail_ = operation;
  }
  operation->schedule(all(predecessors));
}

void StreamSet::follow(Stream &stream, const OperationRef &done) {
  if (order::isFollowed()) {
    MutexLock lock(mutex_);
    stream.clock_ = order::Clock::joined(stream.clock_, done->clock());
  }
  if (!anyFrees.load(std::memory_order_relaxed)) return;
  MutexLock lock(mutex_);
  stream.follows_ = memory::FreeOrder::joined(stream.follows_, done->follows());
}

memory::FreeOrder::Ref StreamSet::follows(const Stream &stream) {
  if (!anyFrees.load(std::memory_order_relaxed)) return nullptr;
  MutexLock lock(mutex_);
  return followsNow(stream);
}

void StreamSet::forgetFrees() {
  if (!anyFrees.load(std::memory_order_relaxed)) return;
  MutexLock lock(mutex_);
  legacy_->follows_ = nullptr;
  for (const auto &stream : streams_) stream->follows_ = nullptr;
}

memory::FreeOrder::Ref StreamSet::followsNow(const Stream &stream) const {
  memory::FreeOrder::Ref all = stream.follows_;
  if (stream.kind_ == StreamKind::Blocking) return memory::FreeOrder::joined(all, legacy_->follows_);
  if (stream.kind_ == StreamKind::NonBlocking) return all;
  for (const auto &other : streams_)
    if (other->kind_ == StreamKind::Blocking) all = memory::FreeOrder::joined(all, other->follows_);
  return all;
}

// order() tells the operation and the stream which frees they follow.
void StreamSet::order(Stream &stream, Operation &operation, std::span<const OperationRef> extra,
                      const memory::FreeMark *mark) {
  if (!anyFrees.load(std::memory_order_relaxed)) return;
  memory::FreeOrder::Ref all = followsNow(stream);
  for (const OperationRef &other : extra)
    if (other) all = memory::FreeOrder::joined(all, other->follows());
  if (mark) all = memory::FreeOrder::with(all, *mark);
  stream.follows_ = all;
  operation.setFollows(std::move(all));
}

order::Clock::Ref StreamSet::clockOf(const Stream &stream) {
  MutexLock lock(mutex_);
  return clockNow(stream);
}

order::Clock::Ref StreamSet::clockNow(const Stream &stream) const {
  order::Clock::Ref all = order::Clock::joined(stream.clock_, gateClock_);
  if (stream.kind_ == StreamKind::Blocking) return order::Clock::joined(all, legacy_->clock_);
  if (stream.kind_ == StreamKind::NonBlocking) return all;
  for (const auto &other : streams_)
    if (other->kind_ == StreamKind::Blocking) all = order::Clock::joined(all, other->clock_);
  return order::Clock::joined(all, releasedBlocking_);
}

order::Clock::Ref StreamSet::clockOfAll() const {
  order::Clock::Ref all = clockNow(*legacy_);
  for (const auto &stream : streams_) all = order::Clock::joined(all, stream->clock_);
  return order::Clock::joined(all, releasedOthers_);
}

// mark() gives the operation its place among all that `hostwarp check` follows.
void StreamSet::mark(Stream &stream, Operation &operation, std::span<const OperationRef> extra) {
  if (!order::isFollowed()) return;
  order::Clock::Ref before = clockNow(stream);
  for (const OperationRef &other : extra)
    if (other) before = order::Clock::joined(before, other->clock());
  stream.clock_ = order::WorkLog::process().enqueue(operation.work(), before, {stream.serial_, ++stream.marks_});
  operation.setClock(stream.clock_);
}

void StreamSet::enqueueOverlapping(Stream &stream, const OperationRef &operation, const OperationRef &prerequisites) {
  // What needs memory comes first: an operation that others wait for has to be scheduled.
  FewOperations complete, early;
  OperationRef last, released;
  {
    MutexLock lock(mutex_);
    collect(stream, complete);
    early = complete;
    if (busy(stream.tail_)) released = stream.tail_->released();
    order(stream, *operation, {}, nullptr);
    mark(stream, *operation, {});
    last = std::exchange(stream.tail_, operation);
  }
  std::replace(early.begin(), early.end(), last, released);
  prerequisites->schedule(all(complete));
  operation->schedule(all(early));
}

FewOperations StreamSet::pendingOf(const Stream &stream) {
  FewOperations out;
  MutexLock lock(mutex_);
  collect(stream, out);
  return out;
}

std::vector<OperationRef> StreamSet::pending() {
  std::vector<OperationRef> out;
  MutexLock lock(mutex_);
  if (busy(legacy_->tail_)) out.push_back(legacy_->tail_);
  for (const auto &stream : streams_) {
    if (busy(stream->tail_)) out.push_back(stream->tail_);
  }
  dropFinishedOrphans();
  for (const Orphan &orphan : orphans_) out.push_back(orphan.tail);
  return out;
}

void StreamSet::holdUp(const OperationRef &operation) {
  auto gate = std::make_shared<Marker>(state_);
  OperationRef before[] = {nullptr, operation};
  {
    MutexLock lock(mutex_);
    before[0] = std::exchange(gate_, gate);
    if (order::isFollowed() && operation) gateClock_ = order::Clock::joined(gateClock_, operation->clock());
  }
  gate->schedule(before);
}

bool StreamSet::isDone(const Stream &stream) {
  if (stream.kind_ != StreamKind::Blocking) return idle(stream);
  MutexLock lock(mutex_);
  return !busy(stream.tail_);
}

bool StreamSet::idle(const Stream &stream) { return pendingOf(stream).empty(); }

void StreamSet::wait(const Stream &stream) {
  const order::Clock::Ref before = order::isFollowed() ? clockOf(stream) : nullptr;
  for (const OperationRef &operation : pendingOf(stream)) operation->wait();
  order::hostLearns(before);
}

void StreamSet::waitAll() {
  order::Clock::Ref before;
  if (order::isFollowed()) {
    MutexLock lock(mutex_);
    before = clockOfAll();
  }
  for (const OperationRef &operation : pending()) operation->wait();
  order::hostLearns(before);
}

void StreamSet::dropFinished() {
  std::vector<OperationRef> finished;  // destroyed when the lock is free again
  MutexLock lock(mutex_);
  const auto drop = [&](OperationRef &operation) {
    if (operation && !busy(operation)) finished.push_back(std::move(operation));
  };
  drop(legacy_->tail_);
  drop(gate_);
  for (const auto &stream : streams_) drop(stream->tail_);
  for (Orphan &orphan : orphans_) drop(orphan.tail);
  std::erase_if(orphans_, [](const Orphan &orphan) { return !orphan.tail; });
}

void StreamSet::collect(const Stream &stream, FewOperations &out) {
  if (busy(stream.tail_)) out.push_back(stream.tail_);
  if (busy(gate_)) out.push_back(gate_);
  if (stream.kind_ == StreamKind::NonBlocking) return;
  if (stream.kind_ == StreamKind::Blocking) {
    if (busy(legacy_->tail_)) out.push_back(legacy_->tail_);
    return;
  }
  for (const auto &other : streams_) {
    if (other->kind_ == StreamKind::Blocking && busy(other->tail_)) out.push_back(other->tail_);
  }
  dropFinishedOrphans();
  for (const Orphan &orphan : orphans_) {
    if (orphan.kind == StreamKind::Blocking) out.push_back(orphan.tail);
  }
}

void StreamSet::dropFinishedOrphans() {
  std::erase_if(orphans_, [](const Orphan &orphan) { return !busy(orphan.tail); });
}

}  // namespace hostwarp::stream
