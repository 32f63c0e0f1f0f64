// Fixtures for the thread engine: every test runs under several workers and schedules, and leaves nothing behind.
#ifndef HOSTWARP_TESTS_UNIT_FIBERS_ENGINE_FIXTURE_H
#define HOSTWARP_TESTS_UNIT_FIBERS_ENGINE_FIXTURE_H

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>

#include "fibers/engine.h"

namespace hostwarp::fibers {

// Schedule is a point in the space of engine configurations; seed 0 is the order.
struct Schedule {
  unsigned workers;
  uint64_t seed;
};

inline EngineOptions optionsFor(const Schedule &schedule) {
  EngineOptions options;
  options.workers = schedule.workers;
  options.seed = schedule.seed;
  return options;
}

inline std::string scheduleName(const testing::TestParamInfo<Schedule> &info) {
  const std::string order = info.param.seed == 0 ? "InOrder" : "Seed" + std::to_string(info.param.seed);
  return "Workers" + std::to_string(info.param.workers) + order;
}

// EngineTest owns an engine. pre for TearDown: every grid has ended.
class EngineTest : public testing::TestWithParam<Schedule> {
 protected:
  void SetUp() override { start(optionsFor(GetParam())); }

  void TearDown() override {
    if (engine_ == nullptr) return;
    // A task that comes late looks for work once more.
    bool rests = false;
    for (int i = 0; i < 2000 && !rests; ++i) {
      rests = engine_->usage().activeWorkers == 0;
      if (!rests) waitABit();
    }
    EXPECT_TRUE(rests) << "an idle engine keeps a processor busy";
    EXPECT_EQ(engine_->usage().fibersOut, 0u) << "a fiber is lost";
    engine_.reset();
  }

  void start(const EngineOptions &options) {
    engine_.reset();
    engine_ = std::make_unique<Engine>(options);
  }

  // launch() runs `kernel` to its end; `arguments` is handed over as its only parameter.
  GridOutcome launch(void (*kernel)(void *const *), hw_dim3 grid, hw_dim3 block, void *argument = nullptr) {
    GridRequest request = describe(kernel, grid, block, argument);
    return engine_->run(request);
  }

  GridRequest describe(void (*kernel)(void *const *), hw_dim3 grid, hw_dim3 block, void *argument) {
    GridRequest request;
    request.entry = kernel;
    request.args = &arguments_.emplace_back(argument);
    request.kernelName = "kernel_under_test";
    request.grid = grid;
    request.block = block;
    request.residentBlocks = 16;
    return request;
  }

  static void waitABit();

  std::unique_ptr<Engine> engine_;
  std::deque<void *> arguments_;  // of all grids of the test, which may run side by side
};

#define HOSTWARP_EVERY_SCHEDULE(Fixture)                                                                    \
  INSTANTIATE_TEST_SUITE_P(EverySchedule, Fixture,                                                          \
                           testing::Values(Schedule{1, 0}, Schedule{2, 0}, Schedule{1, 1}, Schedule{1, 77}, \
                                           Schedule{2, 1}, Schedule{2, 4711}),                              \
                           scheduleName)

inline void EngineTest::waitABit() {
  timespec pause{0, 1000000};
  nanosleep(&pause, nullptr);
}

inline unsigned linearBlock() {
  const hw_thread &t = *hw_self();
  return t.blockIdx.x + t.gridDim.x * (t.blockIdx.y + t.gridDim.y * t.blockIdx.z);
}

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_TESTS_UNIT_FIBERS_ENGINE_FIXTURE_H
