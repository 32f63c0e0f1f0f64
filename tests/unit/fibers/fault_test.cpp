#include <sys/mman.h>

#include <atomic>
#include <string>

#include "tests/unit/fibers/engine_fixture.h"

namespace hostwarp::fibers {
namespace {

class FaultTest : public EngineTest {
 protected:
  static void expectText(const GridOutcome &outcome, const std::string &text) {
    EXPECT_NE(outcome.diagnosis.find(text), std::string::npos) << "missing: " << text << "\nin: " << outcome.diagnosis;
  }
  // expectHealthy() shows that the engine still runs kernels with waiting threads on all workers.
  void expectHealthy() {
    std::atomic<int> count{0};
    const GridOutcome outcome = launch(
        [](void *const *args) {
          hw_barrier(0, 0);
          ++*static_cast<std::atomic<int> *>(args[0]);
        },
        {8, 1, 1}, {64, 1, 1}, &count);
    EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
    EXPECT_EQ(count, 512);
  }
};
HOSTWARP_EVERY_SCHEDULE(FaultTest);

bool chosen() { return linearBlock() == 3 && hw_self()->threadIdx.x == 17; }

void nullKernel(void *const *args) {
  hw_barrier(0, 0);
  if (chosen()) *static_cast<volatile int *>(args[0]) = 1;
  hw_barrier(0, 0);
}

TEST_P(FaultTest, IllegalAddress) {
  const GridOutcome outcome = launch(nullKernel, {6, 1, 1}, {64, 1, 1}, reinterpret_cast<void *>(0x1230));
  EXPECT_EQ(outcome.fault, Fault::IllegalAddress);
  EXPECT_EQ(outcome.address, 0x1230u);
  expectText(outcome, "0x1230");
  expectText(outcome, "kernel kernel_under_test, block (3,0,0), thread (17,0,0), at ");
  expectText(outcome, "fault_test.cpp:");
  expectHealthy();
}

TEST_P(FaultTest, ProtectedMemory) {
  void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const GridOutcome outcome = launch(nullKernel, {6, 1, 1}, {64, 1, 1}, page);
  EXPECT_EQ(outcome.fault, Fault::IllegalAddress);
  EXPECT_EQ(outcome.address, reinterpret_cast<uint64_t>(page));
  munmap(page, 4096);
}

[[gnu::no_sanitize("undefined")]] void divideKernel(void *const *args) {
  volatile int zero = 0;
  if (chosen()) *static_cast<int *>(args[0]) = 5 / zero;
}

TEST_P(FaultTest, DivideByZero) {
  EngineOptions options = optionsFor(GetParam());
  options.divisionsFault = true;
  start(options);
  int result = 0;
  const GridOutcome outcome = launch(divideKernel, {6, 1, 1}, {64, 1, 1}, &result);
  EXPECT_EQ(outcome.fault, Fault::DivideByZero);
  expectText(outcome, "block (3,0,0), thread (17,0,0)");
  expectHealthy();
}

TEST_P(FaultTest, DivideByZeroAsOnAGpu) {
  int result = 0;
  const GridOutcome outcome = launch(divideKernel, {6, 1, 1}, {64, 1, 1}, &result);
  EXPECT_EQ(outcome.fault, Fault::None) << outcome.diagnosis;
  EXPECT_EQ(result, -1);
  expectHealthy();
}

void illegalKernel(void *const *) {
  if (chosen()) __builtin_trap();
}

TEST_P(FaultTest, IllegalInstruction) {
  EXPECT_EQ(launch(illegalKernel, {6, 1, 1}, {64, 1, 1}).fault, Fault::IllegalInstruction);
  expectHealthy();
}

// An index that changes keeps the whole array: of one with a constant index clang leaves a byte.
__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[512];
  frame[depth % 512] = static_cast<char>(depth);
  return depth == 0 ? 0 : recurse(depth - 1) + frame[depth % 512];
}

void recursionKernel(void *const *args) {
  hw_barrier(0, 0);
  if (chosen()) *static_cast<int *>(args[0]) = recurse(*static_cast<int *>(args[0]));
  hw_barrier(0, 0);
}

TEST_P(FaultTest, StackOverflow) {
  int depth = 1 << 20;
  const GridOutcome outcome = launch(recursionKernel, {6, 1, 1}, {64, 1, 1}, &depth);
  EXPECT_EQ(outcome.fault, Fault::StackOverflow);
  expectText(outcome, "64 KiB");
  expectText(outcome, "cudaLimitStackSize");
  expectText(outcome, "block (3,0,0), thread (17,0,0)");
  expectHealthy();
}

TEST_P(FaultTest, LargerStacksHoldMore) {
  int depth = 1000;  // about 600 KiB
  GridRequest request = describe(recursionKernel, {6, 1, 1}, {64, 1, 1}, &depth);
  EXPECT_EQ(engine_->run(request).fault, Fault::StackOverflow);
  request.stackBytes = 4 << 20;
  EXPECT_EQ(engine_->run(request).fault, Fault::None);
}

void trapKernel(void *const *) {
  if (chosen()) hw_trap();
}

TEST_P(FaultTest, Trap) {
  const GridOutcome outcome = launch(trapKernel, {6, 1, 1}, {64, 1, 1});
  EXPECT_EQ(outcome.fault, Fault::Trap);
  expectText(outcome, "block (3,0,0), thread (17,0,0), at ");
  expectText(outcome, "fault_test.cpp:");
}

void assertKernel(void *const *) {
  if (chosen()) hw_assert_fail("a < b", "dir/app.cu", 12, "void kernel(int)", 1);
  hw_barrier(0, 0);
}

TEST_P(FaultTest, AssertHasCudasForm) {
  const GridOutcome outcome = launch(assertKernel, {6, 1, 1}, {64, 1, 1});
  EXPECT_EQ(outcome.fault, Fault::Assert);
  EXPECT_EQ(outcome.diagnosis,
            "dir/app.cu:12: void kernel(int): block: [3,0,0], thread: [17,0,0] Assertion `a < b` failed.\n");
  expectHealthy();
}

void failKernel(void *const *args) {
  if (chosen()) failCurrentGrid(Fault::OutOfMemory, "what " + std::to_string(*static_cast<int *>(args[0])));
}

TEST_P(FaultTest, FailCurrentGrid) {
  int number = 42;
  const GridOutcome outcome = launch(failKernel, {6, 1, 1}, {64, 1, 1}, &number);
  EXPECT_EQ(outcome.fault, Fault::OutOfMemory);
  expectText(outcome, "what 42: kernel kernel_under_test, block (3,0,0), thread (17,0,0)");
}

void spinForeverKernel(void *const *args) {
  while (static_cast<std::atomic<int> *>(args[0])->load() == 0) hw_yield();
}

void oneFailsOthersSpinKernel(void *const *args) {
  if (linearBlock() == 5) hw_trap();
  spinForeverKernel(args);
}

TEST_P(FaultTest, AFaultStopsSpinningBlocks) {
  std::atomic<int> never{0};
  EXPECT_EQ(launch(oneFailsOthersSpinKernel, {8, 1, 1}, {32, 1, 1}, &never).fault, Fault::Trap);
  expectHealthy();
}

struct GridsThatFault {
  std::atomic<int> go{0};
  std::atomic<int> done{0};
};

void patientKernel(void *const *args) {
  GridsThatFault &shared = *static_cast<GridsThatFault *>(args[0]);
  while (shared.go.load() == 0) hw_yield();
  hw_barrier(0, 0);
  ++shared.done;
}

TEST_P(FaultTest, OtherGridsSurvive) {
  GridsThatFault shared;
  GridRequest patient = describe(patientKernel, {4, 1, 1}, {64, 1, 1}, &shared);
  std::atomic<int> ended{0};
  engine_->submit(patient, [&](const GridOutcome &outcome) { ended = outcome.fault == Fault::None ? 1 : -1; });
  GridRequest faulty = patient;
  faulty.entry = trapKernel;
  EXPECT_EQ(engine_->run(faulty).fault, Fault::Trap);
  shared.go = 1;
  while (ended == 0) waitABit();
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(shared.done, 256);
}

class TimeoutTest : public FaultTest {
 protected:
  void SetUp() override {
    EngineOptions options = optionsFor(GetParam());
    options.timeoutSeconds = 0.15;
    start(options);
  }
};
HOSTWARP_EVERY_SCHEDULE(TimeoutTest);

TEST_P(TimeoutTest, SpinningKernel) {
  std::atomic<int> never{0};
  const GridOutcome outcome = launch(spinForeverKernel, {2, 1, 1}, {64, 1, 1}, &never);
  EXPECT_EQ(outcome.fault, Fault::Timeout);
  expectText(outcome, "did not end within 0.15 s (HOSTWARP_TIMEOUT)");
  expectText(outcome, "spin, ");
  expectHealthy();
}

void tightLoopKernel(void *const *args) {
  volatile int &never = *static_cast<volatile int *>(args[0]);
  hw_barrier(0, 0);
  const bool mine = chosen();
  while (mine && never == 0) {
  }
  hw_barrier(0, 0);
}

TEST_P(TimeoutTest, TightLoopWithoutCalls) {
#if defined(HOSTWARP_TSAN)
  GTEST_SKIP() << "ThreadSanitizer keeps a signal until the thread's next call, and there is none";
#endif
  int never = 0;
  const GridOutcome outcome = launch(tightLoopKernel, {6, 1, 1}, {64, 1, 1}, &never);
  EXPECT_EQ(outcome.fault, Fault::Timeout);
  expectText(outcome, "block (3,0,0), thread (17,0,0) was at ");
  expectText(outcome, "fault_test.cpp:");
  expectHealthy();
}

void barrierLoopKernel(void *const *args) {
  while (*static_cast<volatile int *>(args[0]) == 0) hw_barrier(0, 0);
}

TEST_P(TimeoutTest, EndlessBarriers) {
  int never = 0;
  EXPECT_EQ(launch(barrierLoopKernel, {1, 1, 1}, {64, 1, 1}, &never).fault, Fault::Timeout);
  EXPECT_EQ(launch(
                [](void *const *) {
                  for (;;) hw_syncwarp(~0u);
                },
                {1, 1, 1}, {64, 1, 1})
                .fault,
            Fault::Timeout);
  expectHealthy();
}

TEST_P(TimeoutTest, CancelAll) {
  std::atomic<int> never{0};
  std::atomic<int> ended{0};
  const GridRequest request = describe(spinForeverKernel, {2, 1, 1}, {64, 1, 1}, &never);
  for (int i = 0; i < 3; ++i)
    engine_->submit(request, [&](const GridOutcome &outcome) { ended += outcome.fault == Fault::Timeout; });
  engine_->cancelAll();
  for (int i = 0; i < 5000 && ended != 3; ++i) waitABit();
  EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace hostwarp::fibers
