// What threads do about asynchronous operations: begin them, end groups of them, and wait.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_ASYNC_OPERATIONS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_ASYNC_OPERATIONS_H

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/flights.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/late_effects.h"
#include "emu_runtime/check/proxy_fences.h"

namespace hostwarp::check {

// AsyncOperations keeps count of each thread's groups and of the phases of mbarriers. Not thread-safe.
class AsyncOperations {
 public:
  // isByProxy(): what threads have written it finds behind a proxy fence only.
  static bool isByProxy(const Flight &flight);
  const ProxyFences &proxyFences() const { return fences_; }
  const Flights &flights() const { return flights_; }

  // begin() is the start of an operation; the barrier is null for those that belong to a group.
  void begin(BlockState &block, const hw_thread &self, uint32_t operation, uintptr_t barrier,
             const hw_access_site *site);
  // access() is what the operation that has begun last does.
  Access access(uintptr_t start, uint64_t bytes, uint32_t event) const;
  // later() puts its effect off until it is waited for.
  void later(const hw_thread &self, LateEffects::Effect effect);
  // happens() is any other event.
  void happens(BlockState &block, const hw_thread &self, uint32_t event, uintptr_t barrier, uint64_t value);

  void threadEnds(const BlockState &block, const hw_thread &thread) { late_.performOf(&block, thread.linearThread); }
  void blockEnds(const BlockState &block) {
    blocks_.erase(&block);
    fences_.blockEnds(block);
  }
  void clear();

 private:
  // Groups is a thread's operations of one kind. Those of a time before ends[i] belong to the groups up to i.
  struct Groups {
    Time now = 1;
    std::vector<Time> ends;
  };
  enum Kind : uint8_t { Copies, Bulks, Products, Kinds };
  // Each lane has a pipe for each kind, and bulk operations have one more, for their sources.
  static constexpr uint32_t kPipes = Kinds + 1, kSources = Kinds, kLanes = 32;
  struct BlockGroups {
    std::vector<std::array<Groups, Kinds>> threads;
    std::vector<uint32_t> pipes;  // the first of each warp; 0: not yet made
  };
  struct Barrier {
    uint32_t pipe;
    Time phase = 1;
  };
  struct Current {
    const BlockState *block = nullptr;
    const hw_access_site *site = nullptr;
    Flight flight{}, sources{};
    LateEffects::Pipe after = 0;  // what has to be done before its effect
    Time afterTime = 0;
  };

  Groups &groups(const BlockState &block, const hw_thread &self, Kind kind);
  uint32_t pipe(const BlockState &block, const hw_thread &self, uint32_t kind);
  Barrier &barrierAt(uintptr_t address);
  static Kind kindOf(uint32_t operation);
  void commit(BlockState &block, const hw_thread &self, Kind kind);
  // await() lets `most` groups stay in flight.
  void await(BlockState &block, const hw_thread &self, Kind kind, uint64_t most, bool onlySources);
  void copiesArrive(BlockState &block, const hw_thread &self, uintptr_t barrier);

  Flights flights_;
  LateEffects late_;
  ProxyFences fences_;
  Current current_;
  std::unordered_map<const BlockState *, BlockGroups> blocks_;
  std::unordered_map<uintptr_t, Barrier> barriers_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_ASYNC_OPERATIONS_H
