#include "device_model/launch_check.h"

#include <gtest/gtest.h>

namespace hostwarp::device_model {
namespace {

const Gpu &h100() { return *find("h100"); }

std::optional<LaunchRule> broken(const LaunchShape &shape, const KernelResources &kernel = {},
                                 const Gpu &gpu = h100()) {
  const std::optional<LaunchViolation> violation = checkLaunch(gpu, kernel, shape);
  return violation ? std::optional(violation->rule) : std::nullopt;
}

TEST(LaunchCheck, AcceptsWhatFits) {
  EXPECT_EQ(broken({.grid = {2147483647, 1, 1}, .block = {1024, 1, 1}}), std::nullopt);
  EXPECT_EQ(broken({.grid = {1, 65535, 65535}, .block = {4, 4, 64}}), std::nullopt);
  EXPECT_EQ(broken({.dynamicShared = 48 * 1024}), std::nullopt);
}

TEST(LaunchCheck, GridRules) {
  EXPECT_EQ(broken({.grid = {0, 1, 1}}), LaunchRule::GridNotEmpty);
  EXPECT_EQ(broken({.grid = {1, 65536, 1}}), LaunchRule::GridWithinLimits);
  EXPECT_EQ(broken({.grid = {2147483648u, 1, 1}}), LaunchRule::GridWithinLimits);
}

TEST(LaunchCheck, BlockRules) {
  EXPECT_EQ(broken({.block = {1, 0, 1}}), LaunchRule::BlockNotEmpty);
  EXPECT_EQ(broken({.block = {1, 1, 65}}), LaunchRule::BlockWithinLimits);
  EXPECT_EQ(broken({.block = {1025, 1, 1}}), LaunchRule::BlockWithinLimits);
  EXPECT_EQ(broken({.block = {64, 64, 1}}), LaunchRule::ThreadsPerBlock);
  EXPECT_EQ(broken({.block = {256, 1, 1}}, {.maxThreadsPerBlock = 128}), LaunchRule::LaunchBounds);
}

TEST(LaunchCheck, ResourceRules) {
  EXPECT_EQ(broken({.dynamicShared = 48 * 1024 + 1}), LaunchRule::SharedMemory);
  EXPECT_EQ(broken({.dynamicShared = 100 * 1024}, {.dynamicSharedOptin = 100 * 1024}), std::nullopt);
  EXPECT_EQ(broken({.block = {1024, 1, 1}}, {.registers = 128}), LaunchRule::Registers);
}

TEST(LaunchCheck, ClusterRules) {
  EXPECT_EQ(broken({.grid = {8, 1, 1}, .cluster = {2, 1, 1}}, {}, *find("a100")), LaunchRule::ClusterSupported);
  EXPECT_EQ(broken({.grid = {8, 1, 1}, .cluster = {2, 1, 1}}), std::nullopt);
  EXPECT_EQ(broken({.grid = {16, 1, 1}, .cluster = {16, 1, 1}}), LaunchRule::ClusterSize);
  EXPECT_EQ(broken({.grid = {16, 1, 1}, .cluster = {16, 1, 1}}, {.nonPortableClusters = true}), std::nullopt);
  EXPECT_EQ(broken({.grid = {7, 1, 1}, .cluster = {2, 1, 1}}), LaunchRule::ClusterDividesGrid);
  EXPECT_EQ(broken({.grid = {8, 1, 1}, .cluster = {0, 1, 1}}), LaunchRule::ClusterSize);
}

TEST(LaunchCheck, CooperativeGridsMustBeResident) {
  const LaunchShape fits{.grid = {132 * 2, 1, 1}, .block = {1024, 1, 1}, .cooperative = true};
  EXPECT_EQ(broken(fits), std::nullopt);
  const LaunchShape tooLarge{.grid = {132 * 2 + 1, 1, 1}, .block = {1024, 1, 1}, .cooperative = true};
  EXPECT_EQ(broken(tooLarge), LaunchRule::CooperativeFits);
  EXPECT_EQ(broken({.cooperative = true}, {}, *find("gtx960")), LaunchRule::CooperativeSupported);
}

TEST(LaunchCheck, ReportsCudasErrorAndTheNumbers) {
  const std::optional<LaunchViolation> block = checkLaunch(h100(), {}, {.block = {64, 64, 1}});
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(block->error, cudaErrorInvalidValue);
  EXPECT_EQ(block->text, "block has 4096 threads; the limit is 1024");
  const std::optional<LaunchViolation> grid = checkLaunch(h100(), {}, {.grid = {1, 70000, 1}});
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->text, "grid dimension y is 70000; the limit is 65535");
  const LaunchShape cooperative{.grid = {1000, 1, 1}, .block = {1024, 1, 1}, .cooperative = true};
  EXPECT_EQ(checkLaunch(h100(), {}, cooperative)->error, cudaErrorCooperativeLaunchTooLarge);
}

}  // namespace
}  // namespace hostwarp::device_model
