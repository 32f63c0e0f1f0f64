// Minimising, PCT's bound, and what a trace says.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tools/hostwarp/campaign_report.h"
#include "tools/hostwarp/minimise.h"
#include "tools/hostwarp/schedule_log.h"

namespace hostwarp::tool {
namespace {

TEST(MinimiseTest, KeepsWhatIsNeeded) {
  Preemptions all;
  for (int i = 0; i < 100; ++i) all.push_back(std::to_string(i));
  size_t attempts = 0;
  const auto fails = [&](const Preemptions &some) -> std::optional<Preemptions> {
    ++attempts;
    const auto has = [&](const char *name) { return std::ranges::find(some, name) != some.end(); };
    return has("7") && has("50") && has("93") ? std::optional(some) : std::nullopt;
  };
  EXPECT_EQ(minimise(all, fails, 2000), (Preemptions{"7", "50", "93"}));
  EXPECT_LT(attempts, 200u);
}

TEST(MinimiseTest, EndsWithNothingOrWhenAttemptsAreUsedUp) {
  const auto always = [](const Preemptions &some) { return std::optional(some); };
  EXPECT_EQ(minimise({"1", "2", "3"}, always, 100), Preemptions{});
  EXPECT_EQ(minimise({"1", "2", "3"}, always, 0).size(), 3u);
}

TEST(MinimiseTest, SchedulesAreLists) {
  EXPECT_EQ(preemptionsOf("p:"), Preemptions{});
  EXPECT_EQ(preemptionsOf("p:0-1-2-3.0-4-5-6"), (Preemptions{"0-1-2-3", "0-4-5-6"}));
  EXPECT_EQ(scheduleOf(preemptionsOf("p:0-1-2-3.0-4-5-6")), "p:0-1-2-3.0-4-5-6");
}

TEST(BoundTest, IsTheOneOfThePaper) {
  EXPECT_NEAR(missedAtMost(2, 10, 2, 59), 0.05, 0.002);
  EXPECT_NEAR(missedAtMost(4, 20, 2, 239), 0.05, 0.001);
  EXPECT_NEAR(missedAtMost(8, 50, 3, 59914), 0.05, 0.001);
  EXPECT_EQ(missedAtMost(1, 1, 1, 1), 0);
}

TEST(ScheduleLogTest, DamagedLinesAreLeftOut) {
  const std::string path = std::filesystem::temp_directory_path() / ("log-" + std::to_string(getpid()));
  std::ofstream(path)
      << "L 0 kernel(int*)\nP 0 1 1\nX 0 1 16 4 w 0\nX 0\nX 0 1 1\n\nZ 1\nD\nD 0-0-1-1\nI retry\nM 0 1 2\n"
         "N 0 2 7\nN 1 x\nX 0 1 16 4";
  const ScheduleLog log = readScheduleLog(path);
  std::filesystem::remove(path);
  ASSERT_EQ(log.events.size(), 6u);
  EXPECT_TRUE(log.events[2].operation.writes);
  EXPECT_EQ(log.preemptions, Preemptions{"0-0-1-1"});
  EXPECT_EQ(log.limits, std::set<std::string>{"retry"});
  EXPECT_EQ(log.threads, 2u);
  EXPECT_EQ(log.operations, 7u);
}

TEST(OperationTest, DependsOnOverlapAndWrites) {
  const Operation read{16, 4, false}, write{16, 4, true}, half{18, 2, true}, next{20, 4, true};
  const Operation sum{16, 4, true, 1}, most{16, 4, true, 5}, wide{16, 8, true, 1};
  EXPECT_FALSE(read.isDependent(read));
  EXPECT_TRUE(read.isDependent(write));
  EXPECT_TRUE(read.isDependent(half));
  EXPECT_FALSE(write.isDependent(next));
  EXPECT_FALSE(sum.isDependent(sum));
  EXPECT_TRUE(sum.isDependent(most));
  EXPECT_TRUE(sum.isDependent(wide));
  EXPECT_TRUE(sum.isDependent(read));
}

}  // namespace
}  // namespace hostwarp::tool
