// Accesses that are put off: those that disturb each other never are, and the others come back as they were.
#include "emu_runtime/check/deferred_accesses.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace hostwarp::check::deferred_accesses_test {
namespace {

constexpr uint32_t usual = HW_ACCESS_ONLY_BARRIERS | HW_ACCESS_NONE_LEAVES;
constexpr uint32_t reads = usual | HW_ACCESS_READS, writes = usual | HW_ACCESS_WRITES;
constexpr uint32_t updates = reads | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC;
constexpr uintptr_t start = 4096;
constexpr uint64_t bytes = 256;
constexpr hw_access_site site{nullptr, 0, 0, nullptr, nullptr};

LaneCall rowOf(uint32_t thread, uint32_t lanes, uint64_t offset, int64_t stride, uint32_t traits, uint64_t each = 4) {
  return {.thread = thread,
          .lanes = lanes,
          .start = start + offset,
          .stride = stride,
          .addresses = nullptr,
          .bytes = each,
          .traits = traits,
          .site = &site};
}

struct Deferred : DeferredAccesses {
  Deferred() { begin(start, bytes, 1, true); }
  std::vector<LaneCall> settled() {
    std::vector<LaneCall> all;
    settle([&](const LaneCall &call) { all.push_back(call); });
    return all;
  }
};

TEST(DeferredAccesses, OfEverybodyAreReadsOnly) {
  Deferred deferred;
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, 0, 4, reads)));
  EXPECT_TRUE(deferred.defer(rowOf(16, 0xffff, 0, 4, reads)));
  EXPECT_FALSE(deferred.defer(rowOf(0, 1, 0, 0, writes)));
  EXPECT_EQ(deferred.settled().size(), 2u);
}

TEST(DeferredAccesses, OfAThreadAreReadsAndWrites) {
  Deferred deferred;
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, 0, 4, reads)));
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, 0, 4, writes)));
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xff00, 0, 4, reads)));
  EXPECT_FALSE(deferred.defer(rowOf(1, 1, 0, 0, reads)));
}

TEST(DeferredAccesses, OfLanesAtOnePlaceAreNoWrites) {
  Deferred deferred;
  EXPECT_FALSE(deferred.defer(rowOf(0, 3, 0, 0, writes)));
  deferred.settled();
  deferred.passesBarrier();
  EXPECT_TRUE(deferred.defer(rowOf(0, 3, 0, 0, updates)));
  EXPECT_FALSE(deferred.defer(rowOf(0, 1, 0, 0, reads)));
}

TEST(DeferredAccesses, BeginAnewBehindABarrier) {
  Deferred deferred;
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, 0, 4, writes)));
  deferred.passesBarrier();
  EXPECT_TRUE(deferred.defer(rowOf(16, 0xffff, 0, 4, writes)));
  EXPECT_EQ(deferred.settled().size(), 1u);
  EXPECT_FALSE(deferred.defer(rowOf(16, 0xffff, 128, 4, writes)));  // all is looked at until the next one
  EXPECT_TRUE(deferred.isWritten(60));
  EXPECT_FALSE(deferred.isWritten(64));
}

// What an access that disturbs others was about to write has not been written.
TEST(DeferredAccesses, WriteNothingWhereTheyAreNotPutOff) {
  Deferred deferred;
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, 0, 4, writes)));
  EXPECT_TRUE(deferred.defer(rowOf(0, 1, 128, 0, reads)));
  EXPECT_FALSE(deferred.defer(rowOf(32, 0xffff, 128, 4, writes)));
  EXPECT_TRUE(deferred.isWritten(0));
  EXPECT_FALSE(deferred.isWritten(128));
  EXPECT_FALSE(deferred.isWritten(132));
}

// A word behind each row, as in tile[32][33], does not make stretches of all rows one that overlaps the next.
TEST(DeferredAccesses, RowsMayHaveAWordBetween) {
  Deferred deferred;
  for (uint32_t row = 0; row < 7; ++row) EXPECT_TRUE(deferred.defer(rowOf(8 * row, 0xff, 36 * row, 4, writes)));
  for (uint32_t row = 0; row < 7; ++row) EXPECT_TRUE(deferred.defer(rowOf(8 * row, 0xff, 36 * row, 4, reads)));
  EXPECT_FALSE(deferred.defer(rowOf(1, 1, 0, 0, reads)));
}

TEST(DeferredAccesses, LieInSharedMemory) {
  Deferred deferred;
  EXPECT_FALSE(deferred.defer(rowOf(0, 0xffff, bytes - 60, 4, reads)));
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, bytes - 64, 4, reads)));
  LaneCall loop = rowOf(0, 1, bytes - 8, 0, reads);
  loop.count = 2;
  loop.step = 4;
  EXPECT_TRUE(deferred.defer(loop));
  loop.count = 3;
  EXPECT_FALSE(deferred.defer(loop));
  EXPECT_FALSE(deferred.defer(rowOf(0, 1, 0, 0, reads | HW_ACCESS_COPIES)));
  EXPECT_FALSE(deferred.defer(rowOf(0, 1, 0, 0, HW_ACCESS_READS)));
}

TEST(DeferredAccesses, OfSeveralThreadsAreBytesOfAWord) {
  Deferred deferred;
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, 0, 1, writes, 1)));
  EXPECT_TRUE(deferred.defer(rowOf(0, 0xffff, 0, 1, reads, 1)));
  EXPECT_TRUE(deferred.defer(rowOf(5, 1, 5, 0, writes, 1)));
  EXPECT_TRUE(deferred.defer(rowOf(5, 1, 64, 0, writes, 4)));
  EXPECT_FALSE(deferred.defer(rowOf(5, 1, 4, 0, reads, 4)));
}

