// The device ABI's barriers, progress and special registers.
#include <time.h>

#include <algorithm>
#include <string>

#include "fibers/barrier_checks.h"
#include "fibers/block.h"
#include "fibers/engine.h"
#include "fibers/engine_section.h"
#include "fibers/worker.h"

using hostwarp::fibers::Block;
using hostwarp::fibers::BlockStop;
using hostwarp::fibers::checkBarrier;
using hostwarp::fibers::checkCooperative;
using hostwarp::fibers::currentFiber;
using hostwarp::fibers::EngineSection;
using hostwarp::fibers::failGridAt;
using hostwarp::fibers::Fault;
using hostwarp::fibers::Fiber;
using hostwarp::fibers::GridRequest;

namespace {

constexpr uint64_t kWarpSlotsPerSm = 64;

uint64_t nanosecondsOf(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// Where counted time begins: 2001-09-09, in nanoseconds; also tools/clock's.
constexpr uint64_t countedEpoch = 1000000000u * uint64_t{1000000000u};

uint64_t cycleCounter() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return nanosecondsOf(CLOCK_MONOTONIC);
#endif
}

// component() is x, y or z of a dimension.
uint32_t component(const hw_dim3 &d, int which) { return which == 0 ? d.x : which == 1 ? d.y : d.z; }

uint64_t clusterRegister(int which, const GridRequest &request, const hw_dim3 &block) {
  const hw_dim3 &size = request.cluster;
  const uint32_t blocks = size.x * size.y * size.z;
  if (which == HW_SREG_CLUSTER_CTARANK)
    return block.x % size.x + size.x * (block.y % size.y + size.y * (block.z % size.z));
  if (which == HW_SREG_CLUSTER_NCTARANK) return blocks;
  if (which == HW_SREG_IS_EXPLICIT_CLUSTER) return blocks > 1;
  const int axis = (which - HW_SREG_CLUSTERID_X) % 3;
  const uint32_t blocksHere = component(size, axis);
  switch (which - axis) {
    case HW_SREG_CLUSTERID_X:
      return component(block, axis) / blocksHere;
    case HW_SREG_NCLUSTERID_X:
      return component(request.grid, axis) / blocksHere;
    case HW_SREG_CLUSTER_CTAID_X:
      return component(block, axis) % blocksHere;
    case HW_SREG_CLUSTER_NCTAID_X:
      return blocksHere;
    default:
      return 0;
  }
}

}  // namespace

