#include <atomic>
#include <thread>
#include <vector>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

class ProgressTest : public EngineTest {};
HOSTWARP_EVERY_SCHEDULE(ProgressTest);

// spinUntil() is what the compiler makes of a spin loop: a budget, and a yield when it is used up.
template <typename Condition>
void spinUntil(Condition condition) {
  while (!condition())
    if (--hw_self()->spinBudget <= 0) hw_yield();
}

struct Chain {
  std::vector<std::atomic<int>> flag;
  std::vector<int> order;
  explicit Chain(size_t n) : flag(n) {}
};

// Every block waits for the one with the next higher number: the order in which they must end is the reverse of the
// order in which they start.
void reverseChainKernel(void *const *args) {
  Chain &chain = *static_cast<Chain *>(args[0]);
  const hw_thread &t = *hw_self();
  const size_t block = linearBlock();
  if (t.threadIdx.x == 0) {
    if (block + 1 < chain.flag.size()) spinUntil([&] { return chain.flag[block + 1].load() != 0; });
    chain.order.push_back(static_cast<int>(block));
  }
  hw_barrier(0, 0);
  if (t.threadIdx.x == t.blockDim.x - 1) chain.flag[block] = 1;
}

TEST_P(ProgressTest, BlocksSpinOnLaterBlocks) {
  Chain chain(12);
  const GridOutcome outcome = launch(reverseChainKernel, {12, 1, 1}, {64, 1, 1}, &chain);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  ASSERT_EQ(chain.order.size(), 12u);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(chain.order[static_cast<size_t>(i)], 11 - i);
}

// As above, but lanes vote, or the block does, on whether to wait on: they meet between any two looks at the flag.
void reverseChainOfVotesKernel(void *const *args) {
  Chain &chain = *static_cast<Chain *>(args[0]);
  const hw_thread &t = *hw_self();
  const size_t block = linearBlock();
  const auto waits = [&] { return block + 1 < chain.flag.size() && chain.flag[block + 1].load() == 0; };
  while (t.warpId == 0 && hw_vote(~0u, HW_VOTE_ANY, waits()) != 0)
    if (--hw_self()->spinBudget <= 0) hw_yield();
  while (hw_barrier_reduce(0, 0, HW_OR, waits()) != 0) hw_yield();
  if (t.linearThread != 0) return;
  chain.order.push_back(static_cast<int>(block));
  chain.flag[block] = 1;
}

TEST_P(ProgressTest, BlocksVoteOnLaterBlocks) {
  Chain chain(12);
  const GridOutcome outcome = launch(reverseChainOfVotesKernel, {12, 1, 1}, {64, 1, 1}, &chain);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  ASSERT_EQ(chain.order.size(), 12u);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(chain.order[static_cast<size_t>(i)], 11 - i);
}

struct Channel {
  std::atomic<int> full{0};
  int value = 0;
  long sum = 0;
};

void producerKernel(void *const *args) {
  Channel &c = *static_cast<Channel *>(args[0]);
  for (int i = 1; i <= 200; ++i) {
    spinUntil([&] { return c.full.load() == 0; });
    c.value = i;
    c.full = 1;
  }
}

void consumerKernel(void *const *args) {
  Channel &c = *static_cast<Channel *>(args[0]);
  for (int i = 1; i <= 200; ++i) {
    spinUntil([&] { return c.full.load() == 1; });
    c.sum += c.value;
    c.full = 0;
  }
}

TEST_P(ProgressTest, GridsWaitForEachOther) {
  Channel channel;
  GridRequest consumer = describe(consumerKernel, {1, 1, 1}, {1, 1, 1}, &channel);
  GridRequest producer = consumer;
  producer.entry = producerKernel;
  std::atomic<bool> consumed{false};
  engine_->submit(consumer, [&](const GridOutcome &) { consumed = true; });
  EXPECT_EQ(engine_->run(producer).fault, Fault::None);
  while (!consumed) waitABit();
  EXPECT_EQ(channel.sum, 200 * 201 / 2);
}

// The host answers each question of a running kernel.
void conversationKernel(void *const *args) {
  auto &turn = *static_cast<std::atomic<int> *>(args[0]);
  for (int i = 0; i < 50; ++i) {
    turn = 2 * i + 1;
    spinUntil([&] { return turn.load() == 2 * i + 2; });
  }
}

TEST_P(ProgressTest, HostAndKernelTalk) {
  std::atomic<int> turn{0};
  std::thread host([&] {
    for (int i = 0; i < 50; ++i) {
      while (turn.load() != 2 * i + 1) std::this_thread::yield();
      turn = 2 * i + 2;
    }
  });
  EXPECT_EQ(launch(conversationKernel, {1, 1, 1}, {1, 1, 1}, &turn).fault, Fault::None);
  host.join();
}

