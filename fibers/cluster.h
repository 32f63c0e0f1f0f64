// A thread block cluster: blocks that run on one worker at the same time, with a barrier of their own and access to
// each other's shared memory.
#ifndef HOSTWARP_FIBERS_CLUSTER_H
#define HOSTWARP_FIBERS_CLUSTER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hostwarp::fibers {

class Block;
struct Fiber;

// Cluster belongs to its blocks' worker; only that worker's OS thread may touch it. A block without a cluster has one
// of its own.
class Cluster {
 public:
  // begin() starts with no block; blocks join in the order of their ranks, each with this much shared memory.
  void begin(size_t sharedBytes);
  void join(Block *block);

  const std::vector<Block *> &blocks() const { return blocks_; }
  // blockEnded() notes that a block is over; true for the last one.
  bool blockEnded() { return --blocksLeft_ == 0; }

  // The barrier. A thread that has arrived waits until the phase in which it did so is over. One that runs a whole
  // block arrives for all of the block's threads.
  void arrive(Fiber *thread, uint32_t threads = 1);
  bool isOpenFor(const Fiber *thread) const;
  void threadEnded(const Fiber *thread);
  // isBusy() tells that somebody has arrived, so that the end of a thread matters.
  bool isBusy() const { return arrived_ != 0; }
  // isStuck() tells that every block waits at the barrier for threads that will not come.
  bool isStuck() const;

  // rankOf() is the rank of the block whose shared memory the address lies in; -1 when it lies in none.
  int rankOf(const void *address) const;

 private:
  void openIfComplete();

  std::vector<Block *> blocks_;
  size_t sharedBytes_ = 0;
  uint32_t blocksLeft_ = 0;
  uint64_t phase_ = 0;
  uint32_t arrived_ = 0;   // in this phase
  uint32_t departed_ = 0;  // of the arrived ones, those that have exited
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_CLUSTER_H
