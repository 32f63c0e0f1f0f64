#include "emu_runtime/check/async_operations.h"

#include <algorithm>
#include <utility>

namespace hostwarp::check {

namespace {

constexpr Time always = ~Time{0};

uint32_t traitsOf(uint32_t event) {
  constexpr uint32_t update = HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC | HW_ACCESS_RESULT_UNUSED;
  switch (event) {
    case HW_ASYNC_READS:
      return HW_ACCESS_READS;
    case HW_ASYNC_WRITES:
      return HW_ACCESS_WRITES;
    case HW_ASYNC_SUMS:
      return update | HW_ACCESS_ROUNDS;
    default:
      return update;
  }
}

}  // namespace

bool AsyncOperations::isByProxy(const Flight &flight) {
  static constexpr bool isBy[HW_ASYNC_OPERATIONS] = {
#define HOSTWARP_ASYNC_OPERATION(event, name, kind, byProxy) byProxy,
#include "emu_runtime/check/async_operations.def"
#undef HOSTWARP_ASYNC_OPERATION
  };
  return flight.pipe != 0 && isBy[flight.operation];
}

AsyncOperations::Kind AsyncOperations::kindOf(uint32_t operation) {
  return operation == HW_ASYNC_COPY ? Copies : operation == HW_ASYNC_BULK ? Bulks : Products;
}

AsyncOperations::Groups &AsyncOperations::groups(const BlockState &block, const hw_thread &self, Kind kind) {
  BlockGroups &all = blocks_[&block];
  if (all.threads.size() <= self.linearThread) all.threads.resize(self.linearThread + 1);
  return all.threads[self.linearThread][kind];
}

// pipe() is the first lane's.
uint32_t AsyncOperations::pipe(const BlockState &block, const hw_thread &self, uint32_t kind) {
  std::vector<uint32_t> &pipes = blocks_[&block].pipes;
  if (pipes.size() <= self.warpId) pipes.resize(self.warpId + 1);
  if (pipes[self.warpId] == 0) pipes[self.warpId] = flights_.addPipes(kPipes * kLanes);
  return pipes[self.warpId] + kind * kLanes;
}

AsyncOperations::Barrier &AsyncOperations::barrierAt(uintptr_t address) {
  Barrier &barrier = barriers_[address];
  if (barrier.pipe == 0) barrier.pipe = flights_.addPipes(1);
  return barrier;
}

void AsyncOperations::begin(BlockState &block, const hw_thread &self, uint32_t operation, uintptr_t barrier,
                            const hw_access_site *site) {
  current_ = {.block = &block, .thread = self.linearThread, .site = site};
  if (barrier != 0) {
    const Barrier &told = barrierAt(barrier);
    current_.flight = {.pipe = told.pipe, .operation = operation, .ofBarrier = true, .time = told.phase};
    current_.sources = current_.flight;
    return;
  }
  const Kind kind = kindOf(operation);
  const Time now = groups(block, self, kind).now;
  current_.flight = {.pipe = pipe(block, self, kind), .operation = operation, .ofBarrier = false, .time = now};
  current_.sources = current_.flight;
  if (kind == Bulks) current_.sources.pipe = pipe(block, self, kSources);
}

Access AsyncOperations::access(uintptr_t start, uint64_t bytes, uint32_t event) const {
  const Flight &flight = event == HW_ASYNC_READS ? current_.sources : current_.flight;
  return {start, bytes, traitsOf(event), current_.site, 0, {}, flight};
}

void AsyncOperations::writesResult(BlockState &block, const hw_thread &self, const Access &result) {
  const Time now = groups(block, self, Products).now;
  hasResults_ = true;
  blocks_[&block].results[self.linearThread][result.start] = {result.bytes, now, result.site};
}

const hw_access_site *AsyncOperations::resultAt(const BlockState &block, uint32_t thread, uintptr_t start,
                                                uint64_t bytes) const {
  const auto own = blocks_.find(&block);
  if (own == blocks_.end() || own->second.results.empty()) return nullptr;
  const auto results = own->second.results.find(thread);
  if (results == own->second.results.end()) return nullptr;
  auto next = results->second.lower_bound(start + bytes);
  if (next == results->second.begin()) return nullptr;
  const auto &[place, result] = *--next;
  return place + result.bytes > start ? result.site : nullptr;
}

void AsyncOperations::later(const hw_thread &self, LateEffects::Effect effect) {
  effect.block = current_.block;
  effect.thread = self.linearThread;
  effect.time = current_.flight.time;
  effect.after = current_.after;
  effect.afterTime = current_.afterTime;
  late_.add(current_.flight.pipeOf(self.laneId), std::move(effect));
}

void AsyncOperations::commit(BlockState &block, const hw_thread &self, Kind kind) {
  Groups &own = groups(block, self, kind);
  own.ends.push_back(++own.now);
}

void AsyncOperations::await(BlockState &block, const hw_thread &self, Kind kind, uint64_t most, bool onlySources) {
  std::vector<Time> &ends = groups(block, self, kind).ends;
  if (ends.size() <= most) return;
  const auto done = ends.end() - static_cast<std::ptrdiff_t>(most);
  const Time upTo = done[-1];
  const AccessRecord waiter = block.present(self.linearThread);
  late_.perform(pipe(block, self, kind) + self.laneId, upTo);
  if (kind == Bulks) flights_.awaited(pipe(block, self, kSources) + self.laneId, upTo, waiter, self.laneId);
  if (onlySources) return;
  flights_.awaited(pipe(block, self, kind) + self.laneId, upTo, waiter, self.laneId);
  if (kind == Products)
    std::erase_if(blocks_[&block].results[self.linearThread],
                  [&](const auto &each) { return each.second.time < upTo; });
  std::vector<Time> &left = groups(block, self, kind).ends;
  left.erase(left.begin(), left.end() - static_cast<std::ptrdiff_t>(most));
}

void AsyncOperations::copiesArrive(BlockState &block, const hw_thread &self, uintptr_t barrier) {
  Groups &copies = groups(block, self, Copies);
  const Barrier &told = barrierAt(barrier);
  const uint32_t own = pipe(block, self, Copies) + self.laneId;
  flights_.carry(own, ++copies.now, told.pipe, told.phase);
  current_ = {.block = &block, .thread = self.linearThread, .after = own, .afterTime = copies.now};
  current_.flight = {.pipe = told.pipe, .operation = HW_ASYNC_COPY, .ofBarrier = true, .time = told.phase};
}

void AsyncOperations::happens(BlockState &block, const hw_thread &self, uint32_t event, uintptr_t barrier,
                              uint64_t value) {
  switch (event) {
    case HW_ASYNC_COPIES_COMMITTED:
      return commit(block, self, Copies);
    case HW_ASYNC_COPIES_AWAITED:
      return await(block, self, Copies, value, false);
    case HW_ASYNC_BULKS_COMMITTED:
      return commit(block, self, Bulks);
    case HW_ASYNC_BULKS_AWAITED:
      return await(block, self, Bulks, value, false);
    case HW_ASYNC_BULKS_READ:
      return await(block, self, Bulks, value, true);
    case HW_ASYNC_PRODUCTS_COMMITTED:
      return commit(block, self, Products);
    case HW_ASYNC_PRODUCTS_AWAITED:
      return await(block, self, Products, value, false);
    case HW_ASYNC_BARRIER_MADE:
      barriers_[barrier] = {flights_.addPipes(1)};
      return;
    case HW_ASYNC_PHASE_OVER:
      ++barrierAt(barrier).phase;
      return;
    case HW_ASYNC_PHASE_LOOKED_AT:
      return late_.perform(barrierAt(barrier).pipe, always);
    case HW_ASYNC_PHASE_AWAITED: {
      const Barrier &awaited = barrierAt(barrier);
      return flights_.awaited(awaited.pipe, awaited.phase, block.present(self.linearThread), self.laneId);
    }
    case HW_ASYNC_COPIES_ARRIVE:
      return copiesArrive(block, self, barrier);
    case HW_ASYNC_PROXY_FENCE:
      return fences_.add(block, self, static_cast<uint32_t>(value));
    default:
      return;
  }
}

void AsyncOperations::clear() {
  flights_.clear();
  late_.clear();
  barriers_.clear();
}

}  // namespace hostwarp::check
