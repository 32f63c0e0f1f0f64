// Blocks that run as a whole: one call of the kernel's block entry for all threads of a block, many blocks in a row.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

class BlockEntryTest : public EngineTest {
 protected:
  GridRequest describeWhole(hw_block_entry whole, void (*kernel)(void *const *), hw_dim3 grid, void *argument) {
    GridRequest request = describe(kernel, grid, {4, 2, 1}, argument);
    request.blockEntry = whole;
    request.frameBytes = 16;
    return request;
  }
};
HOSTWARP_EVERY_SCHEDULE(BlockEntryTest);

constexpr unsigned kThreads = 8;

void countThread(void *const *args) {
  auto &counts = *static_cast<std::vector<std::atomic<int>> *>(args[0]);
  counts[linearBlock()].fetch_add(1, std::memory_order_relaxed);
}

void countBlock(void *const *args, void *) {
  for (unsigned i = 0; i < kThreads; ++i) countThread(args);
}

TEST_P(BlockEntryTest, EveryBlockOnce) {
  for (const hw_dim3 grid : {hw_dim3{50000, 1, 1}, hw_dim3{31, 7, 13}, hw_dim3{1, 1, 1}, hw_dim3{1, 40, 3}}) {
    std::vector<std::atomic<int>> counts(size_t{grid.x} * grid.y * grid.z);
    EXPECT_EQ(engine_->run(describeWhole(countBlock, countThread, grid, &counts)).fault, Fault::None);
    for (const auto &count : counts) ASSERT_EQ(count, kThreads);
  }
}

void mustNotRun(void *const *, void *) { ADD_FAILURE() << "a whole block ran"; }

// Seeds and the wish for fibers keep block entries out, and the outcome tells how the blocks ran.
TEST_P(BlockEntryTest, OutcomeTellsTheForm) {
  std::vector<std::atomic<int>> counts(40);
  const bool inOrder = GetParam().seed == 0;
  const GridOutcome byDefault = engine_->run(describeWhole(countBlock, countThread, {40, 1, 1}, &counts));
  EXPECT_EQ(byDefault.wholeBlocks, inOrder);
  EXPECT_EQ(byDefault.singleThreads, !inOrder);
  EngineOptions options = optionsFor(GetParam());
  options.wholeBlocks = false;
  start(options);
  const GridOutcome onFibers = engine_->run(describeWhole(mustNotRun, countThread, {40, 1, 1}, &counts));
  EXPECT_FALSE(onFibers.wholeBlocks);
  EXPECT_TRUE(onFibers.singleThreads);
  for (const auto &count : counts) EXPECT_EQ(count, 2 * kThreads);
}

// Each block but the last waits for the next one, which therefore has to begin although its predecessor is not over.
void waitForNext(void *const *args) {
  auto &done = *static_cast<std::vector<std::atomic<int>> *>(args[0]);
  const unsigned block = linearBlock();
  while (block + 1 < done.size() && done[block + 1] == 0) hw_yield();
  done[block] = 1;
}

void waitForNextWhole(void *const *args, void *) { waitForNext(args); }

TEST_P(BlockEntryTest, BlocksWaitForLaterOnes) {
  std::vector<std::atomic<int>> done(12);
  EXPECT_EQ(engine_->run(describeWhole(waitForNextWhole, waitForNext, {12, 1, 1}, &done)).fault, Fault::None);
  for (const auto &each : done) EXPECT_EQ(each, 1);
}

// Some blocks in the middle of a series of short ones wait for blocks that have been drawn with them.
void waitNowAndThen(void *const *args) {
  auto &done = *static_cast<std::vector<std::atomic<int>> *>(args[0]);
  const unsigned block = linearBlock();
  const unsigned awaited = std::min(block + 5, static_cast<unsigned>(done.size()) - 1);
  if (block % 97 == 50)
    while (awaited != block && done[awaited] == 0) hw_yield();
  ++done[block];
}

void waitNowAndThenWhole(void *const *args, void *) { waitNowAndThen(args); }

