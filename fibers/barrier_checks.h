// What a barrier call may not ask for.
#ifndef HOSTWARP_FIBERS_BARRIER_CHECKS_H
#define HOSTWARP_FIBERS_BARRIER_CHECKS_H

#include <string>

#include "fibers/block.h"
#include "fibers/engine.h"

namespace hostwarp::fibers {

inline void checkBarrier(uint32_t id, const void *site) {
  if (id < Block::kBarriers) [[likely]]
    return;
  failGridAt(Fault::BadCollective, "barrier " + std::to_string(id) + " does not exist (a block has 16)", site);
}

inline void checkCooperative(const Fiber &self, const void *site) {
  if (self.block->grid().request().cooperative) return;
  failGridAt(Fault::BadCollective, "grid barrier in a kernel that was not launched with cudaLaunchCooperativeKernel",
             site);
}

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_BARRIER_CHECKS_H
