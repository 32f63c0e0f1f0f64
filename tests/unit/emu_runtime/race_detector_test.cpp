// The parts of the race detector by themselves; what it finds in kernels stands in tests/check.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "emu_runtime/check/access_history.h"
#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/clock.h"
#include "emu_runtime/check/lane_pass.h"
#include "emu_runtime/check/shadow_memory.h"
#include "emu_runtime/check/sync_locations.h"

namespace hostwarp::check {
namespace {

constexpr hw_access_site site{nullptr, 0, 0, nullptr, nullptr};

struct Block : BlockState {
  Block(uint64_t linear, uint32_t threads) {
    hw_thread prototype{};
    begin({.launch = 1,
           .kernelName = "k",
           .linear = linear,
           .cluster = linear,
           .threads = threads,
           .prototype = &prototype,
           .followed = nullptr},
          0);
  }
};

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
          .bytes = 4,
          .lock = {},
          .flight = {}};
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

TEST(Clock, IsShortenedWhereAllThreadsHaveTheSame) {
  for (const bool isSame : {true, false}) {
    Clock clock;
    for (uint32_t thread = 0; thread < 64; ++thread) clock.raiseThread(1, thread, isSame || thread != 40 ? 5 : 6);
    clock.raiseThread(2, 0, 3);
    clock.shorten(1, 64);
    for (const uint32_t thread : {0u, 40u, 63u}) EXPECT_EQ(clock.of(1, thread), isSame || thread != 40 ? 5u : 6u);
    EXPECT_EQ(clock.of(1, 64), isSame ? 5u : 0u);
    EXPECT_EQ(clock.of(2, 0), 3u);
  }
}

// Wherever the loader has put them: the numbers of places decide which of them share a slot.
TEST(BlockState, PlacesThatFollowEachOtherKeepTheirRecords) {
  constexpr uint32_t places = 16;
  std::vector<hw_access_site> program(places * 9);
  AccessHistory history;
  Block block{0, 32};
  const auto records = [&] {
    std::vector<uint32_t> ids;
    for (uint32_t place = 0; place < places; ++place) {
      hw_access_site &site = program[place * 9];
      site.number = 1000 + place;
      ids.push_back(block.record(history, 0, HW_ACCESS_READS, &site, 4).id);
    }
    return ids;
  };
  const std::vector<uint32_t> first = records();
  EXPECT_EQ(records(), first);
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

// rowOf() begins at address 0.
Accesses rowOf(uint32_t id, uint32_t first, uint32_t bytes) {
  return {.id = id, .isSet = 0, .lanes = Row(first, 0, bytes).code()};
}

TEST(ShadowRegion, CellsBecomeBytesWhenOneIsTouched) {
  AccessHistory history;
  ShadowRegion region;
  region.cover(history, 0x1000, 64);
  const auto count = [&](uintptr_t address, size_t bytes) {
    size_t cells = 0;
    region.forEachCell(address, bytes, [&](Cell &, uintptr_t) { ++cells; });
    return cells;
  };
  EXPECT_EQ(count(0x1000, 16), 4u);
  region.forEachCell(0x1004, 4, [](Cell &cell, uintptr_t) { cell.write.id = 7; });
  EXPECT_EQ(count(0x1003, 2), 2u);
  EXPECT_EQ(count(0x1000, 16), 16u);
  EXPECT_EQ(count(0x1020, 32), 8u);  // the next chunk has not been touched so
  for (uintptr_t byte = 0x1004; byte < 0x1008; ++byte)
    region.forEachCell(byte, 1, [](Cell &cell, uintptr_t) { EXPECT_EQ(cell.write.id, 7u); });
}

TEST(ShadowRegion, RowsFallApartIntoTheirLanes) {
  AccessHistory history;
  const uint32_t one = history.add(recordOf(0, 0, 1)), two = history.add(recordOf(0, 1, 1));
  ShadowRegion region;
  region.cover(history, 0, 64);
  Cell &whole = region.chunkAt(0).whole();
  whole.write = rowOf(one, 8, 4);
  // Both halves of a warp have read the row, and another warp by twos.
  whole.others = history.with(history.with(rowOf(one, 0, 4), rowOf(one, 16, 4)), rowOf(two, 34, 8));
  uint32_t visited = 0;
  region.forEachCell(0, 32, [&](Cell &cell, uintptr_t at) {
    const auto i = static_cast<uint32_t>(at / 4);
    EXPECT_EQ(cell.write, (Accesses{.id = one, .isSet = 0, .lanes = 1u << (8 + i)}));
    EXPECT_EQ(history.size(cell.others), 2u);
    EXPECT_EQ(history.last(cell.others), (Accesses{.id = two, .isSet = 0, .lanes = 1u << (2 + i / 2)}));
    EXPECT_EQ(history.before(cell.others), (Accesses{.id = one, .isSet = 0, .lanes = 1u << i | 1u << (16 + i)}));
    ++visited;
  });
  EXPECT_EQ(visited, 8u);
  region.join(region.chunkAt(0));
  EXPECT_TRUE(region.chunkAt(0).isOne());
  EXPECT_TRUE(region.chunkAt(0).whole().write.none());
}

TEST(Row, IsTheSameWhereverOneLooksAtIt) {
  const Row row(40, 0x1010, 8);
  EXPECT_EQ(row.threadAt(0x1010), 40u);
  EXPECT_EQ(row.threadAt(0x1017), 40u);
  EXPECT_EQ(row.threadAt(0x1008), 39u);
  EXPECT_EQ(Row(42, 0x1020, 8).code(), row.code());
  EXPECT_EQ(row.bytes(), 8u);
  EXPECT_TRUE(row.isWhole() && row.part(0, 32).isWhole() && !row.part(0, 24).isWhole());
  EXPECT_TRUE(row.part(8, 16).covers(8) && row.part(8, 16).covers(15));
  EXPECT_FALSE(row.part(8, 16).covers(7) || row.part(8, 16).covers(16));
  EXPECT_TRUE(row.part(8, 16).isLike(row) && !row.isLike(Row(41, 0x1010, 8)) && !row.isLike(Row(40, 0x1010, 4)));
  EXPECT_TRUE(row.part(8, 16).joins(row.part(16, 24)) && row.part(16, 24).joins(row.part(8, 16)));
  EXPECT_FALSE(row.part(0, 8).joins(row.part(16, 24)));
  EXPECT_EQ(row.part(0, 8).with(row.part(8, 32)).code(), row.code());
}

TEST(Row, IsApartWhereNoWarpHasThreadsOfBoth) {
  EXPECT_TRUE(Row::areApart(Row(0, 0, 4), Row(32, 0, 4)));
  EXPECT_TRUE(Row::areApart(Row(990, 0, 4), Row(0, 0, 4)));
  EXPECT_FALSE(Row::areApart(Row(1, 0, 4), Row(32, 0, 4)));
  EXPECT_FALSE(Row::areApart(Row(5, 0, 4), Row(5, 0, 4)));
  EXPECT_FALSE(Row::areApart(Row(0, 0, 4), Row(64, 0, 8)));
}

// A block's row goes over from one warp to the next, and may end in a chunk.
TEST(ShadowRegion, RowsOfBlocksFallApartIntoLanesOfWarps) {
  AccessHistory history;
  AccessRecord record = recordOf(0, 0, 1);
  record.isOfBlock = true;
  const uint32_t id = history.add(record);
  ShadowRegion region;
  region.cover(history, 0x1000, 64);
  region.chunkAt(0x1020).whole().write = {.id = id, .isSet = 0, .lanes = Row(30, 0x1020, 4).part(0, 16).code()};
  std::vector<Accesses> writes;
  region.forEachCell(0x1020, 32, [&](const Cell &cell, uintptr_t) { writes.push_back(cell.write); });
  ASSERT_EQ(writes.size(), 8u);
  EXPECT_EQ(writes[1], (Accesses{.id = id, .isSet = 0, .lanes = 1u << 31}));
  EXPECT_EQ(writes[2], (Accesses{.id = id + 1, .isSet = 0, .lanes = 1}));
  EXPECT_EQ(history.record(writes[2].id).warp, 1u);
  EXPECT_TRUE(writes[4].none() && writes[7].none());
}

TEST(BlockState, ThreadsThatAreAlikeHaveOneRecord) {
  AccessHistory history;
  Block block{0, 128};
  const uint32_t row = block.rowRecord(history, HW_ACCESS_READS, &site, 4).id;
  EXPECT_EQ(block.record(history, 70, HW_ACCESS_READS, &site, 4).id, row + 2);
  EXPECT_EQ(block.record(history, 0, HW_ACCESS_READS, &site, 4).id, row);
  EXPECT_NE(block.record(history, 0, HW_ACCESS_WRITES, &site, 4).id / Accesses::kWarps, row / Accesses::kWarps);
  block.thread(3);  // now they may differ
  const uint32_t warp = block.record(history, 40, HW_ACCESS_WRITES, &site, 4).id;
  EXPECT_NE(warp / Accesses::kWarps, row / Accesses::kWarps);
  EXPECT_EQ(history.record(warp).warp, 1u);
}

TEST(ShadowRegion, RowsOfBytesFallApartIntoBytes) {
  AccessHistory history;
  const uint32_t id = history.add(recordOf(0, 0, 1));
  ShadowRegion region;
  region.cover(history, 0, 32);
  region.chunkAt(0).whole().write = rowOf(id, 0, 1);
  uint32_t lanes = 0;
  region.forEachCell(4, 4, [&](Cell &cell, uintptr_t) { lanes |= cell.write.lanes; });
  EXPECT_EQ(lanes, 0xf0u);
}

TEST(ShadowRegion, AnotherBlocksChunksBeginAsTheyWere) {
  AccessHistory history;
  ShadowRegion region;
  region.cover(history, 0, 64);
  region.chunkAt(0).whole().write = rowOf(history.add(recordOf(0, 0, 1)), 0, 4);
  region.forEachCell(36, 4, [](Cell &cell, uintptr_t) { cell.write.id = 7; });
  region.coverAlike(history, 0x1000, 64);
  EXPECT_TRUE(region.covers(0x1000) && !region.covers(0));
  EXPECT_TRUE(region.chunkAt(0x1000).isOne());
  EXPECT_FALSE(region.chunkAt(0x1020).isOne());
  region.forEachCell(0x1000, 64,
                     [](const Cell &cell, uintptr_t) { EXPECT_TRUE(cell.write.none() && cell.others.none()); });
  region.coverAlike(history, 0x1000, 96);
  EXPECT_TRUE(region.chunkAt(0x1020).isOne());
}

TEST(ShadowMemory, ForgetsAllAtOnceAndRangesAcrossPages) {
  ShadowMemory memory;
  const auto visit = [&](uintptr_t address, auto each) {
    memory.regionOf(address, false, {}).forEachCell(address, 4, [&](Cell &cell, uintptr_t) { each(cell); });
  };
  const auto mark = [&] {
    for (const uintptr_t address : {0xffcu, 0x1000u}) visit(address, [](Cell &cell) { cell.write.id = 1; });
  };
  const auto marked = [&] {
    size_t cells = 0;
    for (uintptr_t address = 0xff8; address < 0x1008; address += 4)
      visit(address, [&](Cell &cell) { cells += cell.write.id == 1; });
    return cells;
  };
  mark();
  EXPECT_EQ(marked(), 2u);
  memory.forget(0x1000, 4);
  EXPECT_EQ(marked(), 1u);
  mark();
  memory.forget(0xffc, 4100);
  EXPECT_EQ(marked(), 0u);
  mark();
  memory.clear();
  EXPECT_EQ(marked(), 0u);
}

// ReadsPutOff has reads of memory in which nobody has written.
class ReadsPutOff : public testing::Test {
 protected:
  uint32_t record(uint64_t block, uint32_t traits = HW_ACCESS_READS) {
    AccessRecord record = recordOf(block, 0, 1);
    record.traits = traits;
    return memory_.history().add(record);
  }
  // readers() is who has read the 4 bytes, once somebody writes to the page.
  std::vector<Accesses> readers(uintptr_t address) {
    std::vector<Accesses> readers;
    memory_.regionOf(address, true, {}).forEachCell(address, 4, [&](const Cell &cell, uintptr_t) {
      memory_.history().forEach(cell.others, [&](Accesses each) { return readers.push_back(each), true; });
    });
    return readers;
  }
  bool putOff(uintptr_t address, uint64_t bytes, uint32_t record, uint32_t lane) {
    return memory_.putOff(address, bytes, 0, record, 1u << lane);
  }
  static Accesses lanes(uint32_t id, uint32_t lanes) { return {.id = id, .isSet = 0, .lanes = lanes}; }

  ShadowMemory memory_;
};

TEST_F(ReadsPutOff, AreThereForWhoWrites) {
  const uint32_t one = record(0), other = record(1);
  EXPECT_TRUE(putOff(0x1010, 4, one, 3) && putOff(0x1010, 4, one, 5));
  EXPECT_TRUE(putOff(0x100c, 8, other, 0) && putOff(0x2010, 4, other, 1));
  EXPECT_EQ(readers(0x1010), (std::vector{lanes(other, 1), lanes(one, 1u << 3 | 1u << 5)}));
  EXPECT_EQ(readers(0x100c), (std::vector{lanes(other, 1)}));
  EXPECT_FALSE(putOff(0x1010, 4, one, 3));  // somebody writes here
  EXPECT_TRUE(putOff(0x2010, 4, one, 3));
  EXPECT_EQ(readers(0x2010).size(), 2u);
}

TEST_F(ReadsPutOff, EndWithTheirEpochAndWithTheMemory) {
  const uint32_t one = record(0);
  EXPECT_TRUE(putOff(0x1010, 4, one, 0) && putOff(0x2010, 4, one, 0) && putOff(0x2020, 4, one, 0));
  memory_.forget(0x1000, 0x1000);
  memory_.forget(0x2010, 4);
  EXPECT_TRUE(readers(0x1010).empty() && readers(0x2010).empty());
  EXPECT_EQ(readers(0x2020).size(), 1u);
  memory_.beginEpoch();
  EXPECT_TRUE(putOff(0x1010, 4, one, 0));  // what was written is over
  memory_.beginEpoch();
  EXPECT_TRUE(readers(0x1010).empty());
}

TEST_F(ReadsPutOff, AreNotForTwoPages) {
  EXPECT_FALSE(putOff(0x1ffe, 4, record(0), 0));
  EXPECT_TRUE(putOff(0x1ffc, 4, record(0), 0));
}

TEST_F(ReadsPutOff, OfLanesWithAStrideAreOne) {
  const uint32_t one = record(0);
  EXPECT_TRUE(memory_.putOff(0x1010, 4, 8, one, 0b10110));
  EXPECT_EQ(readers(0x1010), (std::vector{lanes(one, 1u << 1)}));
  EXPECT_EQ(readers(0x1018), (std::vector{lanes(one, 1u << 2)}));
  EXPECT_EQ(readers(0x1028), (std::vector{lanes(one, 1u << 4)}));
  EXPECT_TRUE(readers(0x1014).empty() && readers(0x1020).empty());
  EXPECT_FALSE(memory_.putOff(0x2f10, 4, 8, one, ~0u));  // the last one's lies in another page
  EXPECT_TRUE(memory_.putOff(0x2f00, 8, 8, one, ~0u));
}

TEST_F(ReadsPutOff, TwoBlocksAreEnoughWhereAllComeToTheBarrier) {
  for (const int traits : {0, HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES}) {
    const uintptr_t place = traits == 0 ? 0x1000 : 0x2000;
    for (uint64_t block = 0; block < 4; ++block)
      EXPECT_TRUE(putOff(place, 4, record(block, HW_ACCESS_READS | static_cast<uint32_t>(traits)), 0));
    EXPECT_EQ(readers(place).size(), traits == 0 ? 4u : 2u);
  }
}

// Quick makes passes of warps of one block over a region of 64 bytes.
class Quick : public testing::Test {
 protected:
  Quick() { region_.cover(history_, 0, 64); }

  uint32_t record(uint32_t warp, uint32_t traits) {
    AccessRecord record = recordOf(0, warp, block_.seen(0).now);
    record.traits = traits;
    const uint32_t id = history_.add(record);
    recent_[id] = {.site = &site,
                   .time = record.time,
                   .traits = traits,
                   .id = id,
                   .lock = {},
                   .flight = {},
                   .others = {},
                   .rows = {},
                   .trail = {}};
    return id;
  }
  // note() is for a row of the warp's lanes from this one on, of 4 bytes each, from the first to the last but one.
  bool note(uint32_t warp, uint32_t id, uint32_t lane, size_t from = 0, size_t to = 32) {
    LanePass pass(block_, history_, {}, warp, recent_[id], recent_[id].rows);
    const Row row = Row(warp * 32 + lane, from, 4).part(from, to);
    Chunk &chunk = region_.chunkAt(0);
    if (chunk.isOne()) return pass.note(chunk.whole(), row);
    bool areOver = pass.isPlainWrite();
    LanePass lanes(block_, history_, {}, warp, recent_[id], recent_[id].others);
    region_.forEachCell(chunk, [&](const Cell &cell, size_t offset) {
      return areOver = areOver && lanes.areOver(cell, 1u << row.threadAt(offset) % 32);
    });
    if (areOver) pass.write(region_, chunk, row);
    return areOver;
  }
  bool noteCell(uint32_t warp, uint32_t id, uintptr_t address, uint32_t lanes) {
    bool isNoted = true;
    region_.forEachCell(address, 4, [&](Cell &cell, uintptr_t) {
      isNoted = LanePass(block_, history_, {}, warp, recent_[id], recent_[id].others).note(cell, lanes) && isNoted;
    });
    return isNoted;
  }
  Accesses others() { return region_.chunkAt(0).whole().others; }
  void passBarrier() {
    fibers::ThreadSet all = lanesOf(0, ~0u);
    for (uint32_t warp = 1; warp < 4; ++warp) all.lanes[warp] = ~0u;
    block_.barrierOpens(0, all, true);
  }

  static constexpr uint32_t reads = HW_ACCESS_READS, writes = HW_ACCESS_WRITES;
  AccessHistory history_;
  std::map<uint32_t, RecentRecord> recent_;
  Block block_{0, 128};
  ShadowRegion region_;
};

TEST_F(Quick, RowsThatBarriersOrderReplaceOneAnother) {
  const uint32_t first = record(0, writes);
  EXPECT_TRUE(note(0, first, 0));
  EXPECT_TRUE(note(0, first, 0));
  EXPECT_FALSE(note(1, record(1, reads), 0));   // of another warp, and nothing between
  EXPECT_FALSE(note(0, record(0, reads), 16));  // of other lanes
  EXPECT_TRUE(note(0, record(0, reads), 0));    // the lanes' own
  passBarrier();
  const uint32_t second = record(1, writes);
  EXPECT_TRUE(note(1, second, 0));
  EXPECT_EQ(region_.chunkAt(0).whole().write, rowOf(second, 32, 4));
  EXPECT_TRUE(region_.chunkAt(0).whole().others.none());
}

TEST_F(Quick, AWriteOfAllJoinsWhatHasFallenApart) {
  EXPECT_TRUE(noteCell(0, record(0, reads), 4, ~0u));
  EXPECT_FALSE(region_.chunkAt(0).isOne());
  EXPECT_FALSE(note(0, record(0, writes), 0));  // other lanes have read it
  passBarrier();
  EXPECT_TRUE(note(0, record(0, writes), 0));
  EXPECT_TRUE(region_.chunkAt(0).isOne());
}

TEST_F(Quick, ReadersOfTwoWarpsAreEnoughWhereOnlyBarriersOrder) {
  const auto readers = [&](uint32_t traits) {
    for (uint32_t warp = 0; warp < 4; ++warp) EXPECT_TRUE(note(warp, record(warp, reads | traits), 0));
    return history_.size(region_.chunkAt(0).whole().others);
  };
  EXPECT_EQ(readers(0), 4u);
  passBarrier();
  EXPECT_EQ(readers(HW_ACCESS_ONLY_BARRIERS), 4u);  // one may leave before the barrier
  passBarrier();
  EXPECT_EQ(readers(HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES), 2u);
  for (uint32_t warp = 0; warp < 4; ++warp) EXPECT_FALSE(note(warp, record(warp, writes), 0));
}

TEST_F(Quick, PartsOfARowJoin) {
  const uint32_t first = record(0, reads), second = record(1, reads);
  EXPECT_TRUE(note(0, first, 29, 0, 12));
  EXPECT_TRUE(note(0, first, 29, 0, 12));
  EXPECT_EQ(history_.size(others()), 1u);
  EXPECT_TRUE(note(1, second, 0, 12, 32));
  EXPECT_EQ(history_.size(others()), 2u);
  passBarrier();
  const uint32_t mine = record(0, writes);
  EXPECT_TRUE(note(0, mine, 0, 0, 8));
  EXPECT_FALSE(note(0, mine, 4, 16, 24));  // a hole between
  EXPECT_TRUE(note(0, mine, 2, 8, 16));
  EXPECT_TRUE(note(0, mine, 4, 16, 32));
  EXPECT_EQ(region_.chunkAt(0).whole().write, rowOf(mine, 0, 4));
}

TEST_F(Quick, APartLeavesWhatOthersDidToTheRest) {
  EXPECT_TRUE(note(0, record(0, writes), 0));
  EXPECT_FALSE(note(0, record(0, writes), 0, 0, 16));  // the rest was written by the first
  EXPECT_TRUE(note(0, record(0, reads), 0));
  EXPECT_TRUE(note(0, record(0, reads), 0, 0, 16));
  EXPECT_EQ(history_.size(others()), 2u);
  EXPECT_TRUE(note(0, record(0, reads), 0));  // all of it again
  EXPECT_EQ(history_.size(others()), 1u);
}

TEST_F(Quick, PartsAreNotEnough) {
  constexpr uint32_t traits = reads | HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES;
  EXPECT_TRUE(note(0, record(0, traits), 0, 0, 16) && note(1, record(1, traits), 0, 16, 32));
  EXPECT_TRUE(note(2, record(2, traits), 0));
  EXPECT_TRUE(note(3, record(3, traits), 0));
  EXPECT_EQ(history_.size(others()), 4u);
  EXPECT_TRUE(note(0, record(0, traits), 0));
  EXPECT_EQ(history_.size(others()), 4u);
}

TEST_F(Quick, ReadsByTurnsAtTwoPlacesAreTwo) {
  const uint32_t one = record(0, reads), other = record(0, reads);
  EXPECT_TRUE(noteCell(0, one, 8, 1u << 3));
  for (int turn = 0; turn < 5; ++turn) EXPECT_TRUE(noteCell(0, other, 8, 1u << 4) && noteCell(0, one, 8, 1u << 3));
  const uint32_t update = record(1, reads | writes | HW_ACCESS_ATOMIC);
  region_.forEachCell(8, 4, [&](Cell &cell, uintptr_t) {
    EXPECT_EQ(history_.size(cell.others), 2u);
    cell.others = history_.with(cell.others, {.id = update, .isSet = 0, .lanes = 1});
  });
  EXPECT_FALSE(noteCell(0, other, 8, 1u << 4));  // the update has not been looked at
}

TEST(AccessHistory, NumbersTellWhatIsPast) {
  AccessHistory history;
  EXPECT_TRUE(Past{}.holds({}));
  const Accesses one{.id = history.add(recordOf(0, 0, 1)), .isSet = 0, .lanes = 1};
  const Accesses two{.id = history.add(recordOf(0, 1, 1)), .isSet = 0, .lanes = 1};
  const Accesses both = history.with(one, two);
  const Past past = history.allUntilNow();
  const Accesses three{.id = history.add(recordOf(0, 2, 1)), .isSet = 0, .lanes = 1};
  for (const Accesses &old : {one, two, both}) EXPECT_TRUE(past.holds(old));
  for (const Accesses &later : {three, history.with(both, three)}) EXPECT_FALSE(past.holds(later));
  const uint64_t number = history.number();
  history.clear();
  EXPECT_NE(history.number(), number);
  EXPECT_EQ(history.allUntilNow().records, Accesses::kWarps);
}

TEST(BlockState, BarriersOfAllMakeThePast) {
  Block block{0, 64};
  AccessHistory &history = block.shared().history();
  const auto isPast = [&](uint32_t id) { return block.sharedPast().holds({.id = id, .isSet = 0, .lanes = 1}); };
  const uint32_t first = block.record(history, 0, HW_ACCESS_READS, &site, 4).id;
  EXPECT_FALSE(isPast(first));
  fibers::ThreadSet all = lanesOf(0, ~0u);
  all.lanes[1] = ~0u;
  block.barrierOpens(0, all, true);
  EXPECT_TRUE(isPast(first));
  const uint32_t second = block.record(history, 0, HW_ACCESS_READS, &site, 4).id;
  block.threadEnds(40);
  block.barrierOpens(0, all, true);  // what the one that has left did is not ordered
  EXPECT_TRUE(isPast(first));
  EXPECT_FALSE(isPast(second));
}

TEST(BlockState, BarriersOrderThoseThatTakePart) {
  Block block{0, 64};
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
  Block block{0, 32};
  const AccessRecord before = recordOf(0, 0, 1);
  block.lanesMeet(0, 0xff, false);
  EXPECT_EQ(block.unordered(before, 0x101, 1), 0x100u);
  EXPECT_EQ(block.unordered(before, 0x101, 9), 0x101u);
}

TEST(BlockState, WhatAThreadDidThatLeftIsNotOrdered) {
  Block block{0, 32};
  const AccessRecord before = recordOf(0, 0, 1);
  block.threadEnds(3);
  block.lanesMeet(0, ~8u, true);
  EXPECT_EQ(block.unordered(before, 0xf, 4), 8u);
}

TEST(SyncLocations, FencesAndAtomicAccessesHandOnWhatIsKnown) {
  constexpr uint32_t update = HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC;
  constexpr uint32_t fence = HW_ACCESS_ATOMIC | HW_ACCESS_ACQUIRES | HW_ACCESS_RELEASES;
  Block one{0, 1}, two{1, 1};
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
  Block one{0, 33}, two{1, 1};
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

TEST(SyncLocations, SequentialFencesHaveOneOrder) {
  constexpr uint32_t update = HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC;
  constexpr uint32_t fence = HW_ACCESS_ATOMIC | HW_ACCESS_ACQUIRES | HW_ACCESS_RELEASES;
  for (const uint32_t kind : {uint32_t{HW_ACCESS_SEQUENTIAL}, uint32_t{0}}) {
    Block one{0, 64}, two{1, 32};
    const AccessRecord before = recordOf(0, 1, one.thread(33).now);
    SyncLocations locations;
    SyncLocations::fence(one, 33, fence | kind);
    one.barrierOpens(0, {}, true);
    const AccessRecord behind = recordOf(0, 1, one.thread(33).now);
    locations.access(one, 0, 0x40, update, true);
    locations.access(two, 0, 0x40, update, true);
    two.lanesExchange(0, 3);
    SyncLocations::fence(two, 1, fence | HW_ACCESS_SEQUENTIAL);
    EXPECT_EQ(two.unordered(before, 2, 1), kind != 0 ? 0u : 2u);
    EXPECT_EQ(two.unordered(behind, 2, 1), 2u);
  }
}

TEST(SyncLocations, PlacesTakenOneAfterTheOtherAreNoLock) {
  constexpr uint32_t swap = HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC | HW_ACCESS_COMPARES;
  constexpr uint32_t store = HW_ACCESS_WRITES | HW_ACCESS_ATOMIC;
  Block one{0, 1}, two{1, 1};
  SyncLocations locations;
  // The first block takes two places, the other one the third.
  locations.access(one, 0, 0x40, swap, true, 0);
  EXPECT_EQ(one.thread(0).lock().address, 0x40u);
  locations.access(one, 0, 0x40, swap, true, 1);
  locations.access(two, 0, 0x40, swap, true, 2);
  EXPECT_EQ(two.thread(0).lock().address, 0u);
  // A lock is given back by a store or by a swap.
  locations.access(one, 0, 0x80, swap, true, 0);
  locations.access(one, 0, 0x80, store, true);
  locations.access(two, 0, 0x80, swap, true, 0);
  EXPECT_EQ(two.thread(0).lock().address, 0x80u);
  locations.access(two, 0, 0x80, swap, true, 1);
  EXPECT_EQ(two.thread(0).lock().address, 0u);
  locations.access(one, 0, 0x80, swap, true, 0);
  EXPECT_EQ(one.thread(0).lock().address, 0x80u);
}

}  // namespace
}  // namespace hostwarp::check
