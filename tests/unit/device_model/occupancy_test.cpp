#include "device_model/occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace hostwarp::device_model {
namespace {

constexpr size_t kib = 1024;

struct Case {
  const char *gpu;
  int registers;
  size_t staticShared;
  size_t dynamicShared;
  int blockSize;
  int blocks;
  OccupancyLimit limit;
};

class KnownOccupancy : public testing::TestWithParam<Case> {};

TEST_P(KnownOccupancy, AsNvidiasCalculator) {
  const Case &c = GetParam();
  KernelResources kernel{.registers = c.registers, .staticSharedBytes = c.staticShared};
  if (c.dynamicShared > 48 * kib) kernel.dynamicSharedOptin = c.dynamicShared;
  const Occupancy result = occupancy(*find(c.gpu), kernel, c.blockSize, c.dynamicShared);
  EXPECT_EQ(result.blocksPerSm, c.blocks);
  EXPECT_EQ(result.limit, c.limit);
}

using enum OccupancyLimit;
INSTANTIATE_TEST_SUITE_P(
    All, KnownOccupancy,
    testing::Values(
        // The programming guide's three: 768 threads give 2 blocks, 32 threads 32 blocks, 100 KiB each 2 blocks.
        Case{"b200", 16, 0, 0, 768, 2, Warps}, Case{"b200", 16, 0, 0, 32, 32, Blocks},
        Case{"b200", 16, 0, 100 * kib, 32, 2, SharedMemory},
        // Full occupancy, then the same with registers that halve it.
        Case{"h100", 32, 0, 0, 256, 8, Warps}, Case{"h100", 64, 0, 0, 256, 4, Registers},
        Case{"h100", 255, 0, 0, 256, 1, Registers}, Case{"h100", 128, 0, 0, 1024, 0, Registers},
        Case{"h100", 64, 0, 0, 1024, 1, Registers},
        // 48 KiB and the reserved 1 KiB: 228 / 49 = 4; the largest block; what Volta without a reserve holds.
        Case{"h100", 32, 48 * kib, 0, 128, 4, SharedMemory}, Case{"h100", 32, 0, 227 * kib, 128, 1, SharedMemory},
        Case{"h100", 32, 0, 228 * kib, 128, 0, SharedMemory}, Case{"v100", 32, 48 * kib, 0, 128, 2, SharedMemory},
        // Turing holds 1024 threads and 16 blocks, GA10x 1536 and 16, Ada 1536 and 24.
        Case{"t4", 32, 0, 0, 1024, 1, Warps}, Case{"t4", 32, 0, 0, 32, 16, Blocks},
        Case{"rtx3090", 32, 0, 0, 1024, 1, Warps}, Case{"rtx3090", 32, 0, 0, 512, 3, Warps},
        Case{"rtx3090", 32, 0, 0, 64, 16, Blocks}, Case{"rtx4090", 32, 0, 0, 64, 24, Warps},
        // Blocks of an odd size take whole warps; an uneven number of warps wastes registers of some schedulers.
        Case{"a100", 32, 0, 0, 33, 32, Warps}, Case{"a100", 40, 0, 0, 96, 16, Registers},
        // GP100 could hold 21 warps of 82 registers, but the other Pascals cannot.
        Case{"p100", 82, 0, 0, 645, 0, Registers}, Case{"p100", 82, 0, 0, 608, 1, Registers},
        // Tegra X1 and X2 give one block only half the registers of an SM.
        Case{"tx2", 64, 0, 0, 1024, 0, Registers}, Case{"tx2", 32, 0, 0, 1024, 2, Warps}));

// Seen on an H200: launch bounds are checked at the launch, not by the calculator.
TEST(OccupancyTest, LaunchBoundsDoNotCountButTheLimitOfABlockDoes) {
  const KernelResources kernel{.maxThreadsPerBlock = 128};
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("h200"), kernel, 256, 0), 8);
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("h100"), {}, 1025, 0), 0);
}

// Eleven warps lie in four parts of an SM, three in three of them.
TEST(OccupancyTest, BlocksOfTheMostRegistersRun) {
  EXPECT_EQ(mostRegistersPerThread(352), 168);
  EXPECT_EQ(mostRegistersPerThread(1024), 64);
  for (int threads = 1; threads <= 1024; ++threads) {
    const KernelResources most{.registers = mostRegistersPerThread(threads)};
    EXPECT_GE(maxActiveBlocksPerMultiprocessor(*find("a100"), most, threads, 0), 1) << threads;
    const KernelResources more{.registers = most.registers + 8};
    EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("a100"), more, threads, 0), 0) << threads;
  }
}

TEST(OccupancyTest, DynamicSharedMemoryAbove48KiBNeedsTheOptIn) {
  KernelResources kernel;
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("a100"), kernel, 128, 48 * kib + 1), 0);
  kernel.dynamicSharedOptin = 100 * kib;
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("a100"), kernel, 128, 100 * kib), 1);
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("a100"), kernel, 128, 100 * kib + 1), 0);
}

