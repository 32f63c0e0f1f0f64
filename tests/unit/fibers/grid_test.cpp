#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

class GridTest : public EngineTest {};
HOSTWARP_EVERY_SCHEDULE(GridTest);

struct Seen {
  std::vector<std::atomic<int>> count;
  std::atomic<int> wrong{0};
  explicit Seen(size_t n) : count(n) {}
};

void indexKernel(void *const *args) {
  Seen &seen = *static_cast<Seen *>(args[0]);
  const hw_thread &t = *hw_self();
  const unsigned linear = t.threadIdx.x + t.blockDim.x * (t.threadIdx.y + t.blockDim.y * t.threadIdx.z);
  if (linear != t.linearThread || t.laneId != linear % 32 || t.warpId != linear / 32) ++seen.wrong;
  ++seen.count[linearBlock() * t.blockDim.x * t.blockDim.y * t.blockDim.z + linear];
}

TEST_P(GridTest, EveryIndexOnce) {
  Seen seen(size_t{3} * 5 * 7 * 6 * 4 * 3);
  EXPECT_EQ(launch(indexKernel, {3, 5, 7}, {6, 4, 3}, &seen).fault, Fault::None);
  EXPECT_EQ(seen.wrong, 0);
  for (const auto &count : seen.count) EXPECT_EQ(count, 1);
}

TEST_P(GridTest, ManyBlocks) {
  Seen seen(100000 * 2);
  EXPECT_EQ(launch(indexKernel, {100000, 1, 1}, {2, 1, 1}, &seen).fault, Fault::None);
  for (const auto &count : seen.count) ASSERT_EQ(count, 1);
}

// Meeting counts blocks that wait for each other without giving their worker another thing to do, for a while.
struct Meeting {
  std::atomic<unsigned> come{0};
  std::atomic<unsigned> alone{0};
};

void meetingKernel(void *const *args) {
  auto &meeting = *static_cast<Meeting *>(args[0]);
  meeting.come.fetch_add(1);
  const auto start = std::chrono::steady_clock::now();
  while (meeting.come.load() < 2)
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20)) {
      meeting.alone.fetch_add(1);
      return;
    }
}

// Workers that have nothing to do look for work, then sleep, then go: from each of these they come, and all of them.
TEST(WorkerTest, ComeFromAllTheirRests) {
  EngineOptions options;
  options.workers = 2;
  Engine engine(options);
  for (const int pause : {0, 0, 10, 10, 50, 300, 3000, 150000, 0, 300, 150000}) {
    std::this_thread::sleep_for(std::chrono::microseconds(pause));
    Meeting meeting;
    void *arguments[] = {&meeting};
    GridRequest request;
    request.entry = meetingKernel;
    request.args = arguments;
    request.kernelName = "meeting";
    request.grid = {2, 1, 1};
    request.block = {1, 1, 1};
    request.residentBlocks = 16;
    EXPECT_EQ(engine.run(request).fault, Fault::None);
    EXPECT_EQ(meeting.alone, 0U) << "after " << pause << " microseconds";
  }
}

struct Layout {
  std::atomic<int> wrong{0};
  size_t staticBytes;
  size_t dynamicBytes;
  size_t alignment;
};

void sharedKernel(void *const *args) {
  Layout &layout = *static_cast<Layout *>(args[0]);
  const hw_thread &t = *hw_self();
  const size_t start = (layout.staticBytes + layout.alignment - 1) / layout.alignment * layout.alignment;
  if (reinterpret_cast<uintptr_t>(t.sharedBase) % layout.alignment != 0) ++layout.wrong;
  if (t.dynamicShared != t.sharedBase + start || t.sharedBytes != start + layout.dynamicBytes) ++layout.wrong;
  for (size_t i = t.threadIdx.x; i < t.sharedBytes; i += t.blockDim.x)
    t.sharedBase[i] = static_cast<char>(linearBlock());
  hw_barrier(0, 0);
  for (size_t i = 0; i < t.sharedBytes; ++i)
    if (t.sharedBase[i] != static_cast<char>(linearBlock())) ++layout.wrong;
  if (hw_special_register(HW_SREG_DYNAMIC_SMEM_SIZE) != layout.dynamicBytes) ++layout.wrong;
  if (hw_special_register(HW_SREG_TOTAL_SMEM_SIZE) != t.sharedBytes) ++layout.wrong;
}

TEST_P(GridTest, SharedMemoryLayout) {
  for (const auto &[fixed, dynamic, alignment] :
       {std::tuple<size_t, size_t, size_t>{0, 0, 16}, {20, 100, 16}, {4, 64, 256}, {1000, 0, 32}}) {
    Layout layout{{0}, fixed, dynamic, alignment};
    GridRequest request = describe(sharedKernel, {20, 1, 1}, {32, 1, 1}, &layout);
    request.staticSharedBytes = fixed;
    request.dynamicSharedBytes = dynamic;
    request.sharedAlignment = alignment;
    EXPECT_EQ(engine_->run(request).fault, Fault::None);
    EXPECT_EQ(layout.wrong, 0) << fixed << " " << dynamic << " " << alignment;
  }
}

