// Bit fields, bytes, funnels and dot products, against the definitions in plain C++ or against worked examples.
#include <gtest/gtest.h>

#include <bit>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

TEST(Bits, Counting) {
  expectPtx({
      {"popc.b32 $0, $1;", "=r,r", {0xff00ff}, {16}},
      {"popc.b64 $0, $1;", "=r,l", {~0ull}, {64}},
      {"clz.b32 $0, $1;", "=r,r", {0}, {32}},
      {"clz.b64 $0, $1;", "=r,l", {1}, {63}},
      {"brev.b32 $0, $1;", "=r,r", {1}, {0x80000000}},
      {"brev.b64 $0, $1;", "=l,l", {2}, {1ull << 62}},
      {"bfind.u32 $0, $1;", "=r,r", {0x00010000}, {16}},
      {"bfind.u32 $0, $1;", "=r,r", {0}, {0xffffffff}},
      {"bfind.s32 $0, $1;", "=r,r", {0xffffffff}, {0xffffffff}},
      {"bfind.s32 $0, $1;", "=r,r", {0xffff0000}, {15}},
      {"bfind.shiftamt.u32 $0, $1;", "=r,r", {0x00010000}, {15}},
      {"bfind.shiftamt.u64 $0, $1;", "=r,l", {1}, {63}},
      {"bfind.s64 $0, $1;", "=r,l", {1ull << 40}, {40}},
      {"fns.b32 $0, $1, $2, $3;", "=r,r,r,r", {0xaaaaaaaa, 3, 1}, {3}},
      {"fns.b32 $0, $1, $2, $3;", "=r,r,r,r", {0xaaaaaaaa, 3, uint32_t(-1)}, {3}},
      {"fns.b32 $0, $1, $2, $3;", "=r,r,r,r", {0xaaaaaaaa, 3, 2}, {5}},
      {"fns.b32 $0, $1, $2, $3;", "=r,r,r,r", {0xaaaaaaaa, 3, uint32_t(-2)}, {1}},
      {"fns.b32 $0, $1, $2, $3;", "=r,r,r,r", {0xaaaaaaaa, 2, 0}, {0xffffffff}},
  });
}

TEST(Bits, ExtractAndInsert) {
  expectPtx({
      {"bfe.u32 $0, $1, $2, $3;", "=r,r,r,r", {0x12345678, 8, 8}, {0x56}},
      {"bfe.s32 $0, $1, $2, $3;", "=r,r,r,r", {0x0000f000, 12, 4}, {0xffffffff}},
      {"bfe.u32 $0, $1, $2, $3;", "=r,r,r,r", {0x12345678, 8, 0}, {0}},
      {"bfe.u32 $0, $1, $2, $3;", "=r,r,r,r", {0x80000000, 28, 32}, {8}},
      {"bfe.s32 $0, $1, $2, $3;", "=r,r,r,r", {0x80000000, 28, 32}, {0xfffffff8}},
      {"bfe.s32 $0, $1, $2, $3;", "=r,r,r,r", {0x80000000, 40, 8}, {0xffffffff}},
      {"bfe.u64 $0, $1, $2, $3;", "=l,l,r,r", {0x123456789abcdef0, 60, 4}, {1}},
      {"bfe.s64 $0, $1, $2, $3;", "=l,l,r,r", {0x823456789abcdef0, 60, 4}, {0xfffffffffffffff8}},
      {"bfi.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r", {0xff, 0x12345678, 8, 8}, {0x1234ff78}},
      {"bfi.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r", {0xff, 0x12345678, 28, 8}, {0xf2345678}},
      {"bfi.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,r", {0xff, 0x12345678, 32, 8}, {0x12345678}},
      {"bfi.b64 $0, $1, $2, $3, $4;", "=l,l,l,r,r", {0xff, 0, 40, 64}, {0xff0000000000}},
      {"bmsk.clamp.b32 $0, $1, $2;", "=r,r,r", {4, 8}, {0xff0}},
      {"bmsk.clamp.b32 $0, $1, $2;", "=r,r,r", {4, 40}, {0xfffffff0}},
      {"bmsk.wrap.b32 $0, $1, $2;", "=r,r,r", {36, 33}, {0x10}},
      {"szext.clamp.s32 $0, $1, $2;", "=r,r,r", {0x80, 8}, {0xffffff80}},
      {"szext.wrap.u32 $0, $1, $2;", "=r,r,r", {0x1ff, 40}, {0xff}},
      {"szext.clamp.s32 $0, $1, $2;", "=r,r,r", {0x80, 77}, {0x80}},
  });
}

