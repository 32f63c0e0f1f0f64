// mov, ld, st, atom and red.
#include <gtest/gtest.h>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

TEST(Mov, PacksUnpacksAndReadsImmediates) {
  expectPtx({
      {"mov.b32 $0, {$1,$2};", "=r,h,h", {0x1111, 0x2222}, {0x22221111}},
      {"mov.b64 {$0,$1}, $2;", "=r,=r,l", {0x1122334455667788}, {0x55667788, 0x11223344}},
      {"mov.b64 {_,$0}, $1;", "=r,l", {0x1122334455667788}, {0x11223344}},
      {"mov.f32 $0, 0f3F800000;", "=f", {}, {0x3f800000}},
      {"mov.f32 $0, 1.5;", "=f", {}, {0x3fc00000}},
      {"mov.f64 $0, 0d3FF0000000000000;", "=d", {}, {0x3ff0000000000000}},
      {"mov.b32 $0, -1;", "=r", {}, {0xffffffff}},
      {"mov.u32 $0, WARP_SZ;", "=r", {}, {32}},
      {"{.reg .b128 t; mov.b128 t, {$2,$3}; mov.b128 {$1,$0}, t;}", "=l,=l,l,l", {1, 2}, {2, 1}},
      {"{.reg .b8 x; cvt.u8.u32 x, $1; cvt.u32.u8 $0, x;}", "=r,r", {0x1ff}, {0xff}},
  });
}

TEST(Mov, SpecialRegisters) {
  expectPtx({
      {"mov.u32 $0, %tid.x;", "=r", {}, {5}},
      {"mov.u32 $0, %tid.y;", "=r", {}, {4}},
      {"mov.u32 $0, %ctaid.z;", "=r", {}, {3}},
      {"mov.u32 $0, %ntid.x;", "=r", {}, {8}},
      {"mov.u32 $0, %nctaid.y;", "=r", {}, {5}},
      {"mov.u32 $0, %laneid;", "=r", {}, {5}},
      {"mov.u32 $0, %warpid;", "=r", {}, {1}},
      {"mov.u32 $0, %lanemask_eq;", "=r", {}, {0x20}},
      {"mov.u32 $0, %lanemask_lt;", "=r", {}, {0x1f}},
      {"mov.u32 $0, %lanemask_le;", "=r", {}, {0x3f}},
      {"mov.u32 $0, %lanemask_gt;", "=r", {}, {0xffffffc0}},
      {"mov.u32 $0, %lanemask_ge;", "=r", {}, {0xffffffe0}},
      {"mov.u64 $0, %clock64;", "=l", {}, {0x1111111100000000u + 104}},
      {"mov.u32 $0, %clock_hi;", "=r", {}, {0x11111111}},
      {"mov.u32 $0, %clock;", "=r", {}, {104}},
      {"mov.u64 $0, %globaltimer;", "=l", {}, {0x1111111100000000u + 105}},
      {"mov.u32 $0, %globaltimer_lo;", "=r", {}, {105}},
      {"mov.u32 $0, %smid;", "=r", {}, {100}},
      {"mov.u32 $0, %dynamic_smem_size;", "=r", {}, {106}},
      {"add.u32 $0, %tid.x, %laneid;", "=r", {}, {10}},
      {"{.reg .pred p; mov.pred p, %is_explicit_cluster; selp.b32 $0, 1, 0, p;}", "=r", {}, {0}},
  });
}

