// What the engine does to its process: fork, exit with work in flight, faults that are not its own.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "fibers/engine.h"
#include "fibers/sanitizers.h"

// Abandoned CUDA threads are not unwound, and a process that exits with a grid in flight frees nothing: what they owned
// is lost by design.
extern "C" __attribute__((used, visibility("default"))) const char *__asan_default_options() {
  return "detect_leaks=0";
}

namespace hostwarp::fibers {
namespace {

void countKernel(void *const *args) {
  hw_barrier(0, 0);
  ++*static_cast<std::atomic<int> *>(args[0]);
}

void spinKernel(void *const *args) {
  while (static_cast<std::atomic<int> *>(args[0])->load() == 0) hw_yield();
}

volatile uintptr_t badAddress = 16;
void writeBadly() { *reinterpret_cast<volatile int *>(badAddress) = 1; }
void faultKernel(void *const *) { writeBadly(); }

int countOnProcessEngine() {
  std::atomic<int> count{0};
  void *argument = &count;
  GridRequest request;
  request.entry = countKernel;
  request.args = &argument;
  request.grid = {4, 1, 1};
  request.block = {32, 1, 1};
  const GridOutcome outcome = Engine::process({}).run(request);
  return outcome.fault == Fault::None ? count.load() : -1;
}

// statusOf() runs `body` in a forked child and gives its wait status; a child that hangs is killed by its alarm.
template <typename Body>
int statusOf(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    body();
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

void submitForever() {
  static std::atomic<int> never{0};
  static void *argument = &never;
  GridRequest request;
  request.entry = spinKernel;
  request.args = &argument;
  request.grid = {4, 1, 1};
  request.block = {32, 1, 1};
  request.residentBlocks = 4;
  Engine::process({}).submit(request, [](const GridOutcome &) {});
  usleep(20000);
}

TEST(ProcessTest, ForkedChildHasAnEngineOfItsOwn) {
  EXPECT_EQ(countOnProcessEngine(), 128);
  const int status = statusOf([] { _exit(countOnProcessEngine() == 128 && countOnProcessEngine() == 128 ? 0 : 1); });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(countOnProcessEngine(), 128);
}

TEST(ProcessTest, ForkWithAGridInFlight) {
#if defined(HOSTWARP_ASAN)
  GTEST_SKIP()
      << "GCC 12's AddressSanitizer keeps its allocator's locks across a fork, so that the child may wait for ever";
#endif
  const int status = statusOf([] {
    submitForever();
    const int inner = statusOf([] { std::exit(countOnProcessEngine() == 128 ? 0 : 1); });
    _exit(WIFEXITED(inner) ? WEXITSTATUS(inner) : 2);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(ProcessTest, ExitWithAGridInFlight) {
  const int status = statusOf([] {
    submitForever();
    std::exit(7);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}

TEST(ProcessTest, AHostFaultStaysAHostFault) {
  EXPECT_EQ(countOnProcessEngine(), 128);
  const int status = statusOf([] { writeBadly(); });
  EXPECT_TRUE(WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 99) << status;
}

std::atomic<int> hostFaults{0};

// A handler that was there before the engine still gets the host's faults, and none of the kernels'.
TEST(ProcessTest, EarlierHandlersAreChained) {
  EXPECT_EXIT(
      {
        struct sigaction action{};
        action.sa_handler = [](int) { _exit(hostFaults == 0 ? 21 : 22); };
        sigaction(SIGSEGV, &action, nullptr);
        EngineOptions options;
        options.workers = 1;
        Engine engine(options);
        GridRequest request;
        request.entry = faultKernel;
        if (engine.run(request).fault != Fault::IllegalAddress) _exit(1);
        writeBadly();
        _exit(2);
      },
      testing::ExitedWithCode(21), "");
}

}  // namespace
}  // namespace hostwarp::fibers
