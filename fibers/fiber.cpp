#include "fibers/fiber.h"

#include <new>

#include "fibers/block.h"

constinit thread_local hw_thread *hw_current = nullptr;

namespace hostwarp::fibers {
namespace {

// Stacks lie at multiples of large powers of two, so equal offsets in them compete for the same cache sets. Spreading
// the tops over one page makes the caches hold many more fibers.
constexpr size_t kColors = 32;
constexpr size_t kColorBytes = 128;

}  // namespace

FiberPool::~FiberPool() {
  while (Fiber *fiber = idle_) {
    idle_ = fiber->next;
    const Stack stack = fiber->stack;
    fiber->~Fiber();
    stacks_.giveBack(stack);
  }
}

bool FiberPool::make() {
  Stack stack;
  if (!stacks_.take(stackBytes_, stack)) return false;
#if defined(HOSTWARP_ASAN)
  // What an earlier user of these addresses left behind: an abandoned frame, or one of an engine that is gone.
  __asan_unpoison_memory_region(stack.low, static_cast<size_t>(stack.high - stack.low));
#endif
  char *place = stack.high - sizeof(Fiber) - (made_++ % kColors) * kColorBytes;
  Fiber *fiber = new (place) Fiber;
  fiber->stack = stack;
  fiber->pool = this;
  prepareContext<fiberMain>(fiber->context, stack.low, fiber->stackTop());
  fiber->next = idle_;
  idle_ = fiber;
  return true;
}

void FiberPool::reclaim(Fiber *fiber) {
  fiber->guarded = 0;
  fiber->inEngine = 1;
  prepareContext<fiberMain>(fiber->context, fiber->stack.low, fiber->stackTop());
  giveBack(fiber);
}

void fiberMain() {
  Fiber *self = currentFiber();
  for (;;) {
    self->block->runThreads(self);
    self->block->retire(self);
  }
}

}  // namespace hostwarp::fibers
