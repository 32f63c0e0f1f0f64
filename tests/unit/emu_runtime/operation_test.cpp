#include "emu_runtime/stream/operation.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "emu_runtime/stream/stream.h"

namespace hostwarp::stream {
namespace {

using namespace std::chrono_literals;

struct OperationTest : testing::Test {
  std::shared_ptr<ContextState> state = std::make_shared<ContextState>();
  std::vector<int> order;

  OperationRef note(int number) {
    return std::make_shared<InlineTask>(state, [this, number] { order.push_back(number); });
  }
  // held() is an operation that is done when release() is called.
  std::shared_ptr<CallerTask> held() { return std::make_shared<CallerTask>(state); }
};

TEST_F(OperationTest, RunsAtOnceWithoutPredecessors) {
  auto task = note(1);
  task->schedule({});
  EXPECT_TRUE(task->done());
  EXPECT_EQ(order, std::vector{1});
}

TEST_F(OperationTest, WaitsForEveryPredecessor) {
  auto a = held(), b = held();
  a->schedule({});
  b->schedule({});
  auto task = note(1);
  const OperationRef both[] = {a, nullptr, b};
  task->schedule(both);
  ASSERT_TRUE(a->begin());
  a->end();
  EXPECT_FALSE(task->done());
  ASSERT_TRUE(b->begin());
  b->end();
  EXPECT_TRUE(task->done());
}

TEST_F(OperationTest, LongChainsDoNotRecurse) {
  auto first = held();
  first->schedule({});
  OperationRef last = first;
  for (int i = 0; i < 200000; ++i) {
    auto next = std::make_shared<Marker>(state);
    next->schedule({&last, 1});
    last = next;
  }
  ASSERT_TRUE(first->begin());
  first->end();
  EXPECT_TRUE(last->done());
}

TEST_F(OperationTest, AFailedContextSkipsWorkButFinishesIt) {
  auto first = held();
  first->schedule({});
  auto task = note(1);
  const OperationRef before = first;
  task->schedule({&before, 1});
  ASSERT_TRUE(first->begin());
  EXPECT_TRUE(state->fail(cudaErrorIllegalAddress));
  EXPECT_FALSE(state->fail(cudaErrorLaunchFailure));
  first->end();
  EXPECT_TRUE(task->done());
  EXPECT_TRUE(order.empty());
  EXPECT_EQ(state->error(), cudaErrorIllegalAddress);
}

TEST_F(OperationTest, CallerTaskLosesItsTurnInAFailedContext) {
  EXPECT_TRUE(state->fail(cudaErrorAssert));
  auto task = held();
  task->schedule({});
  EXPECT_FALSE(task->begin());
  EXPECT_TRUE(task->done());
}

TEST_F(OperationTest, ThreadTasksMayWaitForEachOther) {
  std::atomic<int> flag{0};
  auto waits = std::make_shared<ThreadTask>(state, [&] { flag.wait(0); });
  auto wakes = std::make_shared<ThreadTask>(state, [&] {
    flag = 1;
    flag.notify_all();
  });
  waits->schedule({});
  wakes->schedule({});
  waits->wait();
  wakes->wait();
}

struct StreamSetTest : OperationTest {
  StreamSet streams{state};
  std::shared_ptr<Stream> blocking = streams.create(StreamKind::Blocking, 0);
  std::shared_ptr<Stream> other = streams.create(StreamKind::Blocking, 0);
  std::shared_ptr<Stream> free = streams.create(StreamKind::NonBlocking, 0);

  static void finish(const std::shared_ptr<CallerTask> &task) {
    ASSERT_TRUE(task->begin());
    task->end();
  }
};

TEST_F(StreamSetTest, KeepsTheOrderWithinAStream) {
  auto gate = held();
  streams.enqueue(*blocking, gate);
  streams.enqueue(*blocking, note(1));
  streams.enqueue(*blocking, note(2));
  streams.enqueue(*other, note(3));
  EXPECT_EQ(order, std::vector{3});
  finish(gate);
  EXPECT_EQ(order, (std::vector{3, 1, 2}));
  EXPECT_TRUE(streams.idle(*blocking));
}

TEST_F(StreamSetTest, TheLegacyStreamWaitsForBlockingStreamsOnly) {
  auto gate = held(), freeGate = held();
  streams.enqueue(*blocking, gate);
  streams.enqueue(*free, freeGate);
  streams.enqueue(*streams.legacy(), note(1));
  EXPECT_TRUE(order.empty());
  finish(gate);
  EXPECT_EQ(order, std::vector{1});
  finish(freeGate);
}

TEST_F(StreamSetTest, BlockingStreamsWaitForTheLegacyStream) {
  auto gate = held();
  streams.enqueue(*streams.legacy(), gate);
  streams.enqueue(*blocking, note(1));
  streams.enqueue(*free, note(2));
  EXPECT_EQ(order, std::vector{2});
  finish(gate);
  EXPECT_EQ(order, (std::vector{2, 1}));
}

TEST_F(StreamSetTest, WorkOfAReleasedStreamStillCounts) {
  auto gate = held();
  streams.enqueue(*blocking, gate);
  streams.release(blocking);
  blocking.reset();
  streams.enqueue(*streams.legacy(), note(1));
  EXPECT_TRUE(order.empty());
  EXPECT_EQ(streams.pending().size(), 2U);
  finish(gate);
  EXPECT_EQ(order, std::vector{1});
  EXPECT_TRUE(streams.pending().empty());
}

TEST_F(StreamSetTest, WaitAllReturnsAfterTheLastOperation) {
  std::atomic<bool> done{false};
  streams.enqueue(*free, std::make_shared<ThreadTask>(state, [&] {
    std::this_thread::sleep_for(20ms);
    done = true;
  }));
  streams.waitAll();
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace hostwarp::stream
