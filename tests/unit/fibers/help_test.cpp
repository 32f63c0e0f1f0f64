// Threads of the program that run blocks of the grids that they wait for.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

// Busy keeps all workers of an engine at blocks that wait until it ends.
class Busy {
 public:
  Busy(Engine &engine, GridRequest request) {
    request.entry = wait;
    request.args = arguments_;
    request.grid = {engine.workers(), 1, 1};
    request.mayBlock = true;
    engine.submit(request, [this](const GridOutcome &) { ended_.set_value(); });
    while (running_ != engine.workers()) std::this_thread::yield();
  }
  ~Busy() { end(); }
  void end() {
    if (over_.exchange(true)) return;
    ended_.get_future().wait();
  }

 private:
  // Without a word to the engine: no other block runs on this worker meanwhile.
  static void wait(void *const *args) {
    auto &self = *static_cast<Busy *>(args[0]);
    if (hw_self()->linearThread != 0) return;
    ++self.running_;
    while (!self.over_) std::this_thread::yield();
  }

  void *arguments_[1] = {this};
  std::atomic<unsigned> running_{0};
  std::atomic<bool> over_{false};
  std::promise<void> ended_;
};

struct Work {
  pthread_t helper = pthread_self();
  std::atomic<int> byHelper{0}, byOthers{0};
  std::atomic<int> wrongRounding{0};
  std::promise<GridOutcome> ended;
  std::atomic<bool> over{false};
};

void work(void *const *args) {
  Work &self = *static_cast<Work *>(args[0]);
  ++(pthread_equal(pthread_self(), self.helper) ? self.byHelper : self.byOthers);
  if (std::fegetround() != FE_TONEAREST) ++self.wrongRounding;
  hw_barrier(0, 0);
}

void fault(void *const *args) {
  work(args);
  const auto nowhere = reinterpret_cast<volatile int *>(uintptr_t{hw_self()->blockDim.y} * alignof(int));
  if (linearBlock() == 5 && hw_self()->linearThread == 3) *nowhere = 1;
}

class HelpTest : public EngineTest {
 protected:
  void submit(Work &work, Place place, bool mayBlock = false, void (*kernel)(void *const *) = fibers::work) {
    GridRequest request = describe(kernel, {40, 1, 1}, {8, 1, 1}, &work);
    request.place = place;
    request.mayBlock = mayBlock;
    engine_->submit(request, [&work](const GridOutcome &outcome) {
      work.over = true;
      work.ended.set_value(outcome);
    });
  }
  void help(const Work &work, Place last) {
    engine_->help(last, [&] { return work.over.load(); });
  }
};
HOSTWARP_EVERY_SCHEDULE(HelpTest);

TEST_P(HelpTest, AllBlocksRunOnce) {
  for (int round = 0; round < 200; ++round) {
    Work work;
    submit(work, {7, 3});
    help(work, {7, 3});
    EXPECT_EQ(work.ended.get_future().get().fault, Fault::None);
    ASSERT_EQ(work.byHelper + work.byOthers, 40 * 8);
  }
}

// With every worker at other blocks there is none whose place a thread could take.
TEST_P(HelpTest, NeverMoreThreadsThanWorkers) {
  Work work;
  {
    Busy busy(*engine_, describe(nullptr, {1, 1, 1}, {1, 1, 1}, nullptr));
    submit(work, {7, 3});
    help(work, {7, 3});
    EXPECT_EQ(work.byHelper, 0);
    busy.end();
  }
  work.ended.get_future().wait();
  EXPECT_EQ(work.byOthers, 40 * 8);
}

TEST_P(HelpTest, OnlyWithWhatItWaitsFor) {
  Work later, elsewhere, waiting, nowhere;
  submit(later, {7, 4});
  submit(elsewhere, {8, 1});
  submit(waiting, {7, 1}, /*mayBlock=*/true);
  submit(nowhere, {});
  Work none;
  help(none, {7, 3});
  for (Work *each : {&later, &elsewhere, &waiting, &nowhere}) {
    each->ended.get_future().wait();
    EXPECT_EQ(each->byHelper, 0);
  }
}

// A grid that comes while a thread has the last worker's place, and looks for something else, does not stay behind.
TEST_P(HelpTest, NothingIsLeftBehind) {
  constexpr int kRounds = 3000;
  std::vector<Work> works(kRounds);
  std::atomic<int> begun{0};
  std::thread other([&] {
    for (int round = 0; round < kRounds; ++round) {
      while (begun <= round) std::this_thread::yield();
      submit(works[static_cast<size_t>(round)], {8, 1});
    }
  });
  const Work none;
  for (int round = 0; round < kRounds; ++round) {
    begun = round + 1;
    for (int i = 0; i < 20; ++i) help(none, {7, 3});
    const auto ended = works[static_cast<size_t>(round)].ended.get_future().wait_for(std::chrono::seconds(20));
    ASSERT_EQ(ended, std::future_status::ready) << round;
  }
  other.join();
}

TEST_P(HelpTest, TheThreadsStateIsItsOwn) {
  stack_t before{}, after{};
  std::vector<char> memory(size_t{64} * 1024);
  before.ss_sp = memory.data();
  before.ss_size = memory.size();
  stack_t others{};
  ASSERT_EQ(sigaltstack(&before, &others), 0);
  std::fesetround(FE_UPWARD);
  int helped = 0;
  for (int round = 0; round < 500; ++round) {
    Work work;
    submit(work, {7, 3});
    help(work, {7, 3});
    work.ended.get_future().wait();
    EXPECT_EQ(work.wrongRounding, 0);
    helped += work.byHelper;
    ASSERT_EQ(describeCurrentThread(), "host code");
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  ASSERT_EQ(sigaltstack(&others, &after), 0);
  EXPECT_EQ(after.ss_sp, before.ss_sp);
  // By a seed it must not matter who comes first.
  EXPECT_EQ(helped > 0, GetParam().seed == 0);
}

TEST_P(HelpTest, AFaultIsTheGrids) {
  for (int round = 0; round < 20; ++round) {
    Work work;
    submit(work, {7, 3}, false, fault);
    help(work, {7, 3});
    const GridOutcome outcome = work.ended.get_future().get();
    EXPECT_EQ(outcome.fault, Fault::IllegalAddress);
    EXPECT_NE(outcome.diagnosis.find("block (5,0,0), thread (3,0,0)"), std::string::npos) << outcome.diagnosis;
  }
}

}  // namespace
}  // namespace hostwarp::fibers