struct Locked {
  std::atomic<int> lock{0};
  int counter = 0;
};

// A spin lock taken by all threads of a warp, the way that hangs on GPUs before Volta.
void lockKernel(void *const *args) {
  Locked &shared = *static_cast<Locked *>(args[0]);
  spinUntil([&] { return shared.lock.exchange(1) == 0; });
  const int before = shared.counter;
  hw_yield();
  shared.counter = before + 1;
  shared.lock = 0;
}

TEST_P(ProgressTest, SpinLockInOneWarp) {
  Locked shared;
  EXPECT_EQ(launch(lockKernel, {4, 1, 1}, {64, 1, 1}, &shared).fault, Fault::None);
  EXPECT_EQ(shared.counter, 256);
}

// Two warps pass through barriers until the first one, which has yielded, sets the flag.
void barriersBesideSpinKernel(void *const *args) {
  auto &flag = *static_cast<std::atomic<int> *>(args[0]);
  const hw_thread &t = *hw_self();
  if (t.warpId == 0) {
    hw_yield();  // queued behind everything that is ready
    flag = 1;
  } else {
    while (hw_barrier_reduce(1, 64, HW_OR, flag.load()) == 0) {
    }
  }
}

TEST_P(ProgressTest, ReadyThreadsDoNotStarveSpinners) {
  std::atomic<int> flag{0};
  EXPECT_EQ(launch(barriersBesideSpinKernel, {1, 1, 1}, {96, 1, 1}, &flag).fault, Fault::None);
}

struct GridRounds {
  std::vector<int> value;
  std::atomic<int> wrong{0};
};

void gridSyncKernel(void *const *args) {
  GridRounds &rounds = *static_cast<GridRounds *>(args[0]);
  const hw_thread &t = *hw_self();
  const unsigned n = t.gridDim.x * t.blockDim.x;
  const unsigned me = t.blockIdx.x * t.blockDim.x + t.threadIdx.x;
  for (int round = 1; round <= 8; ++round) {
    rounds.value[me] = round;
    hw_grid_sync();
    if (rounds.value[(me + n / 2 + 1) % n] != round) ++rounds.wrong;
    hw_grid_sync();
  }
  if (hw_grid_is_cooperative() != 1) ++rounds.wrong;
}

TEST_P(ProgressTest, CooperativeGrid) {
  GridRounds rounds{std::vector<int>(40 * 96)};
  GridRequest request = describe(gridSyncKernel, {40, 1, 1}, {96, 1, 1}, &rounds);
  request.cooperative = true;
  const GridOutcome outcome = engine_->run(request);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(rounds.wrong, 0);
}

struct Split {
  std::atomic<int> passed{0};
  std::atomic<int> wrong{0};
};

// One thread arrives and only then waits for threads that have passed the barrier.
void splitGridKernel(void *const *args) {
  Split &split = *static_cast<Split *>(args[0]);
  const hw_thread &t = *hw_self();
  for (int round = 0; round < 10; ++round) {
    hw_grid_arrive();
    if (t.blockIdx.x == 0 && t.linearThread == 7)
      while (split.passed == round * 640) hw_yield();
    hw_grid_wait();
    ++split.passed;
    hw_grid_sync();
    if (split.passed != (round + 1) * 640) ++split.wrong;
    hw_grid_sync();
  }
}

TEST_P(ProgressTest, ArrivalAtTheGridBarrierDoesNotWait) {
  Split split;
  GridRequest request = describe(splitGridKernel, {10, 1, 1}, {64, 1, 1}, &split);
  request.cooperative = true;
  const GridOutcome outcome = engine_->run(request);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(split.wrong, 0);
}

TEST_P(ProgressTest, GridBarrierNeedsACooperativeLaunch) {
  GridRounds rounds{std::vector<int>(64)};
  EXPECT_EQ(launch(gridSyncKernel, {2, 1, 1}, {32, 1, 1}, &rounds).fault, Fault::BadCollective);
}

void sleepKernel(void *const *args) {
  const uint64_t before = hw_special_register(HW_SREG_GLOBALTIMER);
  hw_nanosleep(UINT32_MAX);  // a millisecond is the most
  *static_cast<uint64_t *>(args[0]) = hw_special_register(HW_SREG_GLOBALTIMER) - before;
}

TEST_P(ProgressTest, Nanosleep) {
  uint64_t slept = 0;
  EXPECT_EQ(launch(sleepKernel, {1, 1, 1}, {1, 1, 1}, &slept).fault, Fault::None);
  EXPECT_GE(slept, 900000u);
  EXPECT_LT(slept, 3000000000u);
}

}  // namespace
}  // namespace hostwarp::fibers
