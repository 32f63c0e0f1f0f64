#include <string>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

class DeadlockTest : public EngineTest {
 protected:
  static std::string here(int line) { return "deadlock_test.cpp:" + std::to_string(line); }
  static void expectText(const GridOutcome &outcome, const std::string &text) {
    EXPECT_NE(outcome.diagnosis.find(text), std::string::npos) << "missing: " << text << "\nin: " << outcome.diagnosis;
  }
};
HOSTWARP_EVERY_SCHEDULE(DeadlockTest);

constexpr int kBarrierLine = __LINE__ + 4;
constexpr int kWarpLine = __LINE__ + 5;
void mixedKernel(void *const *) {
  if (hw_self()->threadIdx.y >= 2) {
    hw_barrier(0, 0);
  } else {
    hw_shuffle(~0u, HW_SHFL_DOWN, 1, 1, 32, nullptr);
  }
  hw_barrier(4, 96);
}

TEST_P(DeadlockTest, NamesEachWaitingThread) {
  // 16 x 3 threads: warp 0 shuffles and goes on to barrier 4; the half of warp 1 that exists waits at __syncthreads().
  const GridOutcome outcome = launch(mixedKernel, {1, 1, 1}, {16, 3, 1});
  EXPECT_EQ(outcome.fault, Fault::Deadlock);
  expectText(outcome, "kernel kernel_under_test");
  expectText(outcome, "threads (0..15,2,0) of block (0,0,0) wait at __syncthreads(), ");
  expectText(outcome, here(kBarrierLine));
  expectText(outcome, "threads (0..15,0..1,0) of block (0,0,0) wait at barrier 4 (for 96 threads)");
}

void missingLaneKernel(void *const *) {
  if (hw_self()->threadIdx.x == 5)
    hw_barrier(0, 0);
  else
    hw_shuffle(~0u, HW_SHFL_DOWN, 1, 1, 32, nullptr);
}
static_assert(kWarpLine > 0);

TEST_P(DeadlockTest, LanesThatNeverArrive) {
  const GridOutcome outcome = launch(missingLaneKernel, {2, 1, 1}, {32, 1, 1});
  EXPECT_EQ(outcome.fault, Fault::Deadlock);
  expectText(outcome, "thread (5,0,0) of block (");
  expectText(outcome, "threads (0..4,0,0) (6..31,0,0) of block (");
  expectText(outcome, "wait at __shfl_down_sync(0xffffffff), ");
  expectText(outcome, "deadlock_test.cpp:");
}

void gridDeadlockKernel(void *const *) {
  if (hw_self()->blockIdx.x == 1) return;
  hw_grid_sync();
}

TEST_P(DeadlockTest, BlocksThatNeverReachTheGridBarrier) {
  GridRequest request = describe(gridDeadlockKernel, {4, 1, 1}, {64, 1, 1}, nullptr);
  request.cooperative = true;
  const GridOutcome outcome = engine_->run(request);
  EXPECT_EQ(outcome.fault, Fault::Deadlock);
  expectText(outcome, "wait at the grid barrier");
  expectText(outcome, "1 of 4 blocks have exited");
}

void goodKernel(void *const *args) {
  hw_barrier(0, 0);
  if (hw_self()->linearThread == 0) ++*static_cast<std::atomic<int> *>(args[0]);
}

TEST_P(DeadlockTest, TheEngineLivesOn) {
  std::atomic<int> blocks{0};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(launch(missingLaneKernel, {3, 1, 1}, {64, 1, 1}).fault, Fault::Deadlock);
    EXPECT_EQ(launch(goodKernel, {10, 1, 1}, {64, 1, 1}, &blocks).fault, Fault::None);
  }
  EXPECT_EQ(blocks, 50);
}

}  // namespace
}  // namespace hostwarp::fibers
