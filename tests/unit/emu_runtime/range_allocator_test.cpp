#include "emu_runtime/memory/range_allocator.h"

#include <gtest/gtest.h>

#include <vector>

namespace hostwarp::memory {
namespace {

constexpr uintptr_t base = 1 << 20;

TEST(RangeAllocator, AlignsAndRefusesWhenFull) {
  RangeAllocator ranges(base, 4096);
  EXPECT_EQ(ranges.take(100, 256), base);
  EXPECT_EQ(ranges.take(100, 256), base + 256);
  EXPECT_EQ(ranges.take(4096, 1), 0U);
}

TEST(RangeAllocator, ReusesAddressesAsLateAsPossible) {
  RangeAllocator ranges(base, 4096);
  const uintptr_t first = ranges.take(1024, 1024);
  ranges.give(first, 1024);
  EXPECT_EQ(ranges.take(1024, 1024), base + 1024);
  EXPECT_EQ(ranges.take(1024, 1024), base + 2048);
  EXPECT_EQ(ranges.take(1024, 1024), base + 3072);
  EXPECT_EQ(ranges.take(1024, 1024), first);
  EXPECT_EQ(ranges.take(1, 1), 0U);
}

TEST(RangeAllocator, MergesNeighbours) {
  RangeAllocator ranges(base, 4096);
  std::vector<uintptr_t> pieces;
  for (int i = 0; i < 4; ++i) pieces.push_back(ranges.take(1024, 1));
  for (int i : {1, 3, 0, 2}) ranges.give(pieces[static_cast<size_t>(i)], 1024);
  EXPECT_EQ(ranges.take(4096, 1), base);
}

TEST(RangeAllocator, KeepsTheGapThatAlignmentLeaves) {
  RangeAllocator ranges(base + 16, 4096);
  EXPECT_EQ(ranges.take(256, 1024), base + 1024);
  EXPECT_EQ(ranges.take(3000, 1), 0U);
  EXPECT_EQ(ranges.take(1008, 1), base + 1280);
  EXPECT_EQ(ranges.take(1008, 16), base + 2288);
}

TEST(RangeAllocator, AlignsWhatComesBehindTheLead) {
  RangeAllocator ranges(0x10000, 0x10000);
  EXPECT_EQ(ranges.take(0x1000, 0x1000, 0x800), 0x10800u);
  EXPECT_EQ(ranges.take(0x100, 0x4000, 0x10), 0x13ff0u);
  EXPECT_EQ(ranges.take(0x10000, 0x100, 0x10), 0u);
}

}  // namespace
}  // namespace hostwarp::memory
