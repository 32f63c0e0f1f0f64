// Collectives, barriers, asynchronous copies and mbarriers.
#include <gtest/gtest.h>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

using Calls = std::vector<std::string>;

// shuffle() runs one mode in lane 5, where every lane holds 1000 + lane.
PtxCase shuffle(const std::string &mode, uint64_t b, uint64_t c, uint64_t value, uint64_t inRange) {
  return {"{.reg .pred p; shfl.sync." + mode + ".b32 $0|p, $2, $3, $4, 0xffffffff; selp.u32 $1, 1, 0, p;}",
          "=r,=r,r,r,r",
          {1005, b, c},
          {value, inRange}};
}

TEST(Shuffle, SourcesAndPredicates) {
  expectPtx({
      shuffle("up", 2, 0, 1003, 1),
      shuffle("up", 6, 0, 1005, 0),
      shuffle("up", 2, 4, 1005, 0),  // the clamp is the first lane of the segment
      shuffle("down", 2, 31, 1007, 1),
      shuffle("down", 2, 6, 1005, 0),               // clamp at lane 6, as CUB uses it
      shuffle("down", 4, (24 << 8) | 31, 1005, 0),  // segments of 8: lane 5 + 4 is in the next
      shuffle("bfly", 1, 31, 1004, 1),
      shuffle("bfly", 16, (16 << 8) | 31, 1005, 0),
      shuffle("idx", 9, 31, 1009, 1),
      shuffle("idx", 9, (24 << 8) | 31, 1001, 1),
      shuffle("idx", 9, 4, 1005, 0),
      {"shfl.idx.b32 $0, $1, $2, 31;", "=r,r,r", {1005, 7}, {1007}},
  });
  EXPECT_EQ(fakeThread().calls.front(), "hw_shuffle ffffffff 0 1005 3 32");
  EXPECT_EQ(fakeThread().calls.back(), "hw_shuffle 0 0 1005 7 32");
}

TEST(Warp, VoteMatchReduceElect) {
  resetThread();
  EXPECT_EQ(runPtx("{.reg .pred p; setp.ne.u32 p, $1, 0; vote.sync.ballot.b32 $0, !p, 0xff;}", "=r,r", {0}), Values{0});
  fakeThread().voteResult = 1;
  EXPECT_EQ(runPtx("{.reg .pred p, q; setp.ne.u32 p, $1, 0; vote.sync.any.pred q, p, 0xf; selp.u32 $0, 3, 4, q;}",
                   "=r,r", {0}),
            Values{3});
  EXPECT_EQ(runPtx("{.reg .pred p, q; setp.ne.u32 p, $1, 0; vote.all.pred q, p; selp.u32 $0, 3, 4, q;}", "=r,r", {1}),
            Values{3});
  EXPECT_EQ(fakeThread().calls, (Calls{"hw_vote ff 3 1", "hw_vote f 1 0", "hw_vote 0 0 1"}));
  expectPtx({
      {"match.any.sync.b64 $0, $1, $2;", "=r,l,r", {77, 0xff}, {0x21}},
      {"{.reg .pred p; match.all.sync.b32 $0|p, $2, $3; selp.u32 $1, 1, 0, p;}", "=r,=r,r,r", {77, 0xff}, {0xff, 1}},
      {"redux.sync.add.s32 $0, $1, 0xffffffff;", "=r,r", {77}, {78}},
      {"redux.sync.max.u32 $0, $1, 15;", "=r,r", {77}, {78}},
      {"activemask.b32 $0;", "=r", {}, {0x3f}},
      {"{.reg .pred p; elect.sync $0|p, $2; selp.u32 $1, 1, 0, p;}", "=r,=r,r", {0xe0}, {5, 1}},
      {"{.reg .pred p; elect.sync _|p, $1; selp.u32 $0, 1, 0, p;}", "=r,r", {0xff}, {0}},
  });
  EXPECT_EQ(fakeThread().calls[3], "hw_warp_reduce f 4 77");
}