const hw_shared_object kObjectA{400, 16};
const hw_shared_object kObjectB{8, 256};

void sharedObjectKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  const hw_thread &t = *hw_self();
  int *a = static_cast<int *>(hw_shared_object_address(&kObjectA));
  int *b = static_cast<int *>(hw_shared_object_address(&kObjectB));
  if (reinterpret_cast<uintptr_t>(b) % 256 != 0) ++wrong;
  a[t.threadIdx.x] = static_cast<int>(linearBlock());
  if (t.threadIdx.x == 0) *b = static_cast<int>(linearBlock()) + 1;
  hw_barrier(0, 0);
  if (a[99 - t.threadIdx.x] != static_cast<int>(linearBlock()) || *b != static_cast<int>(linearBlock()) + 1) ++wrong;
  if (hw_shared_object_address(&kObjectA) != a) ++wrong;
}

TEST_P(GridTest, SharedObjectsBelongToTheBlock) {
  std::atomic<int> wrong{0};
  EXPECT_EQ(launch(sharedObjectKernel, {30, 1, 1}, {100, 1, 1}, &wrong).fault, Fault::None);
  EXPECT_EQ(wrong, 0);
}

struct Serial {
  std::atomic<int> inside{0};
  std::atomic<int> wrong{0};
};

void serialKernel(void *const *args) {
  Serial &serial = *static_cast<Serial *>(args[0]);
  const hw_thread &t = *hw_self();
  if (t.threadIdx.x == 0 && ++serial.inside != 1) ++serial.wrong;
  hw_barrier(0, 0);
  hw_yield();
  hw_barrier(0, 0);
  if (t.threadIdx.x == 0) --serial.inside;
}

TEST_P(GridTest, SerialBlocksRunOneAtATime) {
  Serial serial;
  GridRequest request = describe(serialKernel, {50, 1, 1}, {32, 1, 1}, &serial);
  request.serialBlocks = true;
  std::atomic<int> ended{0};
  for (int i = 0; i < 3; ++i) engine_->submit(request, [&](const GridOutcome &) { ++ended; });
  while (ended != 3) waitABit();
  EXPECT_EQ(serial.wrong, 0);
}

struct Residency {
  std::atomic<int> now{0};
  std::atomic<int> most{0};
  std::atomic<int> go{0};
};

void residencyKernel(void *const *args) {
  Residency &r = *static_cast<Residency *>(args[0]);
  const int now = ++r.now;
  for (int most = r.most.load(); most < now && !r.most.compare_exchange_weak(most, now);) {
  }
  while (r.go.load() == 0 && now < 5) hw_yield();
  r.go = 1;
  --r.now;
}

TEST_P(GridTest, SpinningBlocksFillTheDeviceAndNoMore) {
  Residency r;
  GridRequest request = describe(residencyKernel, {50, 1, 1}, {1, 1, 1}, &r);
  request.residentBlocks = 5;
  EXPECT_EQ(engine_->run(request).fault, Fault::None);
  EXPECT_EQ(r.most, 5);
}

TEST_P(GridTest, HigherPriorityFirst) {
  if (engine_->workers() != 1) GTEST_SKIP() << "needs one worker to have an order";
  std::mutex mutex;
  std::vector<int> order;
  std::atomic<int> go{0};
  GridRequest blocker = describe(
      [](void *const *args) {
        while (static_cast<std::atomic<int> *>(args[0])->load() == 0) {
        }
      },
      {1, 1, 1}, {1, 1, 1}, nullptr);
  void *goArgument = &go;  // describe() keeps the argument of one request only
  blocker.args = &goArgument;
  engine_->submit(blocker, [](const GridOutcome &) {});
  GridRequest request = describe([](void *const *) {}, {3, 1, 1}, {1, 1, 1}, nullptr);
  for (int priority : {0, -1, 1, -2, 0}) {
    request.priority = priority;
    engine_->submit(request, [&, priority](const GridOutcome &) {
      const std::lock_guard lock(mutex);
      order.push_back(priority);
    });
  }
  go = 1;
  for (;;) {
    const std::lock_guard lock(mutex);
    if (order.size() == 5) break;
  }
  EXPECT_EQ(order, (std::vector<int>{-2, -1, 0, 0, 1}));
}