TEST_P(BlockEntryTest, ASeriesWaitsForItsOwnRest) {
  std::vector<std::atomic<int>> done(20000);
  GridRequest request = describeWhole(waitNowAndThenWhole, waitNowAndThen, {20000, 1, 1}, &done);
  request.block = {1, 1, 1};
  EXPECT_EQ(engine_->run(request).fault, Fault::None);
  for (const auto &each : done) ASSERT_EQ(each, 1);
}

[[gnu::no_sanitize("undefined")]] void writeNull(void *const *args) {
  if (linearBlock() == 700 && hw_self()->threadIdx.y == 1) *static_cast<volatile int *>(args[0]) = 1;
}

[[gnu::no_sanitize("undefined")]] void writeNullWhole(void *const *args, void *) {
  if (linearBlock() == 700) *static_cast<volatile int *>(args[0]) = 1;
}

TEST_P(BlockEntryTest, FaultNamesItsBlockAndThread) {
  const GridOutcome outcome = engine_->run(describeWhole(writeNullWhole, writeNull, {1000, 1, 1}, nullptr));
  EXPECT_EQ(outcome.fault, Fault::IllegalAddress);
  const std::string expected = "block (700,0,0), thread (";
  EXPECT_NE(outcome.diagnosis.find(expected), std::string::npos) << outcome.diagnosis;
}

// Every third block is left to its threads.
void refuseNowAndThen(void *const *args, void *) {
  if (linearBlock() % 3 == 1) hw_run_thread_by_thread();
  countBlock(args, nullptr);
}

TEST_P(BlockEntryTest, RefusedBlocksRunByThreads) {
  std::vector<std::atomic<int>> counts(1000);
  EXPECT_EQ(engine_->run(describeWhole(refuseNowAndThen, countThread, {1000, 1, 1}, &counts)).fault, Fault::None);
  for (const auto &count : counts) ASSERT_EQ(count, kThreads);
}

void misalignedThread(void *const *) {
  if (linearBlock() == 700 && hw_self()->threadIdx.y == 1 && hw_self()->threadIdx.x == 2) hw_misaligned(0x1235, 8);
}

void misalignedBlock(void *const *, void *) {
  if (linearBlock() == 700) hw_run_thread_by_thread();
}

TEST_P(BlockEntryTest, MisalignedAccessNamesItsThread) {
  const GridOutcome outcome = engine_->run(describeWhole(misalignedBlock, misalignedThread, {1000, 1, 1}, nullptr));
  EXPECT_EQ(outcome.fault, Fault::MisalignedAddress);
  const std::string expected =
      "misaligned address 0x1235: the access needs a multiple of 8 bytes: kernel kernel_under_test, block (700,0,0), "
      "thread (2,1,0)";
  EXPECT_NE(outcome.diagnosis.find(expected), std::string::npos) << outcome.diagnosis;
}

struct TwoGrids {
  std::atomic<bool> urgentRan{false};
  std::atomic<int> blocksAfterSubmission{0};
  std::atomic<bool> submitted{false};
};

void longThread(void *const *args) {
  TwoGrids &grids = *static_cast<TwoGrids *>(args[0]);
  while (!grids.submitted) hw_yield();
  if (grids.urgentRan) return;
  ++grids.blocksAfterSubmission;
  // The system may have put the worker aside that has the urgent grid.
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void longBlock(void *const *args, void *) { longThread(args); }

TEST_P(BlockEntryTest, UrgentGridComesBetweenBlocks) {
  TwoGrids grids;
  std::atomic<int> ended{0};
  GridRequest patient = describeWhole(longBlock, longThread, {4000, 1, 1}, &grids);
  patient.block = {1, 1, 1};
  engine_->submit(patient, [&](const GridOutcome &) { ++ended; });
  GridRequest urgent =
      describeWhole([](void *const *args, void *) { static_cast<TwoGrids *>(args[0])->urgentRan = true; },
                    [](void *const *args) { static_cast<TwoGrids *>(args[0])->urgentRan = true; }, {1, 1, 1}, &grids);
  urgent.block = {1, 1, 1};
  urgent.priority = -1;
  engine_->submit(urgent, [&](const GridOutcome &) { ++ended; });
  grids.submitted = true;
  while (ended != 2) waitABit();
  EXPECT_LT(grids.blocksAfterSubmission, 4000);
}

}  // namespace
}  // namespace hostwarp::fibers
