// The ends of processes: each case runs in a child, which gtest starts anew.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

struct ProcessDeathTest : RuntimeTest {
  ProcessDeathTest() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

std::atomic<int> never{0};

TEST_F(ProcessDeathTest, ExitDoesNotWaitForAKernelThatNeverEnds) {
  EXPECT_EXIT(
      {
        (void)launch(waitForFlag, 4, 32, nullptr, &never);
        std::exit(3);
      },
      testing::ExitedWithCode(3), "");
}

struct FreesAtExit {
  void *memory = nullptr;
  ~FreesAtExit() {
    if (memory && cudaFree(memory) != cudaSuccess) _exit(9);
  }
};
FreesAtExit freesAtExit;

TEST_F(ProcessDeathTest, StaticDestructorsMayFree) {
  EXPECT_EXIT(
      {
        if (cudaMalloc(&freesAtExit.memory, 64) != cudaSuccess) _exit(8);
        std::exit(4);
      },
      testing::ExitedWithCode(4), "");
}

TEST_F(ProcessDeathTest, AForkedChildGetsErrorsAndEnds) {
  EXPECT_EXIT(
      {
        void *memory = nullptr;
        if (cudaMalloc(&memory, 64) != cudaSuccess) _exit(8);
        const pid_t child = fork();
        if (child == 0) {
          const bool refused = cudaMalloc(&memory, 64) == cudaErrorInitializationError &&
                               cudaDeviceSynchronize() == cudaErrorInitializationError &&
                               launch(waitForFlag, 1, 1, nullptr, &never) == cudaErrorInitializationError;
          std::exit(refused ? 5 : 6);
        }
        int status = 0;
        waitpid(child, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 7);
      },
      testing::ExitedWithCode(5), "");
}

TEST_F(ProcessDeathTest, AForkBeforeTheFirstUseIsFine) {
  EXPECT_EXIT(
      {
        const pid_t child = fork();
        int *data = nullptr;
        const bool works = cudaMalloc(reinterpret_cast<void **>(&data), 4) == cudaSuccess &&
                           launch(addOne, 1, 1, nullptr, data, 1) == cudaSuccess &&
                           cudaDeviceSynchronize() == cudaSuccess && *data == 1;
        if (child == 0) std::exit(works ? 5 : 6);
        int status = 0;
        waitpid(child, &status, 0);
        _exit(works && WIFEXITED(status) ? WEXITSTATUS(status) : 7);
      },
      testing::ExitedWithCode(5), "");
}

}  // namespace
}  // namespace hostwarp::tests