TEST(Load, TypesAndVectors) {
  alignas(32) static unsigned char data[32];
  for (int i = 0; i < 32; ++i) data[i] = static_cast<unsigned char>(0xf0 + i);
  const uint64_t at = address(data);
  expectPtx({
      {"ld.global.u8 $0, [$1];", "=r,l", {at}, {0xf0}},
      {"ld.s8 $0, [$1];", "=r,l", {at}, {0xfffffff0}},
      {"ld.global.s16 $0, [$1+2];", "=l,l", {at}, {0xfffffffffffff3f2}},
      {"ld.u32 $0, [$1+4];", "=r,l", {at}, {0xf7f6f5f4}},
      {"ld.global.nc.f32 $0, [$1];", "=f,l", {at}, {0xf3f2f1f0}},
      {"ld.volatile.global.u64 $0, [$1];", "=l,l", {at}, {0xf7f6f5f4f3f2f1f0}},
      {"ld.acquire.gpu.global.u32 $0, [$1];", "=r,l", {at}, {0xf3f2f1f0}},
      {"ld.relaxed.sys.u16 $0, [$1];", "=h,l", {at}, {0xf1f0}},
      {"ld.global.cg.v2.u32 {$0,$1}, [$2+8];", "=r,=r,l", {at}, {0xfbfaf9f8, 0xfffefdfc}},
      {"ld.global.L1::no_allocate.L2::128B.v4.s8 {$0,$1,$2,$3}, [$4];",
       "=r,=r,=r,=r,l",
       {at},
       {0xfffffff0, 0xfffffff1, 0xfffffff2, 0xfffffff3}},
      {"ld.relaxed.gpu.global.v2.u64 {$0,$1}, [$2];", "=l,=l,l", {at}, {0xf7f6f5f4f3f2f1f0, 0xfffefdfcfbfaf9f8}},
      {"ld.acquire.gpu.v4.u32 {$0,$1,$2,$3}, [$4];",
       "=r,=r,=r,=r,l",
       {at},
       {0xf3f2f1f0, 0xf7f6f5f4, 0xfbfaf9f8, 0xfffefdfc}},
      {"ld.volatile.v4.u8 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l", {at}, {0xf0, 0xf1, 0xf2, 0xf3}},
      {"{.reg .b128 t; ld.relaxed.gpu.b128 t, [$2]; mov.b128 {$0,$1}, t;}",
       "=l,=l,l",
       {at},
       {0xf7f6f5f4f3f2f1f0, 0xfffefdfcfbfaf9f8}},
      {"{.reg .u64 p; createpolicy.fractional.L2::evict_last.b64 p, 1.0; ld.global.L2::cache_hint.u32 $0, [$1], p;}",
       "=r,l",
       {at},
       {0xf3f2f1f0}},
  });
}

TEST(Store, TypesAndVectors) {
  alignas(32) static uint64_t data[4];
  const uint64_t at = address(data);
  const std::vector<std::pair<PtxCase, Values>> cases{
      {{"st.global.u8 [$0+1], $1;", "r,r", {}, {}}, {}},
  };
  auto store = [&](const std::string &text, const std::string &constraints, Values inputs, Values expected) {
    for (uint64_t &word : data) word = 0;
    inputs.insert(inputs.begin(), at);
    runPtx(text, constraints, inputs);
    EXPECT_EQ(Values(data, data + expected.size()), expected) << text;
  };
  store("st.global.u8 [$0+1], $1;", "l,r", {0x1ff}, {0xff00});
  store("st.u16 [$0], $1;", "l,h", {0xabcd}, {0xabcd});
  store("st.global.wt.f32 [$0], $1;", "l,f", {0x3f800000}, {0x3f800000});
  store("st.volatile.global.v2.u32 [$0], {$1, 7};", "l,r", {5}, {0x700000005});
  store("st.global.v4.u32 [$0], {$1, $1, 1, 2};", "l,r", {5}, {0x500000005, 0x200000001});
  store("st.release.gpu.global.v2.u64 [$0], {$1, $2};", "l,l,l", {5, 6}, {5, 6, 0});
  store("{.reg .b128 t; mov.b128 t, {$1,$2}; st.relaxed.sys.b128 [$0], t;}", "l,l,l", {5, 6}, {5, 6, 0});
  store("st.release.sys.b64 [$0], $1;", "l,l", {77}, {77});
  store("st.mmio.relaxed.sys.u32 [$0], $1;", "l,r", {77}, {77});
}

