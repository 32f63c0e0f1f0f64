#include <atomic>
#include <vector>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

class BarrierTest : public EngineTest {};
HOSTWARP_EVERY_SCHEDULE(BarrierTest);

// A tree reduction in shared memory: wrong as soon as one thread passes a barrier early.
void sumKernel(void *const *args) {
  const hw_thread &t = *hw_self();
  int *shared = reinterpret_cast<int *>(t.dynamicShared);
  const unsigned threads = t.blockDim.x * t.blockDim.y * t.blockDim.z;
  shared[t.linearThread] = static_cast<int>(t.linearThread + linearBlock());
  hw_barrier(0, 0);
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t.linearThread < half) shared[t.linearThread] += shared[t.linearThread + half];
    hw_barrier(0, 0);
  }
  if (t.linearThread == 0) (*static_cast<std::vector<int> *>(args[0]))[linearBlock()] = shared[0];
}

TEST_P(BarrierTest, ReducesInSharedMemory) {
  std::vector<int> sums(60, -1);
  GridRequest request = describe(sumKernel, {5, 4, 3}, {16, 4, 4}, &sums);
  request.dynamicSharedBytes = 256 * sizeof(int);
  const GridOutcome outcome = engine_->run(request);
  ASSERT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  for (int b = 0; b < 60; ++b) EXPECT_EQ(sums[static_cast<size_t>(b)], 255 * 128 + 256 * b);
}

struct Rounds {
  int shared[1024] = {};
  std::atomic<int> wrong{0};
};

// Each thread reads its neighbour's number of the round before.
void roundsKernel(void *const *args) {
  const hw_thread &t = *hw_self();
  Rounds &rounds = *static_cast<Rounds *>(args[0]);
  for (int round = 1; round <= 20; ++round) {
    rounds.shared[t.linearThread] = round;
    hw_barrier(0, 0);
    if (rounds.shared[(t.linearThread + 1) % t.blockDim.x] != round) ++rounds.wrong;
    hw_barrier(0, 0);
  }
}

TEST_P(BarrierTest, LargestBlock) {
  Rounds rounds;
  EXPECT_EQ(launch(roundsKernel, {1, 1, 1}, {1024, 1, 1}, &rounds).fault, Fault::None);
  EXPECT_EQ(rounds.wrong, 0);
}

}  // namespace
}  // namespace hostwarp::fibers
