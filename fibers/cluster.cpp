#include "fibers/cluster.h"

#include <algorithm>

#include "fibers/block.h"

namespace hostwarp::fibers {

void Cluster::begin(size_t sharedBytes) {
  blocks_.clear();
  sharedBytes_ = sharedBytes;
  blocksLeft_ = arrived_ = departed_ = 0;
}

void Cluster::join(Block *block) {
  blocks_.push_back(block);
  ++blocksLeft_;
}

void Cluster::arrive(Fiber *thread, uint32_t threads) {
  thread->clusterPhase = phase_;
  arrived_ += threads;
  openIfComplete();
}

bool Cluster::isOpenFor(const Fiber *thread) const { return thread->clusterPhase != phase_; }

void Cluster::threadEnded(const Fiber *thread) {
  departed_ += thread->clusterPhase == phase_;
  openIfComplete();
}

void Cluster::openIfComplete() {
  uint32_t expected = departed_;
  for (const Block *block : blocks_) expected += block->liveThreads();
  if (arrived_ < expected) return;
  ++phase_;
  arrived_ = departed_ = 0;
  for (Block *block : blocks_) block->openClusterBarrier();
}

bool Cluster::isStuck() const {
  return std::ranges::all_of(blocks_,
                             [](const Block *block) { return block->liveThreads() == 0 || block->atCluster(); });
}

int Cluster::rankOf(const void *address) const {
  for (size_t rank = 0; rank < blocks_.size(); ++rank) {
    const auto offset =
        reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(blocks_[rank]->sharedMemory());
    if (offset < sharedBytes_) return static_cast<int>(rank);
  }
  return -1;
}

}  // namespace hostwarp::fibers