TEST(Shared, AddressesAreOffsets) {
  expectPtx({
      {"st.shared.u32 [$1], $2; ld.shared.u32 $0, [$1];", "=r,r,r", {16, 99}, {99}},
      {"st.shared::cta.u32 [$1+4], $2; ld.shared::cluster.u32 $0, [$1+4];", "=r,l,r", {16, 98}, {98}},
  });
  uint32_t stored;
  std::memcpy(&stored, fakeThread().shared + 20, 4);
  EXPECT_EQ(stored, 98u);
  const uint64_t base = address(fakeThread().shared);
  static int global;
  const uint64_t local = address(fakeThread().local);
  expectPtx({
      {"{.reg .u64 t; cvta.to.shared.u64 t, $1; cvt.u32.u64 $0, t;}", "=r,l", {base + 24}, {24}},
      {"cvta.shared.u64 $0, $1;", "=l,l", {24}, {base + 24}},
      {"cvta.to.global.u64 $0, $1;", "=l,l", {base}, {base}},
      {"{.reg .pred p; isspacep.shared p, $1; selp.u32 $0, 1, 0, p;}", "=r,l", {base + 1023}, {1}},
      {"{.reg .pred p; isspacep.shared p, $1; selp.u32 $0, 1, 0, p;}", "=r,l", {base + 1024}, {0}},
      {"{.reg .pred p; isspacep.global p, $1; selp.u32 $0, 1, 0, p;}", "=r,l", {address(&global)}, {1}},
      {"{.reg .pred p; isspacep.local p, $1; selp.u32 $0, 1, 0, p;}", "=r,l", {address(&global)}, {0}},
      {"{.reg .pred p; isspacep.local p, $1; selp.u32 $0, 1, 0, p;}", "=r,l", {local}, {1}},
      {"{.reg .pred p; isspacep.global p, $1; selp.u32 $0, 1, 0, p;}", "=r,l", {local}, {0}},
  });
  EXPECT_NE(ptxError("{.reg .pred p; isspacep p, $0;}", "l"), "");
}

TEST(Atomic, Integers) {
  alignas(16) static uint64_t data[2];
  auto atomic = [&](const std::string &text, const std::string &constraints, uint64_t before, Values inputs,
                    uint64_t old, uint64_t after) {
    data[0] = before;
    inputs.insert(inputs.begin(), address(data));
    const Values result = runPtx(text, constraints, inputs);
    if (!result.empty()) {
      EXPECT_EQ(result[0], old) << text;
    }
    EXPECT_EQ(data[0], after) << text;
  };
  atomic("atom.global.add.u32 $0, [$1], $2;", "=r,l,r", 5, {7}, 5, 12);
  atomic("atom.add.acq_rel.gpu.u64 $0, [$1], $2;", "=l,l,l", 5, {~0ull}, 5, 4);
  atomic("atom.min.s32 $0, [$1], $2;", "=r,l,r", 5, {0xffffffff}, 5, 0xffffffff);
  atomic("atom.min.relaxed.sys.u32 $0, [$1], $2;", "=r,l,r", 5, {0xffffffff}, 5, 5);
  atomic("atom.max.s64 $0, [$1], $2;", "=l,l,l", ~0ull, {3}, ~0ull, 3);
  atomic("atom.global.inc.u32 $0, [$1], $2;", "=r,l,r", 5, {5}, 5, 0);
  atomic("atom.global.inc.u32 $0, [$1], $2;", "=r,l,r", 4, {5}, 4, 5);
  atomic("atom.global.dec.u32 $0, [$1], $2;", "=r,l,r", 0, {5}, 0, 5);
  atomic("atom.global.dec.u32 $0, [$1], $2;", "=r,l,r", 9, {5}, 9, 5);
  atomic("atom.exch.b32 $0, [$1], $2;", "=r,l,r", 1, {2}, 1, 2);
  atomic("atom.cas.acquire.cta.b32 $0, [$1], $2, $3;", "=r,l,r,r", 1, {1, 9}, 1, 9);
  atomic("atom.cas.b64 $0, [$1], $2, $3;", "=l,l,l,l", 1, {2, 9}, 1, 1);
  atomic("atom.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h", 0x50001, {1, 9}, 1, 0x50009);
  atomic("atom.and.b32 $0, [$1], $2;", "=r,l,r", 7, {3}, 7, 3);
  atomic("atom.or.b64 $0, [$1], $2;", "=l,l,l", 4, {3}, 4, 7);
  atomic("atom.xor.b32 $0, [$1], $2;", "=r,l,r", 7, {3}, 7, 4);
  atomic("red.global.add.u32 [$0], $1;", "l,r", 7, {3}, 0, 10);
  atomic("red.release.gpu.global.max.s32 [$0], $1;", "l,r", 7, {30}, 0, 30);
  atomic("atom.add.u32 _, [$0], $1;", "l,r", 7, {3}, 0, 10);
}