TEST(Barrier, AllForms) {
  expectPtx({
      {"bar.sync 0;", "~{memory}", {}, {}},
      {"bar.sync $0, $1;", "r,r", {3, 64}, {}},
      {"bar.arrive $0, 64;", "r", {2}, {}},
      {"barrier.cta.sync.aligned 1;", "", {}, {}},
      {"bar.warp.sync 0xffff;", "", {}, {}},
      {"{.reg .pred p; setp.ne.u32 p, $1, 0; bar.red.popc.u32 $0, 1, p;}", "=r,r", {1}, {7}},
      {"{.reg .pred p, q; setp.ne.u32 p, $1, 0; barrier.cta.red.and.aligned.pred q, 1, 64, !p; selp.u32 $0, 1, 0, q;}",
       "=r,r",
       {1},
       {0}},
  });
  EXPECT_EQ(fakeThread().calls, (Calls{"hw_barrier 0 0", "hw_barrier 3 64", "hw_barrier_arrive 2 64", "hw_barrier 1 0",
                                       "hw_syncwarp ffff", "hw_barrier_reduce 1 0 0 1", "hw_barrier_reduce 1 64 1 0"}));
  EXPECT_EQ(ptxError("barrier.cluster.arrive;", ""), "");
}

TEST(AsyncCopy, CopiesAndFills) {
  resetThread();
  alignas(16) static const uint32_t source[4] = {1, 2, 3, 4};
  uint32_t found[4];
  auto copy = [&](const std::string &text, Values expected) {
    std::memset(fakeThread().shared, 0xee, 64);
    runPtx(text, "r,l", {16, address(source)});
    std::memcpy(found, fakeThread().shared + 16, 16);
    EXPECT_EQ(Values(found, found + 4), expected) << text;
  };
  copy("cp.async.cg.shared.global [$0], [$1], 16;", {1, 2, 3, 4});
  copy("cp.async.cg.shared.global.L2::128B [$0], [$1], 16, 6;", {1, 2, 0, 0});
  copy("cp.async.ca.shared.global [$0], [$1+4], 4;", {2, 0xeeeeeeee, 0xeeeeeeee, 0xeeeeeeee});
  copy(
      "cp.async.ca.shared::cta.global [$0], [$1], 8, 0; cp.async.commit_group; cp.async.wait_group 0; "
      "cp.async.wait_all;",
      {0, 0, 0xeeeeeeee, 0xeeeeeeee});
  EXPECT_EQ(ptxError("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [$0, {$1}], [$2];", "l,r,r"), "");
  const auto saysWhy = [](const char *text, const char *operands, const char *why) {
    const std::string error = ptxError(text, operands);
    EXPECT_NE(error.find(why), std::string::npos) << error;
  };
  saysWhy("cp.async.bulk.tensor.1d.global.shared::cta.tile [$0, {$1}], [$2];", "l,r,r", "completion");
  saysWhy("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$1}], [$2];", "l,r,r", "2 coordinates");
  saysWhy("cp.async.bulk.shared::cta.global.bulk_group [$0], [$1], 16;", "r,l", "other direction");
  saysWhy("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [$0], [$1], 16;", "l,r", "cannot be reduced");
  saysWhy("wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {$0,$1}, $2, $2, 1, 1, 1, 0, 0;", "=r,=r,l",
          "go together");
  saysWhy("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1}, $2, $2, 1, 1, 1, 0, 0;", "=r,=r,l", "registers");
  saysWhy("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {$0,$0,$0,$0}, {$1,$1}, {$1,$1}, {$1,$1,$1,$1}, $1, 2;",
          "=r,r", "selector");
}

