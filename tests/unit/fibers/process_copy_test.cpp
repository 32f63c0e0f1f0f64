// Copies of the process: what other threads do at the fork, or fork themselves, must not lose the answer.
#include "fibers/process_copy.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>

#include "fibers/source_location.h"

namespace hostwarp::fibers {
namespace {

TEST(ProcessCopyTest, AnAnswerOfManyReads) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(runInCopy([&] { return text; }), text);
}

TEST(ProcessCopyTest, ACopyThatDiesAnswersNothing) {
  EXPECT_EQ(runInCopy([]() -> std::string { _exit(0); }), std::nullopt);
}

TEST(ProcessCopyTest, ALockThatAnotherThreadHeldAtTheFork) {
  std::mutex mutex;
  std::atomic<bool> held{false};
  std::thread holder([&] {
    const std::lock_guard lock(mutex);
    held = true;
    usleep(500'000);
  });
  while (!held) std::this_thread::yield();
  const auto answer = runInCopy([&] {
    const std::lock_guard lock(mutex);
    return std::string("free");
  });
  holder.join();
  EXPECT_EQ(answer, "free");
}

std::atomic<int> forks{0};
thread_local bool waitsForSecondFork = false;

void afterFork() {
  ++forks;
  while (waitsForSecondFork && forks < 2) usleep(1000);
}

// A copy that is made at the same time has the first one's pipe open as well. This one lives until the first has
// answered.
TEST(ProcessCopyTest, AnAnswerDoesNotWaitForOtherCopies) {
  void *page = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto *hasAnswered = new (page) std::atomic<bool>(false);
  pthread_atfork(nullptr, afterFork, nullptr);
  forks = 0;
  std::thread other([&] {
    while (forks == 0) usleep(1000);
    (void)runInCopy([&] {
      while (!*hasAnswered) usleep(1000);
      return std::string("late");
    });
  });
  waitsForSecondFork = true;
  EXPECT_EQ(runInCopy([] { return std::string("early"); }), "early");
  waitsForSecondFork = false;
  *hasAnswered = true;
  other.join();
  munmap(page, sizeof(std::atomic<bool>));
}

// A copy that waited for the other thread's lock would take seconds.
TEST(ProcessCopyTest, CopiesLocateWhileOthersDo) {
  std::atomic<bool> isOver{false};
  std::atomic<int> located{0};
  const void *place = reinterpret_cast<const void *>(&runInCopy);
  std::thread other([&] {
    for (; !isOver; ++located) {
      (void)locate(place, false);
      usleep(50);  // else nobody else would get the lock for long
    }
  });
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) {
    for (const int before = located; located < before + 2;) std::this_thread::yield();
    EXPECT_NE(runInCopy([&] { return locate(place, false); }), std::nullopt);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  isOver = true;
  other.join();
}

}  // namespace
}  // namespace hostwarp::fibers