extern "C" {

HOSTWARP_ABI hw_thread *hw_self(void) noexcept { return hw_current; }

HOSTWARP_ABI void hw_barrier(uint32_t id, uint32_t count) noexcept {
  EngineSection section;
  const void *site = __builtin_return_address(0);
  checkBarrier(id, site);
  Fiber *self = section.fiber();
  self->block->barrierWait(self, id, count, 0, false, site);
}

HOSTWARP_ABI void hw_barrier_arrive(uint32_t id, uint32_t count) noexcept {
  EngineSection section;
  checkBarrier(id, __builtin_return_address(0));
  section.fiber()->block->barrierArrive(section.fiber(), id, count);
}

HOSTWARP_ABI int hw_barrier_reduce(uint32_t id, uint32_t count, int reduction, int predicate) noexcept {
  EngineSection section;
  const void *site = __builtin_return_address(0);
  checkBarrier(id, site);
  Fiber *self = section.fiber();
  self->block->barrierWait(self, id, count, static_cast<uint8_t>(reduction + 1), predicate != 0, site);
  return static_cast<int>(self->exchange.result);
}

HOSTWARP_ABI void hw_grid_arrive(void) noexcept {
  EngineSection section;
  checkCooperative(*section.fiber(), __builtin_return_address(0));
  section.fiber()->block->gridArrive(section.fiber());
}

HOSTWARP_ABI void hw_grid_wait(void) noexcept {
  EngineSection section;
  const void *site = __builtin_return_address(0);
  checkCooperative(*section.fiber(), site);
  section.fiber()->block->gridWait(section.fiber(), site);
}

HOSTWARP_ABI void hw_grid_sync(void) noexcept {
  EngineSection section;
  const void *site = __builtin_return_address(0);
  checkCooperative(*section.fiber(), site);
  section.fiber()->block->gridArrive(section.fiber());
  section.fiber()->block->gridWait(section.fiber(), site);
}

HOSTWARP_ABI int hw_grid_is_cooperative(void) noexcept { return currentFiber()->block->grid().request().cooperative; }

HOSTWARP_ABI void hw_cluster_arrive(void) noexcept {
  EngineSection section;
  section.fiber()->block->clusterArrive(section.fiber());
}

HOSTWARP_ABI void hw_cluster_wait(void) noexcept {
  EngineSection section;
  section.fiber()->block->clusterWait(section.fiber(), __builtin_return_address(0));
}

HOSTWARP_ABI void *hw_cluster_shared(const void *address, uint32_t rank) noexcept {
  EngineSection section;
  const Block &block = *section.fiber()->block;
  const auto &blocks = block.cluster().blocks();
  const int owner = block.cluster().rankOf(address);
  if (owner < 0)
    failGridAt(Fault::IllegalAddress, "an address that is to be mapped in the cluster is not in shared memory",
               __builtin_return_address(0));
  if (rank >= blocks.size())
    failGridAt(Fault::IllegalAddress, "the cluster has no block of rank " + std::to_string(rank),
               __builtin_return_address(0));
  const char *home = blocks[static_cast<size_t>(owner)]->sharedMemory();
  return blocks[rank]->sharedMemory() + (static_cast<const char *>(address) - home);
}

HOSTWARP_ABI uint32_t hw_cluster_rank(const void *address) noexcept {
  const int owner = currentFiber()->block->cluster().rankOf(address);
  if (owner >= 0) return static_cast<uint32_t>(owner);
  failGridAt(Fault::IllegalAddress, "an address whose block in the cluster is asked for is not in shared memory",
             __builtin_return_address(0));
}

HOSTWARP_ABI uint32_t hw_is_local(const void *address) noexcept {
  const Fiber *self = currentFiber();
  if (self == nullptr) return 0;
  const char *place = static_cast<const char *>(address);
  return (place >= self->stack.low && place < self->stack.high) || self->block->keepsVariableAt(address);
}

HOSTWARP_ABI void hw_yield(void) noexcept {
  // What lanes do together runs as a part of the engine: its loops wait for nobody.
  if (Fiber *self = currentFiber(); self->inEngine != 0) {
    self->thread.spinBudget = INT32_MAX;
    return;
  }
  EngineSection section;
  section.fiber()->block->yield(section.fiber(), __builtin_return_address(0));
}

HOSTWARP_ABI void hw_trigger_dependents(void) noexcept {
  EngineSection section;
  section.fiber()->block->trigger();
}

HOSTWARP_ABI void hw_nanosleep(uint32_t nanoseconds) noexcept {
  EngineSection section;
  constexpr uint32_t longest = 1000000;  // no GPU sleeps for more than a millisecond
  const uint64_t end = nanosecondsOf(CLOCK_MONOTONIC) + std::min(nanoseconds, longest);
  // A directed schedule knows no time.
  const bool isTimed = !section.fiber()->block->isDirected();
  do {
    section.fiber()->block->yield(section.fiber(), __builtin_return_address(0));
  } while (isTimed && nanosecondsOf(CLOCK_MONOTONIC) < end);
}

HOSTWARP_ABI void hw_exit_thread(void) noexcept {
  Fiber *self = currentFiber();
  self->inEngine = 1;
  self->block->exitThread(self);
}

HOSTWARP_ABI void hw_trap(void) noexcept { failGridAt(Fault::Trap, "__trap()", __builtin_return_address(0)); }

HOSTWARP_ABI void hw_misaligned(uint64_t address, uint32_t alignment) noexcept {
  char what[96];
  std::snprintf(what, sizeof what, "misaligned address 0x%llx: the access needs a multiple of %u bytes",
                static_cast<unsigned long long>(address), alignment);
  auto &pending = currentFiber()->block->worker().pending();
  pending.address = address;
  pending.alignment = alignment;
  failGridAt(Fault::MisalignedAddress, what, __builtin_return_address(0));
}

HOSTWARP_ABI void hw_illegal_instruction(const char *what) noexcept {
  char text[160];
  std::snprintf(text, sizeof text, "illegal instruction: %s", what);
  failGridAt(Fault::IllegalInstruction, text, __builtin_return_address(0));
}

HOSTWARP_ABI void hw_run_thread_by_thread(void) noexcept {
  Fiber *self = currentFiber();
  self->inEngine = 1;
  self->block->leave(BlockStop::Refused);
}

HOSTWARP_ABI void hw_assert_fail(const char *message, const char *file, uint32_t line, const char *function,
                                 size_t) noexcept {
  const auto orUnknown = [](const char *text) { return std::string(text != nullptr ? text : "?"); };
  const auto triple = [](const hw_dim3 &v) {
    return "[" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + "]";
  };
  const hw_thread &self = *hw_current;
  // The form that CUDA's own runtime prints: programs' test scripts look for it.
  failGridAt(Fault::Assert,
             orUnknown(file) + ":" + std::to_string(line) + ": " + orUnknown(function) +
                 ": block: " + triple(self.blockIdx) + ", thread: " + triple(self.threadIdx) + " Assertion `" +
                 orUnknown(message) + "` failed.\n",
             __builtin_return_address(0));
}

HOSTWARP_ABI uint64_t hw_special_register(int which) noexcept {
  Block &block = *currentFiber()->block;
  const auto &request = block.grid().request();
  switch (which) {
    case HW_SREG_SMID:
      block.noteLookAtOrder();
      return request.firstSm + block.linear() % (request.smCount != 0 ? request.smCount : 1);
    case HW_SREG_NSMID:
      return request.deviceSms;
    case HW_SREG_GRIDID:
      return request.gridId;
    case HW_SREG_NWARPID:
      return kWarpSlotsPerSm;
    case HW_SREG_CLOCK64:
      block.noteLookAtOrder();
      return request.countsTime ? block.countedTime() : cycleCounter();
    case HW_SREG_GLOBALTIMER:
      block.noteLookAtOrder();
      return request.countsTime ? countedEpoch + block.countedTime() : nanosecondsOf(CLOCK_REALTIME);
    case HW_SREG_DYNAMIC_SMEM_SIZE:
      return request.dynamicSharedBytes;
    case HW_SREG_GRID_WORKSPACE:
      return request.cooperative ? reinterpret_cast<uintptr_t>(block.grid().workspace()) : 0;
    case HW_SREG_TOTAL_SMEM_SIZE:
      return (block.prototype().sharedBytes + request.sharedGranularity - 1) / request.sharedGranularity *
             request.sharedGranularity;
    default:
      return clusterRegister(which, request, block.prototype().blockIdx);
  }
}

HOSTWARP_ABI void *hw_shared_object_address(const hw_shared_object *object) noexcept {
  EngineSection section;
  void *storage = section.fiber()->block->sharedObject(object);
  if (storage == nullptr)
    failGridAt(Fault::OutOfMemory, "no memory for a shared variable", __builtin_return_address(0));
  return storage;
}

}  // extern "C"
