// fence.proxy.async: what stands between accesses by threads and those by asynchronous operations.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_PROXY_FENCES_H
#define HOSTWARP_EMU_RUNTIME_CHECK_PROXY_FENCES_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emu_runtime/check/block_state.h"

namespace hostwarp::check {

// ProxyFences is the fences of the blocks that are resident. An operation finds what a thread has written if a fence
// lies between the two, by whichever thread [PTX 8.9.3, proxy-preserved base causality order]. Not thread-safe.
class ProxyFences {
 public:
  // add() is a fence by the thread, for memory of these hw_async_spaces.
  void add(BlockState &block, const hw_thread &self, uint32_t spaces);
  // isBehind(): between the write by a lane of the record, and all that the thread `self` does now, lies a fence.
  bool isBehind(const AccessRecord &write, uint32_t lane, uint32_t space, const BlockState &block,
                uint32_t self) const;
  void blockEnds(const BlockState &block) { blocks_.erase(&block); }

 private:
  struct Fence {
    AccessRecord point;
    uint32_t spaces;
    Clock known;  // what the fence lies behind
  };
  using Fences = std::vector<Fence>;  // of a thread
  static constexpr size_t kMost = 64;

  static bool isBehind(const Fences &fences, const AccessRecord &write, uint32_t lane, uint32_t space,
                       const BlockState &block, uint32_t self, uint32_t thread);

  std::unordered_map<const BlockState *, std::vector<Fences>> blocks_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_PROXY_FENCES_H
