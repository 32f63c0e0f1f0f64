// What threads do about asynchronous operations: begin them, end groups of them, and wait.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_ASYNC_OPERATIONS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_ASYNC_OPERATIONS_H

#include <array>
#include <cstdint>
#include <map>
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
  // writesResult(): the product that has begun last writes to a local variable of the thread. resultAt() is where the
  // product stands of which the thread's bytes there are the result, if it has not been waited for; else null.
  void writesResult(BlockState &block, const hw_thread &self, const Access &result);
  const hw_access_site *resultAt(const BlockState &block, uint32_t thread, uintptr_t start, uint64_t bytes) const;
  // hasResults(): there has been such a product.
  bool hasResults() const { return hasResults_; }
  // isProduct(): the thread has begun a product last. Others may have begun something since: it has met them.
  bool isProduct(const BlockState &block, const hw_thread &self) const {
    return current_.block != &block || current_.thread != self.linearThread ||
           current_.flight.operation == HW_ASYNC_PRODUCT;
  }
  // later() puts its effect off until it is waited for.
  void later(const hw_thread &self, LateEffects::Effect effect);
  // happens() is any other event.
  void happens(BlockState &block, const hw_thread &self, uint32_t event, uintptr_t barrier, uint64_t value);

  void threadEnds(const BlockState &block, const hw_thread &thread) { late_.performOf(&block, thread.linearThread); }
  void blockEnds(const BlockState &block) {
    blocks_.erase(&block);
    late_.forget(&block);
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
  struct Result {
    uint64_t bytes;
    Time time;
    const hw_access_site *site;
  };
  using Results = std::map<uintptr_t, Result>;
  struct BlockGroups {
    std::vector<std::array<Groups, Kinds>> threads;
    std::map<uint32_t, Results> results;  // of products in flight, by thread
    std::vector<uint32_t> pipes;          // the first of each warp; 0: not yet made
  };
  struct Barrier {
    uint32_t pipe;
    Time phase = 1;
  };
  struct Current {
    const BlockState *block = nullptr;
    uint32_t thread = 0;
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
  bool hasResults_ = false;
  std::unordered_map<const BlockState *, BlockGroups> blocks_;
  std::unordered_map<uintptr_t, Barrier> barriers_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_ASYNC_OPERATIONS_H
