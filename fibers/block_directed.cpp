// What a block does where a director chooses who goes on.
#include <algorithm>

#include "fibers/block.h"
#include "fibers/engine_section.h"
#include "fibers/worker.h"

namespace hostwarp::fibers {
namespace {

// take() takes a fiber out of a queue; false if it is not in it.
bool take(FiberQueue &queue, const Fiber *fiber) {
  size_t index = 0, found = queue.size();
  queue.forEach([&](const Fiber *each) {
    if (each == fiber) found = index;
    ++index;
  });
  if (found == queue.size()) return false;
  queue.takeAt(found);
  return true;
}

}  // namespace

void Block::comesTo(Fiber *self, const SyncOperation &operation) {
  Agent &agent = agents_[self->thread.linearThread];
  const ThreadName name = nameOf(self);
  checkStopped();
  if (!director_->comesTo(name, agent, operation)) {
    ready_.push(self);
    suspend(self);
    checkStopped();
  }
  director_->makes(name, agent);
}

void Block::yieldDirected(Fiber *self, const void *site) {
  self->thread.spinBudget = 1;
  checkStopped();
  if (!director_->endsTurn(nameOf(self), agents_[self->thread.linearThread])) return;
  if (const GridRequest &request = grid_->request(); request.waiting != nullptr) request.waiting(request.owner);
  self->setWait(WaitKind::Spin, Collective::SyncWarp, 0, site, 0, 0);
  spinners_.push(self);
  suspend(self);
  checkStopped();
}

void Block::setNext(Fiber *fiber, uint32_t thread) {
  nextFiber_ = fiber;
  nextFresh_ = fiber != nullptr ? kNobody : thread;
}

bool Block::releaseSpinners(bool onlyBlind) {
  bool areSome = false;
  spinners_.forEach([&](const Fiber *fiber) {
    Agent &agent = agents_[fiber->thread.linearThread];
    if (onlyBlind && !agent.last.isOpaque) return;
    agent.isReleased = true;
    areSome = true;
  });
  return areSome;
}

// chooseDirected() goes on with whom setNext() has named, once; then the director is due again.
Fiber *Block::chooseDirected() {
  if (const Fiber *self = currentFiber(); self != nullptr)
    director_->stops(nameOf(self), agents_[self->thread.linearThread]);
  if (live_ == 0) return stopWith(BlockStop::Finished);
  if (grid_->stopped()) return stopWith(BlockStop::Stopped);
  if (Fiber *next = std::exchange(nextFiber_, nullptr); next != nullptr) {
    if (!take(ready_, next)) take(spinners_, next);
    return next;
  }
  if (nextFresh_ != kNobody) {
    Fiber *fiber = fibers_->take(this);
    return fiber != nullptr ? fiber : stopWith(BlockStop::NeedFiber);
  }
  const bool mayGoOn = !ready_.empty() || !spinners_.empty() || unstarted() || softMeetings_ != 0;
  return stopWith(mayGoOn ? BlockStop::AtChoice : whyStuck());
}

void Block::tellOfMeeting(const FiberQueue &waiters, const Fiber *last) const {
  std::vector<uint64_t> threads;
  waiters.forEach([&](const Fiber *fiber) { threads.push_back(nameOf(fiber).thread); });
  if (last != nullptr) threads.push_back(nameOf(last).thread);
  director_->meet(grid_->launch(), threads);
}

void Block::tellOfMeeting(const Warp &warp, uint32_t lanes) const {
  std::vector<uint64_t> threads;
  for (; lanes != 0; lanes &= lanes - 1) threads.push_back(nameOf(warp.lanes[__builtin_ctz(lanes)]).thread);
  director_->meet(grid_->launch(), threads);
}

void schedulingPoint(const SyncOperation &operation) {
  Fiber *self = currentFiber();
  // What the engine and the runtime do on behalf of a thread is not interrupted.
  if (self == nullptr || !self->block->isDirected() || self->inEngine != 0 || self->guarded != 0) return;
  const EngineSection section;
  self->block->comesTo(self, operation);
}

}  // namespace hostwarp::fibers