TEST(DeferredAccesses, BelongToTheirEpochForAsLongAsThereAreNumbers) {
  Deferred deferred;
  for (uint32_t interval = 0; interval < (1u << 20) + 2; ++interval) {
    ASSERT_TRUE(deferred.defer(rowOf(interval % 64, 1, 0, 0, reads)));
    ASSERT_TRUE(deferred.defer(rowOf(interval % 64, 1, 0, 0, writes)));
    deferred.passesBarrier();
  }
}

// Model knows for each byte who has touched it, and how.
class Model {
 public:
  // disturbs() is whether the access meets another thread's; it is added.
  bool disturbs(const LaneCall &call) {
    bool found = false;
    call.forEachTurn([&](const LaneCall &turn) {
      for (uint32_t index = 0; index < 32; ++index)
        if ((turn.lanes >> index & 1) != 0)
          for (uint64_t i = 0; i < turn.bytes; ++i)
            found = touch(turn.startOf(index) - start + i, call.thread + index, call.traits) || found;
      return true;
    });
    return found;
  }

 private:
  struct Touch {
    uint32_t thread, traits;
  };
  bool touch(uint64_t at, uint32_t thread, uint32_t traits) {
    bool found = false;
    for (const Touch &other : touches_[at]) {
      const bool areUpdates = (other.traits & traits & HW_ACCESS_ATOMIC) != 0;
      found = found || (other.thread != thread && ((other.traits | traits) & HW_ACCESS_WRITES) != 0 && !areUpdates);
    }
    touches_[at].push_back({thread, traits});
    return found;
  }

  std::array<std::vector<Touch>, bytes> touches_;
};

// Calls makes some at random; most are of a thread's own part of the memory.
class Calls {
 public:
  explicit Calls(unsigned seed) : random_(seed) {}

  LaneCall next() {
    constexpr std::array kinds{reads, reads, writes, updates};
    constexpr std::array<uint64_t, 4> sizes{4, 4, 8, 1};
    LaneCall call = rowOf(16 * below(2), 0xffff, 0, 4, kinds[below(4)], sizes[below(below(3) == 0 ? 4 : 2)]);
    if (below(3) == 0) call.lanes = 1 + below(0xffff);
    call.stride = below(4) == 0 ? 0 : static_cast<int64_t>(call.bytes);
    call.start = start + (below(4) == 0 ? 4 * below(16) : 16 * call.thread * call.bytes / 16);
    if (below(3) == 0) {
      for (const void *&place : places_) place = reinterpret_cast<const void *>(start + 4 * below(60));
      if (below(2) == 0)
        for (uint32_t lane = 0; lane < 16; ++lane)
          places_[lane] = reinterpret_cast<const void *>(start + 4 * (call.thread + 15 - lane));
      call.addresses = places_.data();
    }
    if (call.traits == reads && below(3) == 0) call.count = 1 + below(3);
    call.step = call.count == 1 ? 0 : 4;
    return call;
  }
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }

 private:
  std::mt19937 random_;
  std::array<const void *, 32> places_{};
};

// What was put off in an interval, up to the first access that was not: each as the model saw it.
TEST(DeferredAccesses, NeverDisturbEachOther) {
  uint64_t all = 0, disturbing = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Calls calls(seed);
    Deferred deferred;
    for (int interval = 0; interval < 4; ++interval) {
      Model model;
      uint32_t put = 0;
      for (LaneCall call = calls.next(); put < 12; call = calls.next()) {
        const Extent extent = call.extent();
        if (extent.start < start || extent.start + extent.bytes > start + bytes) continue;
        const bool disturbs = model.disturbs(call), isPutOff = deferred.defer(call);
        ASSERT_FALSE(disturbs && isPutOff) << "seed " << seed;
        all += 1;
        disturbing += disturbs;
        if (!isPutOff) break;
        ++put;
      }
      ASSERT_EQ(deferred.settled().size(), put);
      deferred.passesBarrier();
    }
  }
  EXPECT_GT(disturbing, all / 50);
  EXPECT_LT(disturbing, all / 2);
}

TEST(DeferredAccesses, ComeBackAsTheyWere) {
  Deferred deferred;
  std::array<const void *, 32> places{};
  for (uint32_t lane = 0; lane < 16; ++lane) places[lane] = reinterpret_cast<const void *>(start + 4 * (60 - lane));
  LaneCall each = rowOf(7, 0x8005, 0, 0, reads);
  each.addresses = places.data();
  each.count = 2;
  each.step = -4;
  ASSERT_TRUE(deferred.defer(rowOf(3, 0xff, 64, -8, writes, 8)));
  ASSERT_TRUE(deferred.defer(each));
  const auto compare = [&](const LaneCall &call, const LaneCall &expected) {
    EXPECT_EQ(call.thread, expected.thread);
    EXPECT_EQ(call.lanes, expected.lanes);
    EXPECT_EQ(call.bytes, expected.bytes);
    EXPECT_EQ(call.traits, expected.traits);
    EXPECT_EQ(call.site, expected.site);
    EXPECT_EQ(call.count, expected.count);
    EXPECT_EQ(call.step, expected.step);
    for (uint32_t index = 0; index < 32; ++index)
      if ((call.lanes >> index & 1) != 0) {
        EXPECT_EQ(call.startOf(index), expected.startOf(index));
      }
  };
  size_t number = 0;
  deferred.settle(
      [&](const LaneCall &call) { compare(call, number++ == 0 ? rowOf(3, 0xff, 64, -8, writes, 8) : each); });
  EXPECT_EQ(number, 2u);
}

}  // namespace
}  // namespace hostwarp::check::deferred_accesses_test
