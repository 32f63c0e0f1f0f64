#include "emu_runtime/ipc/shared_point.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <utility>

namespace hostwarp::ipc {

namespace {

// std::atomic::wait() reaches the threads of one process only.
void futex(const std::atomic<uint32_t> &word, int operation, uint32_t value) {
  syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

}  // namespace

std::shared_ptr<SharedPoint> SharedPoint::of(std::shared_ptr<SharedPages> pages) {
  void *state = pages ? pages->map(nullptr) : nullptr;
  if (!state) return nullptr;
  return std::shared_ptr<SharedPoint>(new SharedPoint(std::move(pages), static_cast<State *>(state)));
}

std::shared_ptr<SharedPoint> SharedPoint::create() { return of(SharedPages::create(sizeof(State))); }

std::shared_ptr<SharedPoint> SharedPoint::open(const Name &name) {
  return name.bytes == sizeof(State) ? of(SharedPages::open(name)) : nullptr;
}

SharedPoint::~SharedPoint() { munmap(state_, sizeof(State)); }

void SharedPoint::reach(uint32_t number) {
  uint32_t known = state_->reached.load();
  while (known < number && !state_->reached.compare_exchange_weak(known, number)) {
  }
  futex(state_->reached, FUTEX_WAKE, INT_MAX);
}

void SharedPoint::wait(uint32_t number) const {
  for (uint32_t known = state_->reached.load(); known < number; known = state_->reached.load()) {
    futex(state_->reached, FUTEX_WAIT, known);
  }
}

}  // namespace hostwarp::ipc
