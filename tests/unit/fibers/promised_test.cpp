#include "fibers/promised.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace hostwarp::fibers {
namespace {

TEST(Promised, IsZeroUntilItIsSet) {
  Promised promised;
  EXPECT_EQ(promised.get(), 0U);
  promised.set(7);
  EXPECT_EQ(promised.get(), 7U);
  EXPECT_EQ(promised.wait(), 7U);
}

TEST(Promised, AllThatWaitSeeIt) {
  for (int turn = 0; turn < 200; ++turn) {
    auto promised = std::make_unique<Promised>();
    int written = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        EXPECT_EQ(promised->wait(), 2U);
        EXPECT_EQ(written, turn + 1);
      });
    if (turn % 2 == 0) std::this_thread::yield();
    written = turn + 1;
    promised->set(2);
    for (std::thread &thread : threads) thread.join();
  }
}

// Another thread may look while others wait: it is not to see the mark of those.
TEST(Promised, IsZeroWhileOthersWait) {
  Promised promised;
  std::thread waits([&] { EXPECT_EQ(promised.wait(), 1U); });
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(promised.get(), 0U);
  promised.set(1);
  waits.join();
}

}  // namespace
}  // namespace hostwarp::fibers
