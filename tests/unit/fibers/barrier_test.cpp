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

// Each thread reads its neighbour's number of the same round.
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

// Threads leave one after the other; those who stay still meet.
void earlyExitKernel(void *const *args) {
  const hw_thread &t = *hw_self();
  auto &passed = *static_cast<std::atomic<int> *>(args[0]);
  for (unsigned round = 0; round < t.blockDim.x; ++round) {
    if (t.threadIdx.x == round) {
      if (round % 2 == 0) return;
      hw_exit_thread();
    }
    hw_barrier(0, 0);
    ++passed;
  }
}

TEST_P(BarrierTest, ExitedThreadsCountAsArrived) {
  std::atomic<int> passed{0};
  const GridOutcome outcome = launch(earlyExitKernel, {3, 1, 1}, {100, 1, 1}, &passed);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(passed, 3 * 99 * 100 / 2);
}

struct Pipeline {
  int slot[64] = {};
  std::atomic<int> wrong{0};
};

// The PTX manual's producer and consumer: arrive at one named barrier, wait at the other.
void producerConsumerKernel(void *const *args) {
  const hw_thread &t = *hw_self();
  Pipeline &pipe = *static_cast<Pipeline *>(args[0]);
  const unsigned lane = t.threadIdx.x % 64;
  for (int round = 0; round < 10; ++round) {
    if (t.threadIdx.x < 64) {  // producer
      hw_barrier(1, 128);      // the slot is empty
      pipe.slot[lane] = round * 1000 + static_cast<int>(lane);
      hw_barrier_arrive(2, 128);
    } else {
      hw_barrier_arrive(1, 128);
      hw_barrier(2, 128);
      if (pipe.slot[63 - lane] != round * 1000 + static_cast<int>(63 - lane)) ++pipe.wrong;
      hw_barrier(3, 64);  // all consumers have read
    }
  }
}

TEST_P(BarrierTest, NamedBarriersWithCounts) {
  Pipeline pipe;
  const GridOutcome outcome = launch(producerConsumerKernel, {1, 1, 1}, {128, 1, 1}, &pipe);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(pipe.wrong, 0);
}

void reduceKernel(void *const *args) {
  const hw_thread &t = *hw_self();
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  if (t.threadIdx.x >= 90) return;
  for (int k = 1; k < 5; ++k) {
    const int mine = static_cast<int>(t.threadIdx.x) % k == 0 ? 7 : 0;
    if (hw_barrier_reduce(0, 0, HW_COUNT, mine) != (90 + k - 1) / k) ++wrong;
    if (hw_barrier_reduce(0, 0, HW_AND, mine) != (k == 1)) ++wrong;
    if (hw_barrier_reduce(0, 0, HW_AND, 1) != 1) ++wrong;
    if (hw_barrier_reduce(0, 0, HW_OR, mine) != 1) ++wrong;
    if (hw_barrier_reduce(0, 0, HW_OR, 0) != 0) ++wrong;
  }
}

TEST_P(BarrierTest, Reductions) {
  std::atomic<int> wrong{0};
  const GridOutcome outcome = launch(reduceKernel, {4, 1, 1}, {96, 1, 1}, &wrong);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(wrong, 0);
}

void badBarrierKernel(void *const *) { hw_barrier(16, 0); }

TEST_P(BarrierTest, InvalidBarrierNumberIsNamed) {
  const GridOutcome outcome = launch(badBarrierKernel, {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(outcome.fault, Fault::BadCollective);
  EXPECT_NE(outcome.diagnosis.find("barrier 16"), std::string::npos) << outcome.diagnosis;
}

}  // namespace
}  // namespace hostwarp::fibers
