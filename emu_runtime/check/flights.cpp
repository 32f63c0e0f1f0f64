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

void Flights::awaited(uint32_t pipe, Time upTo, const AccessRecord &waiter, uint32_t lane) {
  std::vector<Wait> &waits = pipes_[pipe].waits;
  for (Wait &wait : waits | std::views::reverse) {
    if (wait.upTo != upTo) break;
    if (wait.waiter.block != waiter.block || wait.waiter.warp != waiter.warp) continue;
    if ((wait.lanes >> lane & 1) != 0) return;  // the first wait says most
    if (wait.waiter.time != waiter.time) continue;
    wait.lanes |= 1u << lane;
    return;
  }
  waits.push_back({upTo, 1u << lane, waiter});
}

void Flights::carry(uint32_t pipe, Time upTo, uint32_t carrier, Time carrierTime) {
  pipes_[pipe].carriers.push_back({upTo, carrier, carrierTime});
}

uint32_t Flights::pending(const AccessRecord &record, uint32_t lanes, const BlockState &block, uint32_t thread) const {
  if (record.launch != block.launch()) return 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (isKnown(record.flight.pipeOf(lane), record.flight.time, block, thread)) lanes &= ~(1u << lane);
  }
  return lanes;
}

bool Flights::isKnown(uint32_t pipe, Time time, const BlockState &block, uint32_t thread) const {
  const auto &[waits, carriers] = pipes_[pipe];
  const auto isKnownWait = [&](const Wait &wait) {
    return wait.upTo > time && block.unordered(wait.waiter, wait.lanes, thread) != wait.lanes;
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
  return std::ranges::any_of(carriers, [&](const Carrier &carrier) {
    return carrier.upTo > time && isAwaited(carrier.pipe, carrier.time);
  });
}

}  // namespace hostwarp::check
