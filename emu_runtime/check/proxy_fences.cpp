#include "emu_runtime/check/proxy_fences.h"

#include <algorithm>

namespace hostwarp::check {

void ProxyFences::add(BlockState &block, const hw_thread &self, uint32_t spaces) {
  std::vector<Fences> &threads = blocks_[&block];
  if (threads.size() <= self.linearThread) threads.resize(self.linearThread + 1);
  Fences &fences = threads[self.linearThread];
  const AccessRecord point = block.present(self.linearThread);
  // Of those that all threads know to be over the last one says most.
  const auto isOld = [&](const Fence &fence) { return block.isBeforeBarrier(fence.point) && fence.spaces == spaces; };
  const auto last = std::ranges::find_if_not(fences, isOld);
  if (last - fences.begin() > 1) fences.erase(fences.begin(), last - 1);
  if (fences.size() >= kMost) fences.erase(fences.begin());
  fences.push_back({point, spaces, block.release(self.linearThread)});
}

bool ProxyFences::isBehind(const Fences &fences, const AccessRecord &write, uint32_t lane, uint32_t space,
                           const BlockState &block, uint32_t self, uint32_t thread) {
  const auto isBetween = [&](const Fence &fence) {
    const AccessRecord &point = fence.point;
    const bool isKnown = fence.known.of(write.block, write.warp * 32 + lane) > write.time ||
                         BlockState::isOver(write.gridPhase, point.gridPhase) ||
                         (write.cluster == point.cluster && BlockState::isOver(write.clusterPhase, point.clusterPhase));
    return (fence.spaces & space) != 0 && isKnown &&
           block.unordered(point, 1u << thread % 32, self) == 0;
  };
  return std::ranges::any_of(fences, isBetween);
}

bool ProxyFences::isBehind(const AccessRecord &write, uint32_t lane, uint32_t space, const BlockState &block,
                           uint32_t self) const {
  const uint32_t writer = write.warp * 32 + lane;
  if (const auto own = blocks_.find(&block); own != blocks_.end()) {
    const std::vector<Fences> &threads = own->second;
    for (const uint32_t likely : {writer, self})
      if (likely < threads.size() && isBehind(threads[likely], write, lane, space, block, self, likely)) return true;
  }
  return std::ranges::any_of(blocks_, [&](const auto &each) {
    for (uint32_t thread = 0; thread < each.second.size(); ++thread)
      if (isBehind(each.second[thread], write, lane, space, block, self, thread)) return true;
    return false;
  });
}

}  // namespace hostwarp::check
