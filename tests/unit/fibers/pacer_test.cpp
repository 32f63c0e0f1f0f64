// An engine that takes turns with others: what it asks them, and what it tells them.
#include <atomic>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

struct TestPacer final : Pacer {
  void begins() override { ++asked; }
  bool looksInVain() override {
    if (++looks == looksUntilFlag) flag = 1;
    return true;
  }
  void goesOnForLong() override {
    ++longRuns;
    flag = 1;
  }

  std::atomic<int> flag{0};
  int asked = 0, looks = 0, looksUntilFlag = 0, longRuns = 0;
  int begunUnasked = 0;
};

class PacerTest : public EngineTest {
 protected:
  void SetUp() override {
    EngineOptions options = optionsFor(GetParam());
    options.pacer = &pacer_;
    start(options);
  }

  TestPacer pacer_;
};
INSTANTIATE_TEST_SUITE_P(OneWorker, PacerTest, testing::Values(Schedule{1, 0}, Schedule{1, 1}, Schedule{1, 77}),
                         scheduleName);

void spinKernel(void *const *args) {
  auto &pacer = *static_cast<TestPacer *>(args[0]);
  if (pacer.asked == 0) ++pacer.begunUnasked;
  while (pacer.flag == 0)
    if (--hw_self()->spinBudget <= 0) hw_yield();
}

TEST_P(PacerTest, IsAskedBeforeBlocksBeginAndToldWhenAllSpin) {
  pacer_.looksUntilFlag = 3;
  EXPECT_EQ(launch(spinKernel, {3, 1, 1}, {64, 1, 1}, &pacer_).fault, Fault::None);
  EXPECT_EQ(pacer_.begunUnasked, 0);
  EXPECT_EQ(pacer_.looks, 3);
  EXPECT_EQ(pacer_.longRuns, 0);
}

// Threads that meet and yield, over and over.
void meetKernel(void *const *args) {
  auto &pacer = *static_cast<TestPacer *>(args[0]);
  while (pacer.flag == 0) {
    hw_barrier(0, 0);
    hw_yield();
  }
}

TEST_P(PacerTest, IsToldOfWhatGoesOnForLong) {
  pacer_.looksUntilFlag = 100;  // where meeting counts for nothing
  EXPECT_EQ(launch(meetKernel, {1, 1, 1}, {64, 1, 1}, &pacer_).fault, Fault::None);
  EXPECT_TRUE(pacer_.longRuns == 1 || pacer_.looks == 100) << pacer_.longRuns << " " << pacer_.looks;
}

void lockKernel(void *const *args) {
  auto &lock = *static_cast<std::atomic<int> *>(args[0]);
  for (int i = 0; i < 3; ++i) {
    while (lock.exchange(1) != 0)
      if (--hw_self()->spinBudget <= 0) hw_yield();
    for (int work = 0; work < 40; ++work)
      if (--hw_self()->spinBudget <= 0) hw_yield();
    lock = 0;
    hw_barrier(0, 0);
  }
}

// Threads that wait for each other get on by themselves.
TEST_P(PacerTest, IsNotToldOfALock) {
  std::atomic<int> lock{0};
  EXPECT_EQ(launch(lockKernel, {4, 1, 1}, {32, 1, 1}, &lock).fault, Fault::None);
  EXPECT_LE(pacer_.looks, 1);
  EXPECT_EQ(pacer_.longRuns, 0);
}

}  // namespace
}  // namespace hostwarp::fibers