TEST(OccupancyTest, StaticSharedMemoryCountsTowardsTheDefaultLimit) {
  const KernelResources kernel{.staticSharedBytes = 16 * kib};
  EXPECT_EQ(dynamicSharedLimit(*find("t4"), kernel), 32 * kib);
  EXPECT_EQ(dynamicSharedOptinLimit(*find("t4"), kernel), 48 * kib);
  const KernelResources tooMuch{.staticSharedBytes = 49 * kib};
  EXPECT_FALSE(dynamicSharedLimit(*find("t4"), tooMuch).has_value());
}

TEST(OccupancyTest, TheCarveoutIsAHint) {
  KernelResources kernel{.registers = 32, .staticSharedBytes = 31 * kib, .carveoutPercent = 0};
  // Nothing preferred: the SM takes the smallest setting that holds one block.
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("h100"), kernel, 128, 0), 1);
  kernel.carveoutPercent = 25;  // 57 KiB becomes 64
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("h100"), kernel, 128, 0), 2);
  kernel.carveoutPercent = 100;
  EXPECT_EQ(maxActiveBlocksPerMultiprocessor(*find("h100"), kernel, 128, 0), 7);
}

TEST(AvailableDynamicSharedMemory, IsWhatOccupancyAccepts) {
  const Gpu &gpu = *find("a100");
  const KernelResources kernel{.staticSharedBytes = 1000, .dynamicSharedOptin = 160 * kib};
  for (int blocks : {2, 3, 5, 8}) {
    const std::optional<size_t> bytes = availableDynamicSharedMemory(gpu, kernel, blocks, 128);
    ASSERT_TRUE(bytes.has_value());
    EXPECT_GE(maxActiveBlocksPerMultiprocessor(gpu, kernel, 128, *bytes), blocks);
    EXPECT_LT(maxActiveBlocksPerMultiprocessor(gpu, kernel, 128, *bytes + 2048), blocks);
  }
}

TEST(AvailableDynamicSharedMemory, OneBlockGetsItsWholeLimit) {
  EXPECT_EQ(availableDynamicSharedMemory(*find("h100"), {}, 1, 256), 48 * kib);
  const KernelResources optedIn{.dynamicSharedOptin = 227 * kib};
  EXPECT_EQ(availableDynamicSharedMemory(*find("h100"), optedIn, 1, 256), 227 * kib);
}

TEST(AvailableDynamicSharedMemory, NothingForMoreBlocksThanFit) {
  EXPECT_FALSE(availableDynamicSharedMemory(*find("h100"), {}, 3, 1024).has_value());
  EXPECT_FALSE(availableDynamicSharedMemory(*find("h100"), {}, 0, 128).has_value());
}

TEST(Clusters, NeedHopper) {
  EXPECT_EQ(maxPotentialClusterSize(*find("a100"), {}, 256, 0), 0);
  EXPECT_EQ(maxActiveClusters(*find("a100"), {}, 2, 256, 0), 0);
}

TEST(Clusters, PortableAndNonPortableSizes) {
  KernelResources kernel;
  EXPECT_EQ(maxPotentialClusterSize(*find("h100"), kernel, 256, 0), 8);
  EXPECT_EQ(maxActiveClusters(*find("h100"), kernel, 16, 256, 0), 0);
  kernel.nonPortableClusters = true;
  EXPECT_EQ(maxPotentialClusterSize(*find("h100"), kernel, 256, 0), 16);
}

// The counts are those of an H100.
TEST(Clusters, StayWithinAGpc) {
  KernelResources kernel{.dynamicSharedOptin = 227 * kib, .nonPortableClusters = true};
  const Gpu &gpu = *find("h100");
  const struct {
    size_t shared;
    std::vector<int> clusters;
  } counted[] = {{0, {1056, 528, 327, 248, 193, 163, 139, 124, 88, 74, 65, 58}},
                 {48 * kib, {528, 264, 163, 124, 94, 79, 69, 62, 44, 37, 30, 28}},
                 {100 * kib, {264, 132, 79, 62, 47, 39, 32, 30, 21, 16, 14, 14}},
                 {200 * kib, {132, 66, 39, 30, 22, 17, 15, 15, 7, 7, 7, 7}}};
  for (const auto &[shared, clusters] : counted) {
    size_t i = 0;
    for (const int size : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16})
      EXPECT_EQ(maxActiveClusters(gpu, kernel, size, 128, shared), clusters[i++]) << size << " blocks, " << shared;
  }
  EXPECT_EQ(maxActiveClusters(*find("h200-1g18gb"), kernel, 16, 256, 200 * kib), 1);
}

// More of anything never raises the number of blocks, on any model.
TEST(OccupancyTest, IsMonotonic) {
  for (const Gpu &gpu : all())
    for (int blockSize = 32; blockSize <= 1024; blockSize += 96) {
      int before = 1 << 20;
      for (int registers = 0; registers <= 255; registers += 15) {
        const int now = maxActiveBlocksPerMultiprocessor(gpu, {.registers = registers}, blockSize, 0);
        EXPECT_LE(now, before) << gpu.id << " " << blockSize << " " << registers;
        before = now;
      }
      before = 1 << 20;
      for (size_t shared = 0; shared <= 48 * kib; shared += 3 * kib) {
        const int now = maxActiveBlocksPerMultiprocessor(gpu, {}, blockSize, shared);
        EXPECT_LE(now, before) << gpu.id << " " << blockSize << " " << shared;
        before = now;
      }
    }
}

}  // namespace
}  // namespace hostwarp::device_model
