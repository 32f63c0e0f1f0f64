// The schedule policy: which thread, which block and how long a spin, wherever CUDA leaves the order open.
#ifndef HOSTWARP_FIBERS_SCHEDULE_POLICY_H
#define HOSTWARP_FIBERS_SCHEDULE_POLICY_H

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fibers/engine.h"

namespace hostwarp::fibers {

// RandomStream is a small deterministic generator (splitmix64), one per running block.
class RandomStream {
 public:
  explicit RandomStream(uint64_t seed = 0) : state_(seed) {}
  uint64_t next();
  // below() is uniform in [0, bound); pre: bound > 0.
  uint64_t below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

 private:
  uint64_t state_;
};

// SchedulePolicy decides. One object serves the whole engine and has no state of its own: decisions inside a block draw
// from the block's RandomStream, so a block whose threads wait for nobody outside of it runs as the seed says, with any
// number of workers. `origin` is Grid::origin(). Thread-safe.
class SchedulePolicy {
 public:
  virtual ~SchedulePolicy() = default;

  // inOrder() tells blocks that the decisions below are the trivial ones, so that the fast path need not ask.
  virtual bool inOrder() const = 0;
  // blockAt() is the linear index of the block that runs as number `position` of `total`: a permutation. It moves
  // blocks only among the `resident` ones that can run at the same time: GPUs start blocks in order, and there are
  // programs whose blocks wait for those before them.
  virtual uint64_t blockAt(uint64_t origin, uint64_t position, uint64_t total, uint64_t resident) const = 0;
  virtual RandomStream streamFor(uint64_t origin, uint64_t block) const = 0;
  // choose() picks one of `count` candidates; pre: count > 0.
  virtual size_t choose(RandomStream &random, size_t count) const = 0;
  // spinBudget() is the number of loop iterations before a spinning thread yields; `first` for a thread that begins.
  virtual int32_t spinBudget(RandomStream &random, bool first) const = 0;
  // preempt() says whether a block shall pause at a switch for the benefit of another block of the worker.
  virtual bool preempt(RandomStream &random) const = 0;
};

std::unique_ptr<SchedulePolicy> makeSchedulePolicy(const EngineOptions &options);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_SCHEDULE_POLICY_H
