// The device ABI's warp collectives.
#include <string>

#include "fibers/block.h"
#include "fibers/engine.h"
#include "fibers/engine_section.h"

using hostwarp::fibers::Collective;
using hostwarp::fibers::EngineSection;
using hostwarp::fibers::failGridAt;
using hostwarp::fibers::Fault;
using hostwarp::fibers::Fiber;

namespace {

[[noreturn, gnu::noinline]] void failMask(uint32_t mask, const void *site) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", mask);
  failGridAt(Fault::BadCollective,
             std::string("warp collective with mask ") + text + ", which does not name the calling lane", site);
}

// meet() performs a collective with this lane's contribution; results are in the fiber afterwards.
inline void meet(Fiber *self, uint32_t mask, Collective collective, int operation, uint64_t value, const void *site) {
  if (mask != 0 && (mask >> self->thread.laneId & 1) == 0) [[unlikely]]
    failMask(mask, site);
  self->exchange.value = value;
  self->exchange.operation = static_cast<uint8_t>(operation);
  self->block->meet(self, mask, collective, site);
}

}  // namespace

extern "C" {

HOSTWARP_ABI void hw_syncwarp(uint32_t mask) noexcept {
  EngineSection section;
  meet(section.fiber(), mask, Collective::SyncWarp, 0, 0, __builtin_return_address(0));
}

HOSTWARP_ABI uint64_t hw_shuffle(uint32_t mask, int kind, uint64_t value, uint32_t laneOrDelta, uint32_t width,
                                 int *inRange) noexcept {
  Fiber *self = nullptr;
  {
    EngineSection section;
    self = section.fiber();
    self->exchange.operand = laneOrDelta;
    self->exchange.width = width;
    meet(self, mask, Collective::Shuffle, kind, value, __builtin_return_address(0));
  }
  if (inRange != nullptr) *inRange = static_cast<int>(self->exchange.flag);
  return self->exchange.result;
}

HOSTWARP_ABI uint32_t hw_vote(uint32_t mask, int kind, int predicate) noexcept {
  EngineSection section;
  meet(section.fiber(), mask, Collective::Vote, kind, predicate != 0, __builtin_return_address(0));
  return static_cast<uint32_t>(section.fiber()->exchange.result);
}

HOSTWARP_ABI uint32_t hw_match_any(uint32_t mask, uint64_t value) noexcept {
  EngineSection section;
  meet(section.fiber(), mask, Collective::MatchAny, 0, value, __builtin_return_address(0));
  return static_cast<uint32_t>(section.fiber()->exchange.result);
}

HOSTWARP_ABI uint32_t hw_match_all(uint32_t mask, uint64_t value, int *predicate) noexcept {
  Fiber *self = nullptr;
  {
    EngineSection section;
    self = section.fiber();
    meet(self, mask, Collective::MatchAll, 0, value, __builtin_return_address(0));
  }
  if (predicate != nullptr) *predicate = static_cast<int>(self->exchange.flag);
  return static_cast<uint32_t>(self->exchange.result);
}

HOSTWARP_ABI uint32_t hw_warp_reduce(uint32_t mask, int operation, uint32_t value) noexcept {
  EngineSection section;
  meet(section.fiber(), mask, Collective::Reduce, operation, value, __builtin_return_address(0));
  return static_cast<uint32_t>(section.fiber()->exchange.result);
}

HOSTWARP_ABI void hw_warp_together(uint32_t mask, void *mine, void (*work)(void *const *lanes)) noexcept {
  EngineSection section;
  section.fiber()->exchange.work = work;
  meet(section.fiber(), mask, Collective::Together, 0, reinterpret_cast<uint64_t>(mine), __builtin_return_address(0));
}

HOSTWARP_ABI void hw_tile_together(uint32_t threads, void *mine, void (*work)(void *const *tile)) noexcept {
  EngineSection section;
  Fiber *self = section.fiber();
  self->exchange.work = work;
  self->exchange.value = reinterpret_cast<uint64_t>(mine);
  self->block->meetTile(self, threads, __builtin_return_address(0));
}

HOSTWARP_ABI uint32_t hw_activemask(void) noexcept {
  EngineSection section;
  meet(section.fiber(), 0, Collective::ActiveMask, 0, 0, __builtin_return_address(0));
  return static_cast<uint32_t>(section.fiber()->exchange.result);
}

}  // extern "C"
