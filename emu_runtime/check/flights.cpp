#include "emu_runtime/check/flights.h"

#include <algorithm>
#include <bit>
#include <ranges>

namespace hostwarp::check {

uint32_t Flights::addPipes(uint32_t count) {
  const auto first = static_cast<uint32_t>(pipes_.size());
  pipes_.resize(pipes_.size() + count);
  return first;
}

AccessRecord Flights::Wait::point() const {
  AccessRecord record{};
  record.block = block;
  record.cluster = cluster;
  record.time = time;
  record.launch = launch;
  record.warp = warp;
  record.gridPhase = gridPhase;
  record.clusterPhase = clusterPhase;
  return record;
}

void Flights::awaited(uint32_t pipe, Time upTo, const AccessRecord &waiter, uint32_t lane) {
  std::vector<Wait> &waits = pipes_[pipe].waits;
  for (Wait &wait : waits | std::views::reverse) {
    if (wait.upTo != upTo) break;
    if (wait.block != waiter.block || wait.warp != waiter.warp) continue;
    if ((wait.lanes >> lane & 1) != 0) return;  // the first wait says most
    if (wait.time != waiter.time) continue;
    wait.lanes |= 1u << lane;
    return;
  }
  if (isFull()) return;
  ++waits_;
  waits.push_back({upTo, waiter.time, waiter.block, waiter.cluster, waiter.launch, waiter.warp, 1u << lane,
                   waiter.gridPhase, waiter.clusterPhase});
}

void Flights::carry(uint32_t pipe, Time upTo, uint32_t carrier, Time carrierTime) {
  pipes_[pipe].carriers.push_back({upTo, carrier, carrierTime});
}

uint32_t Flights::pending(const AccessRecord &record, uint32_t lanes, const BlockState &block, uint32_t thread) const {
  if (record.launch != block.launch() || isFull()) return 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (isKnown(record.flight.pipeOf(lane), record.flight.time, block, thread)) lanes &= ~(1u << lane);
  }
  return lanes;
}

bool Flights::isKnown(uint32_t pipe, Time time, const BlockState &block, uint32_t thread) const {
  const auto &[waits, carriers] = pipes_[pipe];
  const auto isKnownWait = [&](const Wait &wait) {
    return wait.upTo > time && block.unordered(wait.point(), wait.lanes, thread) != wait.lanes;
  };
  const auto first = std::ranges::upper_bound(waits, time, {}, &Wait::upTo);
  if (std::any_of(first, waits.end(), isKnownWait)) return true;
  return std::ranges::any_of(carriers, [&](const Carrier &carrier) {
    return carrier.upTo > time && isKnown(carrier.pipe, carrier.time, block, thread);
  });
}

bool Flights::isAwaited(uint32_t pipe, Time time) const {
  const auto &[waits, carriers] = pipes_[pipe];
  if (!waits.empty() && waits.back().upTo > time) return true;
  return std::ranges::any_of(
      carriers, [&](const Carrier &carrier) { return carrier.upTo > time && isAwaited(carrier.pipe, carrier.time); });
}

}  // namespace hostwarp::check
