// Schedules that a strategy chooses: each ends, PCT keeps its promise, and preemptions repeat what another has come to.
#include <unistd.h>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>

#include "fibers/strategy.h"
#include "fibers/sync_operation.h"
#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

// Events is the order in which threads have come to their operations.
std::string *events = nullptr;
uint64_t word = 0, flag = 0;
uint64_t others[2];

void operation(uint64_t &where, uint32_t traits) {
  schedulingPoint({reinterpret_cast<uintptr_t>(&where), sizeof where, traits | HW_ACCESS_ATOMIC, 0, true});
}

uint64_t readAt(uint64_t &where) {
  operation(where, HW_ACCESS_READS);
  return where;
}

void writeAt(uint64_t &where, uint64_t value) {
  operation(where, HW_ACCESS_WRITES);
  where = value;
}

void note(char what) { events->push_back(what); }

// padding() is operations that nobody waits for.
void padding(int count) {
  for (int i = 0; i < count; ++i) readAt(others[hw_self()->linearThread]);
}

// between(): the second thread's only operation must come between the first one's two. That is a bug of depth 2.
void between(void *const *) {
  padding(2);
  if (hw_self()->linearThread == 0) {
    writeAt(word, 1);
    note('a');
    writeAt(word, 2);
    note('b');
  } else {
    readAt(word);
    note('x');
  }
  padding(2);
}

// interleaved(): a bug of depth 3, with two operations each.
void interleaved(void *const *) {
  padding(1);
  const bool isFirst = hw_self()->linearThread == 0;
  for (const char *name = isFirst ? "ab" : "xy"; *name != '\0'; ++name) {
    writeAt(word, static_cast<uint64_t>(*name));
    note(*name);
  }
  padding(1);
}

void oneAndThree(void *const *) {
  for (uint32_t i = 0; i < 1 + 2 * hw_self()->linearThread; ++i) {
    writeAt(word, i);
    note(static_cast<char>('0' + hw_self()->linearThread));
  }
}

void handOver(void *const *) {
  const uint32_t me = hw_self()->linearThread;
  while (readAt(flag) != me) hw_yield();
  note(static_cast<char>('0' + me));
  writeAt(flag, me + 1);
}

void takeTurns(void *const *) {
  const hw_thread &self = *hw_self();
  for (int i = 0; i < 3; ++i) {
    writeAt(word, readAt(word) + 1);
    note(static_cast<char>('a' + self.blockIdx.x * 4 + self.linearThread));
    if (i == 1) hw_barrier(0, 0);
  }
}

class DirectedTest : public testing::Test {
 protected:
  void SetUp() override { path_ = std::filesystem::temp_directory_path() / ("directed-" + std::to_string(getpid())); }
  void TearDown() override { std::filesystem::remove(path_); }

  // launch() is the order of events of one launch.
  static std::string launch(Engine &engine, void (*kernel)(void *const *), uint32_t blocks, uint32_t threads) {
    std::string order;
    events = &order;
    word = flag = 0;
    GridRequest request;
    void *argument = nullptr;
    request.entry = kernel;
    request.args = &argument;
    request.kernelName = "kernel_under_test";
    request.grid = {blocks, 1, 1};
    request.block = {threads, 1, 1};
    request.residentBlocks = 16;
    const GridOutcome outcome = engine.run(request);
    EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
    return order;
  }

  EngineOptions options(const std::string &schedule, bool traces = false) const {
    EngineOptions options;
    options.schedule = schedule;
    if (traces) options.scheduleTrace = path_;
    return options;
  }

  std::string run(void (*kernel)(void *const *), const std::string &schedule, uint32_t blocks, uint32_t threads,
                  bool traces = false) const {
    Engine engine(options(schedule, traces));
    return launch(engine, kernel, blocks, threads);
  }