TEST(Atomic, FloatingPoint) {
  alignas(16) static uint64_t data[2];
  auto add = [&](const std::string &text, const std::string &constraints, uint64_t before, Values inputs,
                 uint64_t after) {
    data[0] = before;
    inputs.insert(inputs.begin(), address(data));
    runPtx(text, constraints, inputs);
    EXPECT_EQ(data[0], after) << text;
  };
  add("atom.add.f32 $0, [$1], $2;", "=f,l,f", bits(1.5f), {bits(2.0f)}, bits(3.5f));
  add("red.add.f64 [$0], $1;", "l,d", bits(1.5), {bits(2.0)}, bits(3.5));
  add("atom.add.noftz.f16 $0, [$1], $2;", "=h,l,h", 0x70003c00, {0x4000}, 0x70004200);
  add("atom.global.add.noftz.f16x2 $0, [$1], $2;", "=r,l,r", 0x3c003c00, {0x40003c00}, 0x42004000);
  add("red.global.add.noftz.bf16x2 [$0], $1;", "l,r", 0x3f803f80, {0x40003f80}, 0x40404000);
  add("red.global.add.noftz.bf16 [$0], $1;", "l,h", 0x3f803f80, {0x3f80}, 0x3f804000);
  add("red.global.v2.f32.add [$0], {$1, $1};", "l,f", bits(1.0f), {bits(1.0f)}, bits(2.0f) | bits(1.0f) << 32);
}

TEST(Atomic, Wide) {
  alignas(16) static uint64_t data[2] = {1, 2};
  const Values old = runPtx(
      "{.reg .b128 c, v, o; mov.b128 c, {$3,$4}; mov.b128 v, {$5,$6}; atom.cas.b128 o, [$2], c, v; mov.b128 {$0,$1}, "
      "o;}",
      "=l,=l,l,l,l,l,l", {address(data), 1, 2, 3, 4});
  EXPECT_EQ(old, (Values{1, 2}));
  EXPECT_EQ(data[0], 3u);
  EXPECT_EQ(data[1], 4u);
}

TEST(Fence, AllForms) {
  expectPtx({{"membar.gl;", "~{memory}", {}, {}},
             {"membar.cta;", "", {}, {}},
             {"membar.sys;", "", {}, {}},
             {"fence.sc.gpu;", "", {}, {}},
             {"fence.acq_rel.cta;", "", {}, {}},
             {"fence.acquire.cluster;", "", {}, {}},
             {"fence.proxy.async;", "", {}, {}},
             {"fence.proxy.async.shared::cta;", "", {}, {}},
             {"fence.proxy.alias;", "", {}, {}},
             {"fence.mbarrier_init.release.cluster;", "", {}, {}},
             {"fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", "l", {0}, {}},
             {"prefetch.global.L2 [$0];", "l", {0}, {}},
             {"prefetch.global.L2::evict_last [$0];", "l", {0}, {}},
             {"prefetchu.L1 [$0];", "l", {0}, {}},
             {"applypriority.global.L2::evict_normal [$0], 128;", "l", {0}, {}},
             {"discard.global.L2 [$0], 128;", "l", {0}, {}}});
  EXPECT_NE(ptxError("fence.sc;", ""), "");
}

}  // namespace
}  // namespace hostwarp::tests