// A worker that completes a grid begins the next one of a chain by itself.
TEST_P(GridTest, ChainsRunToTheirEnd) {
  std::atomic<int> begun{0};
  std::promise<void> over;
  const GridRequest link =
      describe([](void *const *args) { ++*static_cast<std::atomic<int> *>(args[0]); }, {1, 1, 1}, {1, 1, 1}, &begun);
  std::function<void(const GridOutcome &)> goOn = [&](const GridOutcome &outcome) {
    EXPECT_EQ(outcome.fault, Fault::None);
    if (begun == 1000) return over.set_value();
    engine_->submit(link, goOn);
  };
  engine_->submit(link, goOn);
  over.get_future().wait();
  EXPECT_EQ(begun, 1000);
}

TEST_P(GridTest, ChainsGiveWayToHigherPriority) {
  std::atomic<bool> hasRun{false}, isOver{false};
  GridRequest link = describe([](void *const *) {}, {1, 1, 1}, {1, 1, 1}, nullptr);
  std::function<void(const GridOutcome &)> goOn = [&](const GridOutcome &) {
    if (hasRun) {
      isOver = true;
      isOver.notify_one();
      return;
    }
    engine_->submit(link, goOn);
  };
  link.priority = 1;
  engine_->submit(link, goOn);
  GridRequest other = describe([](void *const *) {}, {3, 1, 1}, {1, 1, 1}, nullptr);
  engine_->submit(other, [&](const GridOutcome &) { hasRun = true; });
  isOver.wait(false);
}

// Blocks of a grid at the end of another may wait for each other.
TEST_P(GridTest, ChainsOfWaitingBlocks) {
  std::atomic<int> present{0};
  std::promise<void> over;
  const GridRequest all = describe(
      [](void *const *args) {
        auto &here = *static_cast<std::atomic<int> *>(args[0]);
        ++here;
        while (here < 4) hw_yield();
      },
      {4, 1, 1}, {1, 1, 1}, &present);
  const GridRequest first = describe([](void *const *) {}, {1, 1, 1}, {1, 1, 1}, nullptr);
  engine_->submit(first,
                  [&](const GridOutcome &) { engine_->submit(all, [&](const GridOutcome &) { over.set_value(); }); });
  over.get_future().wait();
  EXPECT_EQ(present, 4);
}

// A grid of several blocks at the end of another still calls the others.
TEST_P(GridTest, ChainsOfLargeGridsUseAllWorkers) {
  if (engine_->workers() < 2) GTEST_SKIP() << "needs two workers";
  std::atomic<int> present{0};
  std::promise<void> over;
  const GridRequest pair = describe(
      [](void *const *args) {
        auto &here = *static_cast<std::atomic<int> *>(args[0]);
        ++here;
        while (here < 2) {
        }
      },
      {2, 1, 1}, {1, 1, 1}, &present);
  const GridRequest first = describe([](void *const *) {}, {1, 1, 1}, {1, 1, 1}, nullptr);
  engine_->submit(first,
                  [&](const GridOutcome &) { engine_->submit(pair, [&](const GridOutcome &) { over.set_value(); }); });
  over.get_future().wait();
  EXPECT_EQ(present, 2);
}

void registersKernel(void *const *args) {
  auto &wrong = *static_cast<std::atomic<int> *>(args[0]);
  if (hw_special_register(HW_SREG_SMID) >= 7 || hw_special_register(HW_SREG_NSMID) != 7) ++wrong;
  if (hw_special_register(HW_SREG_GRIDID) != 99) ++wrong;
  const uint64_t before = hw_special_register(HW_SREG_CLOCK64);
  if (hw_special_register(HW_SREG_CLOCK64) <= before) ++wrong;
  if (currentOwner() != args[0]) ++wrong;
  if (hw_self()->deviceDelta != -77) ++wrong;
  if (describeCurrentThread().find("kernel kernel_under_test, block (") != 0) ++wrong;
}

TEST_P(GridTest, SpecialRegisters) {
  std::atomic<int> wrong{0};
  GridRequest request = describe(registersKernel, {20, 1, 1}, {4, 1, 1}, &wrong);
  request.smCount = 7;
  request.deviceSms = 7;
  request.gridId = 99;
  request.owner = &wrong;
  request.deviceDelta = -77;
  EXPECT_EQ(engine_->run(request).fault, Fault::None);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(currentOwner(), nullptr);
  EXPECT_EQ(hw_self(), nullptr);
}

struct Trace {
  std::vector<unsigned> steps;
  unsigned meetings = 0;  // of the second warp, where the others yield for so long
  bool isOver = false;
};

void traceKernel(void *const *args) {
  Trace &trace = *static_cast<Trace *>(args[0]);
  const hw_thread &t = *hw_self();
  for (unsigned i = 0; i < 3; ++i) {
    trace.steps.push_back(linearBlock() * 1000 + t.linearThread);
    hw_barrier(0, 0);
    if (t.laneId % 2 == i % 2) hw_yield();
  }
}