  // preemptions() is the schedule of the last run that was traced.
  std::string preemptions() const {
    std::string text = "p:";
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("D ")) text += (text.size() > 2 ? "." : "") + line.substr(2);
    return text;
  }

  // expectHits() sees that at least that share of PCT's runs finds the bug, give or take what chance allows. Each
  // launch draws anew.
  void expectHits(void (*kernel)(void *const *), const std::string &parameters, double share,
                  const std::string &bug) const {
    constexpr int seeds = 2, launches = 1000, runs = seeds * launches;
    int hits = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      Engine engine(options("pct:" + std::to_string(seed) + parameters));
      for (int i = 0; i < launches; ++i) hits += launch(engine, kernel, 1, 2) == bug;
    }
    const double chance = 4 * std::sqrt(runs * share * (1 - share));
    EXPECT_GE(hits, runs * share - chance);
    EXPECT_GT(hits, 0);
  }

  std::string path_;
};

TEST_F(DirectedTest, InOrderAndReverse) {
  EXPECT_EQ(run(oneAndThree, "order", 1, 2), "0111");
  EXPECT_EQ(run(oneAndThree, "reverse", 1, 2), "1110");
}

TEST_F(DirectedTest, ThreadsThatWaitForMemoryEndInEverySchedule) {
  for (const char *schedule : {"order", "reverse", "random:1", "random:2", "pct:1:1:40", "pct:2:3:40", "p:"})
    EXPECT_EQ(run(handOver, schedule, 1, 6), "012345") << schedule;
}

TEST_F(DirectedTest, PctFindsDepthTwo) {
  // n = 2 threads, k = 11 operations
  expectHits(between, ":2:11", 1.0 / (2 * 11), "axb");
}

TEST_F(DirectedTest, PctFindsDepthThree) { expectHits(interleaved, ":3:8", 1.0 / (2 * 8 * 8), "axby"); }

TEST_F(DirectedTest, PctOfDepthOneFindsNoneOfDepthTwo) {
  Engine engine(options("pct:1:1:11"));
  for (int i = 0; i < 500; ++i) EXPECT_NE(launch(engine, between, 1, 2), "axb");
}

TEST_F(DirectedTest, UniformRandomWalkDrawsInterleavings) {
  run(oneAndThree, "order", 1, 2, /*traces=*/true);
  const std::string counts = path_ + ".counts";
  std::filesystem::copy_file(path_, counts, std::filesystem::copy_options::overwrite_existing);
  std::map<std::string, int> times;
  for (int seed = 1; seed <= 400; ++seed) ++times[run(oneAndThree, "urw:" + std::to_string(seed) + ":" + counts, 1, 2)];
  std::filesystem::remove(counts);
  EXPECT_EQ(times.size(), 4u);
  for (const auto &[order, count] : times) EXPECT_NEAR(count, 100, 4 * 9) << order;
}

TEST_F(DirectedTest, PreemptionsRepeatWhatAnotherHasComeTo) {
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string first = run(takeTurns, "random:" + std::to_string(seed), 3, 4, /*traces=*/true);
    EXPECT_EQ(run(takeTurns, preemptions(), 3, 4), first) << seed;
    EXPECT_EQ(run(takeTurns, "random:" + std::to_string(seed), 3, 4), first) << seed;
  }
}

TEST_F(DirectedTest, WhatIsNoScheduleIsRefused) {
  for (const char *text :
       {"", "x", "random", "random:", "random:x", "pct:1", "pct:1:0:5", "pct:1:2:0", "pct:1:2:3:4", "p:1", "p:1-2-3",
        "p:0-0-1-1.", "p:0-0-1-?", "picks:/nowhere/at/all", "urw:1", "urw:1:/nowhere"}) {
    std::string complaint;
    EXPECT_EQ(makeStrategy(text, complaint), nullptr) << text;
    EXPECT_NE(complaint, "");
  }
  EngineOptions wrong;
  wrong.schedule = "x";
  EXPECT_THROW(Engine{wrong}, std::invalid_argument);
}

}  // namespace
}  // namespace hostwarp::fibers
