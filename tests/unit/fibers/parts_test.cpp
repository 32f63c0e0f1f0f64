#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <thread>

#include "fibers/grid.h"
#include "fibers/schedule_policy.h"
#include "fibers/shared_memory.h"
#include "fibers/source_location.h"
#include "fibers/stack_pool.h"
#include "fibers/thread_ranges.h"

namespace hostwarp::fibers {
namespace {

TEST(StackPoolTest, SizesAreRoundedUp) {
  EXPECT_EQ(StackPool::usableBytes(0), StackPool::kDefaultBytes);
  EXPECT_EQ(StackPool::usableBytes(1), StackPool::kMinimumBytes);
  EXPECT_EQ(StackPool::usableBytes(100000), 131072u);
}

TEST(StackPoolTest, StacksAreDistinctWritableAndReused) {
  StackPool pool;
  std::set<char *> seen;
  std::vector<Stack> stacks(300);
  for (Stack &stack : stacks) {
    ASSERT_TRUE(pool.take(0, stack));
    EXPECT_TRUE(seen.insert(stack.low).second);
    stack.low[0] = stack.high[-1] = 1;
  }
  EXPECT_EQ(pool.stacksInUse(), 300u);
  for (const Stack &stack : stacks) pool.giveBack(stack);
  EXPECT_EQ(pool.stacksInUse(), 0u);
  Stack again;
  ASSERT_TRUE(pool.take(0, again));
  EXPECT_EQ(again.low, stacks.back().low);
  pool.giveBack(again);
}

TEST(StackPoolDeathTest, BelowAStackLiesAGuard) {
  StackPool pool;
  Stack stack;
  ASSERT_TRUE(pool.take(0, stack));
  EXPECT_DEATH(*static_cast<volatile char *>(stack.low - 1) = 1, "");
  EXPECT_DEATH(*static_cast<volatile char *>(stack.low - StackPool::kGuardBytes) = 1, "");
  pool.giveBack(stack);
}

TEST(SharedMemoryPoolTest, Alignment) {
  SharedMemoryPool pool;
  for (size_t alignment : {16, 128, 256, 1024}) {
    char *memory = pool.take(100, alignment);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % alignment, 0u);
    pool.giveBack(memory, 100, alignment);
  }
}

TEST(SchedulePolicyTest, RandomBlockOrderIsAPermutation) {
  EngineOptions options;
  for (options.seed = 1; options.seed < 20; ++options.seed) {
    const auto policy = makeSchedulePolicy(options);
    for (uint64_t total : {1u, 2u, 7u, 64u, 1000u})
      for (uint64_t resident : {1u, 6u, 64u, 5000u}) {
        std::set<uint64_t> seen;
        for (uint64_t i = 0; i < total; ++i) {
          seen.insert(policy->blockAt(3, i, total, resident));
          // Whatever comes before a resident block has begun, or can begin beside it.
          EXPECT_LT(*seen.rbegin(), (i / resident + 1) * resident);
        }
        EXPECT_EQ(seen.size(), total);
        EXPECT_LT(*seen.rbegin(), total);
      }
  }
}

// Blocks of a grid that two workers run: `done` have begun and ended, and `ends` times somebody had to complete it.
struct SharedGrid {
  std::unique_ptr<Grid> grid;
  std::atomic<uint64_t> done{0}, early{0}, ends{0};

  void begin(const GridRequest &request, uint64_t round) {
    grid = std::make_unique<Grid>(request, round, nullptr);
    done = ends = 0;
  }
  void runBlocks() {
    uint64_t position = 0;
    while (!grid->exhausted() && grid->takeToken()) {
      if (!grid->nextPosition(position)) return grid->dropToken();
      ++done;
      release();
    }
  }
  void release() {
    if (!grid->releaseToken()) return;
    ++ends;
    if (done != grid->blockCount()) ++early;
  }
};

void waitUntil(const std::atomic<uint64_t> &counter, uint64_t value) {
  for (int looks = 0; counter < value; ++looks)
    if (looks > 1000) std::this_thread::yield();
}

// A worker gives its token back when another one draws the last block: in so many rounds that happens some times.
TEST(GridTokensTest, AGridEndsOnceAndAfterItsLastBlock) {
  constexpr uint64_t rounds = 300000;
  GridRequest request;
  request.grid = {3, 1, 1};
  request.block = {1, 1, 1};
  request.residentBlocks = 16;
  SharedGrid shared;
  std::atomic<uint64_t> begun{0}, left{0};
  std::thread other([&] {
    for (uint64_t round = 1; round <= rounds; ++round) {
      waitUntil(begun, round);
      shared.runBlocks();
      left = round;
    }
  });
  uint64_t notOnce = 0;
  for (uint64_t round = 1; round <= rounds; ++round) {
    shared.begin(request, round);
    begun = round;
    shared.runBlocks();
    waitUntil(left, round);
    // As a dispatcher does that finds a grid with nothing left.
    if (shared.ends == 0 && shared.grid->takeToken()) shared.release();
    notOnce += shared.ends != 1;
  }
  other.join();
  EXPECT_EQ(shared.early, 0u);
  EXPECT_EQ(notOnce, 0u);
}

TEST(ThreadRangesTest, Boxes) {
  EXPECT_EQ(threadRanges({5}, {32, 1, 1}), "thread (5,0,0)");
  EXPECT_EQ(threadRanges({0, 1, 2, 3, 7}, {8, 1, 1}), "threads (0..3,0,0) (7,0,0)");
  EXPECT_EQ(threadRanges({0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2}), "threads (0..1,0..1,0..1)");
  EXPECT_EQ(threadRanges({1, 3, 5}, {2, 4, 1}), "threads (1,0..2,0)");
  std::vector<uint32_t> scattered;
  for (uint32_t i = 0; i < 100; i += 2) scattered.push_back(i);
  EXPECT_NE(threadRanges(scattered, {100, 1, 1}).find("and 34 more"), std::string::npos);
}

int hereLine = 0;
__attribute__((noinline)) const void *here() { return __builtin_return_address(0); }

TEST(SourceLocationTest, FileAndLine) {
  const void *address = (hereLine = __LINE__, here());
  EXPECT_NE(locate(address, true).find("parts_test.cpp:" + std::to_string(hereLine)), std::string::npos)
      << locate(address, true);
  EXPECT_EQ(locate(nullptr, false), "an unknown place");
}

}  // namespace
}  // namespace hostwarp::fibers