// With one worker the schedule is a function of the seed.
TEST(DeterminismTest, SameSeedSameSchedule) {
  const auto traceOf = [](uint64_t seed) {
    EngineOptions options;
    options.workers = 1;
    options.seed = seed;
    Engine engine(options);
    Trace trace;
    void *argument = &trace;
    GridRequest request;
    request.entry = traceKernel;
    request.args = &argument;
    request.grid = {10, 1, 1};
    request.block = {50, 1, 1};
    request.residentBlocks = 4;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(engine.run(request).fault, Fault::None);
    return trace.steps;
  };
  EXPECT_EQ(traceOf(0), traceOf(0));
  EXPECT_EQ(traceOf(5), traceOf(5));
  EXPECT_NE(traceOf(5), traceOf(6));
  EXPECT_NE(traceOf(5), traceOf(0));
}

void tracePatientKernel(void *const *args) {
  Trace &trace = *static_cast<Trace *>(args[0]);
  const hw_thread &t = *hw_self();
  for (unsigned i = 0; t.warpId == 1 ? i < trace.meetings : !trace.isOver; ++i) {
    trace.steps.push_back(t.linearThread);
    if (t.warpId == 1)
      hw_syncwarp(~0u);
    else
      hw_yield();
  }
  trace.isOver = true;
}

void spinUntilStopped(void *const *args) {
  while (!static_cast<std::atomic<bool> *>(args[0])->load()) hw_yield();
}

// How a block's threads take turns does not depend on whether its worker has other blocks, or fibers at hand.
TEST(DeterminismTest, CompanyDoesNotMatter) {
  const auto traceOf = [](uint64_t seed, hw_kernel_entry entry, bool hasCompany) {
    EngineOptions options;
    options.workers = 1;
    options.seed = seed;
    Engine engine(options);
    std::atomic<bool> stopped{!hasCompany};
    void *stop = &stopped;
    GridRequest company;
    company.entry = spinUntilStopped;
    company.args = &stop;
    company.block = {hasCompany ? 32u : 1u, 1, 1};
    std::promise<void> over;
    engine.submit(company, [&](const GridOutcome &) { over.set_value(); });
    Trace trace;
    trace.meetings = seed == 0 ? 5000 : 100;  // in order only long patience ends
    void *argument = &trace;
    GridRequest request;
    request.entry = entry;
    request.args = &argument;
    request.block = {64, 1, 1};
    for (int i = 0; i < 2; ++i) EXPECT_EQ(engine.run(request).fault, Fault::None);
    stopped = true;
    over.get_future().wait();
    return trace.steps;
  };
  for (hw_kernel_entry entry : {traceKernel, tracePatientKernel})
    for (uint64_t seed = 0; seed < 6; ++seed)
      EXPECT_TRUE(traceOf(seed, entry, true) == traceOf(seed, entry, false)) << seed;
}

void manyBarriers(void *const *) {
  for (int i = 0; i < 20; ++i) hw_barrier(0, 0);
}

// Under a random schedule blocks take turns, but no more begin than need be: each has stacks of its own.
TEST(RandomScheduleTest, FewBlocksTakeTurns) {
  EngineOptions options;
  options.workers = 1;
  options.seed = 3;
  Engine engine(options);
  GridRequest request;
  request.entry = manyBarriers;
  request.grid = {64, 1, 1};
  request.block = {256, 1, 1};
  request.residentBlocks = 64;
  EXPECT_EQ(engine.run(request).fault, Fault::None);
  EXPECT_GT(engine.usage().stacksKept, 256u);
  EXPECT_LT(engine.usage().stacksKept, 12 * 256u);
}

// Each block waits until all have begun, and never says so: its threads look, and meet at a barrier.
void waitForAllBlocks(void *const *args) {
  auto &begun = *static_cast<std::atomic<unsigned> *>(args[0]);
  if (hw_self()->linearThread == 0) ++begun;
  while (hw_barrier_reduce(0, 0, HW_OR, begun.load() < hw_self()->gridDim.x) != 0) {
  }
}

TEST(RandomScheduleTest, BlocksThatOthersWaitForBegin) {
  EngineOptions options;
  options.workers = 1;
  options.seed = 4;
  Engine engine(options);
  std::atomic<unsigned> begun{0};
  void *argument = &begun;
  GridRequest request;
  request.entry = waitForAllBlocks;
  request.args = &argument;
  request.grid = {20, 1, 1};
  request.block = {128, 1, 1};
  request.residentBlocks = 20;
  EXPECT_EQ(engine.run(request).fault, Fault::None);
  EXPECT_EQ(begun, 20u);
}

}  // namespace
}  // namespace hostwarp::fibers