TEST(Bits, Funnels) {
  expectPtx({
      {"shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r", {0x80000000, 1, 33}, {3}},
      {"shf.l.clamp.b32 $0, $1, $2, $3;", "=r,r,r,r", {0x89abcdef, 1, 33}, {0x89abcdef}},
      {"shf.r.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r", {0x10, 0xf, 4}, {0xf0000001}},
      {"shf.r.clamp.b32 $0, $1, $2, $3;", "=r,r,r,r", {0x10, 0xabcdef01, 40}, {0xabcdef01}},
  });
}

TEST(Bits, Prmt) {
  const Values ab{0x33221100, 0x77665544};
  auto mode = [&](const char *name, uint32_t selector, uint32_t expected) {
    return PtxCase{
        std::string("prmt.b32") + name + " $0, $1, $2, $3;", "=r,r,r,r", {ab[0], ab[1], selector}, {expected}};
  };
  expectPtx({
      mode("", 0x3210, 0x33221100),
      mode("", 0x7654, 0x77665544),
      mode("", 0x0246, 0x00224466),
      {"prmt.b32 $0, $1, $2, 0x98ba;", "=r,r,r", {0x80ff7f00, 0}, {0x0000ffff}},
      mode(".f4e", 1, 0x44332211),
      mode(".f4e", 3, 0x66554433),
      mode(".b4e", 0, 0x55667700),
      mode(".b4e", 2, 0x77001122),
      mode(".rc8", 2, 0x22222222),
      mode(".ecl", 1, 0x33221111),
      mode(".ecr", 2, 0x22221100),
      mode(".rc16", 1, 0x33223322),
  });
}

TEST(Bits, Lop3) {
  std::vector<PtxCase> cases;
  const uint32_t a = 0xf0f0ff00, b = 0xcccc5678, c = 0xaaaa1234;
  for (uint32_t table : {0x00u, 0x80u, 0xfeu, 0x96u, 0xe8u, 0xcau, 0x3fu, 0xffu}) {
    uint32_t expected = 0;
    for (int bit = 0; bit < 32; ++bit) {
      const uint32_t row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
      expected |= (table >> row & 1) << bit;
    }
    cases.push_back({"lop3.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,n", {a, b, c, table}, {expected}});
  }
  cases.push_back(
      {"{.reg .pred p, q; setp.eq.u32 q, $2, 0; lop3.or.b32 $0|p, $2, $3, $3, 0x80, q; selp.u32 $1, 1, 0, p;}",
       "=r,=r,r,r",
       {6, 3},
       {2, 1}});
  expectPtx(cases);
  EXPECT_NE(ptxError("lop3.b32 $0, $1, $1, $1, $1;", "=r,r").find("constant"), std::string::npos);
}

TEST(Bits, DotProducts) {
  expectPtx({
      {"dp4a.u32.u32 $0, $1, $2, $3;", "=r,r,r,r", {0xff020304, 0x01020304, 10}, {255 + 4 + 9 + 16 + 10}},
      {"dp4a.s32.s32 $0, $1, $2, $3;", "=r,r,r,r", {0xff020304, 0x01020304, 10}, {uint32_t(-1) + 4 + 9 + 16 + 10}},
      {"dp4a.s32.u32 $0, $1, $2, $3;", "=r,r,r,r", {0xff000000, 0xff000000, 0}, {uint32_t(-255)}},
      {"dp2a.lo.u32.u32 $0, $1, $2, $3;", "=r,r,r,r", {0x00020003, 0x00000504, 1}, {2 * 5 + 3 * 4 + 1}},
      {"dp2a.hi.s32.s32 $0, $1, $2, $3;", "=r,r,r,r", {0xffff0003, 0x05040000, 1}, {uint32_t(-5) + 12 + 1}},
  });
}

}  // namespace
}  // namespace hostwarp::tests