TEST(AsyncCopy, BulkCopiesCompleteTheirBytes) {
  resetThread();
  alignas(16) static const uint32_t source[4] = {1, 2, 3, 4};
  alignas(16) static uint32_t target[4];
  const std::string done = "{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [$1], 0; selp.u32 $0, 1, 0, p;}";
  runPtx("mbarrier.init.shared.b64 [$0], 1;", "r", {64});
  runPtx("mbarrier.arrive.expect_tx.shared.b64 _, [$0], 32;", "r", {64});
  runPtx("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 16, [$2];", "r,l,r",
         {16, address(source), 64});
  EXPECT_EQ(runPtx(done, "=r,r", {64}), Values{0});
  runPtx("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$0], [$1], 16, [$2];", "r,r,r",
         {32, 16, 64});
  EXPECT_EQ(runPtx(done, "=r,r", {64}), Values{1});
  runPtx("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [$0], [$1], 16, $2;", "l,r,l",
         {address(target), 32, 0});
  runPtx("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;", "", {});
  EXPECT_EQ(std::memcmp(source, target, sizeof source), 0);
}

TEST(AsyncCopy, BulkCopiesRefuseOddPlacesAndSizes) {
  resetThread();
  alignas(16) static const uint32_t source[8] = {};
  runPtx("mbarrier.init.shared.b64 [$0], 1;", "r", {64});
  const std::string copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];";
  EXPECT_DEATH(runPtx(copy, "r,l,r,r", {8, address(source), 16, 64}), "hw_misaligned [0-9]+ 16");
  EXPECT_DEATH(runPtx(copy, "r,l,r,r", {16, address(source) + 4, 16, 64}), "hw_misaligned [0-9]+ 16");
  EXPECT_DEATH(runPtx(copy, "r,l,r,r", {16, address(source), 24, 64}), "hw_illegal_instruction.*16 bytes");
}

TEST(Mbarrier, PhasesArrivalsAndBytes) {
  resetThread();
  auto step = [](const std::string &text, const std::string &constraints, Values inputs) {
    inputs.insert(inputs.begin(), 64);
    return runPtx(text, constraints, inputs);
  };
  const std::string test = "{.reg .pred p; mbarrier.test_wait.shared.b64 p, [$1], $2; selp.u32 $0, 1, 0, p;}";
  const std::string parity =
      "{.reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [$1], $2, 100; selp.u32 $0, 1, 0, p;}";
  step("mbarrier.init.shared.b64 [$0], $1;", "r,r", {2});
  const uint64_t state = step("mbarrier.arrive.shared.b64 $0, [$1];", "=l,r", {})[0];
  EXPECT_EQ(runPtx("mbarrier.pending_count.b64 $0, $1;", "=r,l", {state}), Values{2});
  EXPECT_EQ(step(test, "=r,r,l", {state}), Values{0});
  EXPECT_EQ(step(parity, "=r,r,r", {0}), Values{0});
  EXPECT_EQ(fakeThread().calls, Calls{"hw_yield"});
  EXPECT_EQ(step(parity, "=r,r,r", {1}), Values{1});
  step("mbarrier.arrive.release.cta.shared::cta.b64 _, [$0], 1;", "r", {});
  EXPECT_EQ(step(test, "=r,r,l", {state}), Values{1});
  EXPECT_EQ(step(parity, "=r,r,r", {0}), Values{1});
  // The second phase waits for bytes as well, and one thread leaves.
  step("mbarrier.arrive.expect_tx.shared.b64 _, [$0], 32;", "r", {});
  step("mbarrier.arrive_drop.shared.b64 _, [$0];", "r", {});
  EXPECT_EQ(step(parity, "=r,r,r", {1}), Values{0});
  step("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [$0], 32;", "r", {});
  EXPECT_EQ(step(parity, "=r,r,r", {1}), Values{1});
  step("cp.async.mbarrier.arrive.noinc.shared.b64 [$0];", "r", {});
  EXPECT_EQ(step(parity, "=r,r,r", {0}), Values{1});
}

}  // namespace
}  // namespace hostwarp::tests
