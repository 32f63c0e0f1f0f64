// The parts of the race detector by themselves; what it finds in kernels stands in tests/check.
#include <gtest/gtest.h>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/clock.h"
#include "emu_runtime/check/shadow_memory.h"
#include "emu_runtime/check/sync_locations.h"

namespace hostwarp::check {
namespace {

constexpr hw_access_site site{nullptr, 0};

BlockState makeBlock(uint64_t linear, uint32_t threads) {
  hw_thread prototype{};
  BlockState block;
  block.begin({.launch = 1,
               .kernelName = "k",
               .linear = linear,
               .cluster = linear,
               .threads = threads,
               .prototype = &prototype},
              0);
  return block;
}

AccessRecord recordOf(uint64_t block, uint32_t warp, Time time) {
  return {.site = &site,
          .block = block,
          .cluster = block,
          .time = time,
          .launch = 0,
          .warp = warp,
          .gridPhase = 0,
          .clusterPhase = 0,
          .traits = HW_ACCESS_WRITES,
          .lock = {}};
}

fibers::ThreadSet lanesOf(uint32_t warp, uint32_t lanes) {
  fibers::ThreadSet set;
  set.lanes[warp] = lanes;
  return set;
}

TEST(Clock, KnowsThreadsWarpsAndBlocks) {
  Clock clock;
  clock.raiseThread(3, 40, 5);
  clock.raiseWarp(3, 1, 2);
  clock.raiseBlock(4, 7);
  EXPECT_EQ(clock.of(3, 40), 5u);
  EXPECT_EQ(clock.of(3, 41), 2u);
  EXPECT_EQ(clock.of(3, 0), 0u);
  EXPECT_EQ(clock.of(4, 1023), 7u);
  EXPECT_EQ(clock.of(5, 0), 0u);
}

TEST(Clock, JoinTakesTheLaterAndLeavesTheOther) {
  Clock one, two;
  one.raiseThread(0, 1, 4);
  two.raiseThread(0, 1, 9);
  two.raiseThread(2, 0, 1);
  one.join(two);
  EXPECT_EQ(one.of(0, 1), 9u);
  EXPECT_EQ(one.of(2, 0), 1u);
  one.raiseThread(2, 0, 8);
  EXPECT_EQ(two.of(2, 0), 1u);
  one.forget(0);
  EXPECT_EQ(one.of(0, 1), 0u);
  one.forget(2);
  EXPECT_TRUE(one.empty());
}

TEST(AccessHistory, SetsThatAreMadeAlikeAreOne) {
  AccessHistory history;
  Accesses accesses[3];
  for (uint32_t i = 0; i < 3; ++i) accesses[i] = {.id = history.add(recordOf(i, 0, 1)), .isSet = 0, .lanes = 1};
  const Accesses both = history.with(accesses[0], accesses[1]);
  EXPECT_EQ(history.with(accesses[0], accesses[1]), both);
  EXPECT_NE(history.with(accesses[1], accesses[0]), both);
  const Accesses all = history.with(both, accesses[2]);
  EXPECT_EQ(history.size(all), 3u);
  EXPECT_EQ(history.last(all), accesses[2]);
  EXPECT_EQ(history.before(all), both);
  uint64_t blocks = 0;
  history.forEach(all, [&](Accesses each) { return blocks = blocks * 10 + history.record(each.id).block, true; });
  EXPECT_EQ(blocks, 210u);
}

TEST(ShadowRegion, CellsBecomeBytesWhenOneIsTouched) {
  ShadowRegion region;
  region.cover(0x1000, 64);
  const auto count = [&](uintptr_t address, size_t bytes) {
    size_t cells = 0;
    region.forEachCell(address, bytes, [&](Cell &) { ++cells; });
    return cells;
  };
  EXPECT_EQ(count(0x1000, 16), 4u);
  region.forEachCell(0x1004, 4, [](Cell &cell) { cell.write.id = 7; });
  EXPECT_EQ(count(0x1003, 2), 2u);
  EXPECT_EQ(count(0x1000, 16), 16u);
  for (uintptr_t byte = 0x1004; byte < 0x1008; ++byte)
    region.forEachCell(byte, 1, [](Cell &cell) { EXPECT_EQ(cell.write.id, 7u); });
}

TEST(ShadowMemory, ForgetsAllAtOnceAndRangesAcrossPages) {
  ShadowMemory memory;
  const auto mark = [&] { memory.forEachCell(0xffc, 8, [](Cell &cell) { cell.write.id = 1; }); };
  const auto marked = [&] {
    size_t cells = 0;
    memory.forEachCell(0xff8, 16, [&](Cell &cell) { cells += cell.write.id == 1; });
    return cells;
  };
  mark();
  EXPECT_EQ(marked(), 2u);
  memory.forget(0x1000, 4);
  EXPECT_EQ(marked(), 1u);
  memory.clear();
  EXPECT_EQ(marked(), 0u);
}

TEST(BlockState, BarriersOrderThoseThatTakePart) {
  BlockState block = makeBlock(0, 64);
  const AccessRecord before = recordOf(0, 0, block.thread(5).now);
  EXPECT_EQ(block.unordered(before, 1u << 5, 40), 1u << 5);
  EXPECT_EQ(block.unordered(before, 1u << 5, 5), 0u);
  block.lanesMeet(0, ~0u, true);
  EXPECT_EQ(block.unordered(before, 1u << 5, 6), 0u);
  EXPECT_EQ(block.unordered(before, 1u << 5, 40), 1u << 5);
  fibers::ThreadSet all = lanesOf(0, ~0u);
  all.lanes[1] = ~0u;
  block.barrierOpens(0, all, true);
  EXPECT_EQ(block.unordered(before, 1u << 5, 40), 0u);
  EXPECT_EQ(block.unordered(recordOf(0, 0, block.thread(5).now), 1u << 5, 40), 1u << 5);
}

TEST(BlockState, APartOfTheWarpOrdersItselfOnly) {
  BlockState block = makeBlock(0, 32);
  const AccessRecord before = recordOf(0, 0, 1);
  block.lanesMeet(0, 0xff, false);
  EXPECT_EQ(block.unordered(before, 0x101, 1), 0x100u);
  EXPECT_EQ(block.unordered(before, 0x101, 9), 0x101u);
}

TEST(BlockState, WhatAThreadDidThatLeftIsNotOrdered) {
  BlockState block = makeBlock(0, 32);
  const AccessRecord before = recordOf(0, 0, 1);
  block.threadEnds(3);
  block.lanesMeet(0, ~8u, true);
  EXPECT_EQ(block.unordered(before, 0xf, 4), 8u);
}

TEST(SyncLocations, FencesAndAtomicAccessesHandOnWhatIsKnown) {
  constexpr uint32_t update = HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC;
  constexpr uint32_t fence = HW_ACCESS_ATOMIC | HW_ACCESS_ACQUIRES | HW_ACCESS_RELEASES;
  BlockState one = makeBlock(0, 1), two = makeBlock(1, 1);
  const AccessRecord before = recordOf(0, 0, one.thread(0).now);
  SyncLocations locations;
  SyncLocations::fence(one, 0, fence);
  locations.access(one, 0, 0x40, update, true);
  locations.access(two, 0, 0x40, update, true);
  EXPECT_EQ(two.unordered(before, 1, 0), 1u);
  EXPECT_TRUE(locations.wasTold(two.thread(0), before, 1));
  SyncLocations::fence(two, 0, fence);
  EXPECT_EQ(two.unordered(before, 1, 0), 0u);
  EXPECT_EQ(two.unordered(recordOf(0, 0, one.thread(0).now), 1, 0), 1u);
}

TEST(SyncLocations, ScopesOfTheBlockEndThere) {
  constexpr uint32_t update = HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC;
  constexpr uint32_t narrow = HW_ACCESS_ATOMIC | HW_ACCESS_ACQUIRES | HW_ACCESS_RELEASES | HW_ACCESS_IN_BLOCK;
  BlockState one = makeBlock(0, 33), two = makeBlock(1, 1);
  const AccessRecord before = recordOf(0, 0, one.thread(0).now);
  SyncLocations locations;
  SyncLocations::fence(one, 0, narrow);
  locations.access(one, 0, 0x40, update, true);
  for (BlockState *block : {&one, &two}) {
    const uint32_t thread = block == &one ? 32 : 0;
    locations.access(*block, thread, 0x40, update, true);
    SyncLocations::fence(*block, thread, narrow & ~uint32_t{HW_ACCESS_IN_BLOCK});
    EXPECT_EQ(block->unordered(before, 1, thread), block == &one ? 0u : 1u);
  }
}

}  // namespace
}  // namespace hostwarp::check
