// Comparisons, predicates, branches.
#include <gtest/gtest.h>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

std::string compare(const std::string &comparison) {
  return "{.reg .pred p; setp." + comparison + " p, $1, $2; selp.u32 $0, 1, 0, p;}";
}

TEST(Setp, Integers) {
  expectPtx({
      {compare("eq.u32"), "=r,r,r", {1, 1}, {1}},
      {compare("ne.b32"), "=r,r,r", {1, 1}, {0}},
      {compare("lt.s32"), "=r,r,r", {0xffffffff, 1}, {1}},
      {compare("lt.u32"), "=r,r,r", {0xffffffff, 1}, {0}},
      {compare("ge.s64"), "=r,l,l", {~0ull, 1}, {0}},
      {compare("hi.u32"), "=r,r,r", {2, 1}, {1}},
      {compare("ls.u32"), "=r,r,r", {2, 1}, {0}},
      {compare("gt.u16"), "=r,h,h", {2, 1}, {1}},
  });
}

TEST(Setp, FloatsAndNan) {
  const uint64_t nan = 0x7fc00000, one = bits(1.0f), tiny = 1;
  expectPtx({
      {compare("lt.f32"), "=r,f,f", {one, bits(2.0f)}, {1}},
      {compare("lt.f32"), "=r,f,f", {one, nan}, {0}},
      {compare("ltu.f32"), "=r,f,f", {one, nan}, {1}},
      {compare("ne.f32"), "=r,f,f", {one, nan}, {0}},
      {compare("neu.f32"), "=r,f,f", {one, nan}, {1}},
      {compare("equ.f32"), "=r,f,f", {one, bits(2.0f)}, {0}},
      {compare("num.f32"), "=r,f,f", {one, nan}, {0}},
      {compare("nan.f32"), "=r,f,f", {one, nan}, {1}},
      {compare("geu.f64"), "=r,d,d", {bits(1.0), bits(2.0)}, {0}},
      {compare("gt.f32"), "=r,f,f", {tiny, 0}, {1}},
      {compare("gt.ftz.f32"), "=r,f,f", {tiny, 0}, {0}},
      {compare("gt.f16"), "=r,h,h", {0x4000, 0x3c00}, {1}},
      {compare("gt.bf16"), "=r,h,h", {0x4000, 0x3f80}, {1}},
  });
}

TEST(Setp, CombinesAndWritesTwo) {
  expectPtx({
      {"{.reg .pred p, q, r; setp.ne.u32 r, $4, 0; setp.lt.and.s32 p|q, $2, $3, r;"
       " selp.u32 $0, 1, 0, p; selp.u32 $1, 1, 0, q;}",
       "=r,=r,r,r,r",
       {1, 2, 1},
       {1, 0}},
      {"{.reg .pred p, q, r; setp.ne.u32 r, $4, 0; setp.lt.or.s32 p|q, $2, $3, !r;"
       " selp.u32 $0, 1, 0, p; selp.u32 $1, 1, 0, q;}",
       "=r,=r,r,r,r",
       {1, 2, 0},
       {1, 1}},
      {"{.reg .pred p, q; setp.gt.f16x2 p|q, $2, $3; selp.u32 $0, 1, 0, p; selp.u32 $1, 1, 0, q;}",
       "=r,=r,r,r",
       {0x40003c00, 0x3c004000},
       {0, 1}},
  });
}

TEST(Set, Results) {
  expectPtx({
      {"set.lt.u32.s32 $0, $1, $2;", "=r,r,r", {0xffffffff, 1}, {0xffffffff}},
      {"set.lt.f32.u32 $0, $1, $2;", "=f,r,r", {0, 1}, {0x3f800000}},
      {"set.nan.f16.f16 $0, $1, $2;", "=h,h,h", {0x7e00, 0x3c00}, {0x3c00}},
      {"set.gt.f16x2.f16x2 $0, $1, $2;", "=r,r,r", {0x40003c00, 0x3c004000}, {0x3c000000}},
      {"set.gt.u32.f16x2 $0, $1, $2;", "=r,r,r", {0x40003c00, 0x3c004000}, {0xffff0000}},
      {"set.eq.bf16.bf16 $0, $1, $2;", "=h,h,h", {0x3f80, 0x3f80}, {0x3f80}},
  });
}

TEST(Select, AllForms) {
  expectPtx({
      {"slct.u32.s32 $0, $1, $2, $3;", "=r,r,r,r", {1, 2, 0xffffffff}, {2}},
      {"slct.f32.f32 $0, $1, $2, $3;", "=f,f,f,f", {1, 2, 0x80000000}, {1}},
      {"slct.b64.f32 $0, $1, $2, $3;", "=l,l,l,f", {1, 2, 0x7fc00000}, {2}},
      {"{.reg .pred p; testp.subnormal.f32 p, $1; selp.b32 $0, 1, 0, p;}", "=r,f", {1}, {1}},
      {"{.reg .pred p; testp.number.f64 p, $1; selp.b32 $0, 1, 0, p;}", "=r,d", {bits(1.0)}, {1}},
      {"{.reg .pred p; testp.infinite.f32 p, $1; selp.b32 $0, 1, 0, p;}", "=r,f", {0x7f800000}, {1}},
      {"{.reg .pred p; testp.normal.f32 p, $1; selp.b32 $0, 1, 0, p;}", "=r,f", {0x80000000}, {1}},
      {"{.reg .pred p; testp.normal.f32 p, $1; selp.b32 $0, 1, 0, p;}", "=r,f", {1}, {0}},
      {"copysign.f32 $0, $1, $2;", "=f,f,f", {0x80000000, bits(1.0f)}, {bits(-1.0f)}},
  });
}

TEST(Control, PredicatesLabelsLoops) {
  expectPtx({
      {"{.reg .pred p; .reg .u32 i; mov.u32 i, 0; mov.u32 $0, 0;\n"
       "LOOP_${:uid}:\n setp.ge.u32 p, i, $1; @p bra.uni DONE_${:uid}; add.u32 $0, $0, i; add.u32 i, i, 1; bra "
       "LOOP_${:uid};\n"
       "DONE_${:uid}: }",
       "=r,r",
       {5},
       {10}},
      {"{.reg .pred p; setp.eq.u32 p, $1, 3; mov.u32 $0, 1; @p mov.u32 $0, 2; @!p add.u32 $0, $0, 10;}",
       "=r,r",
       {3},
       {2}},
      {"{.reg .pred p; setp.eq.u32 p, $1, 3; mov.u32 $0, 1; @p mov.u32 $0, 2; @!p add.u32 $0, $0, 10;}",
       "=r,r",
       {4},
       {11}},
      {"{.reg .u32 a; mov.u32 a, $1; {.reg .u32 a; mov.u32 a, 9;} mov.u32 $0, a;}", "=r,r", {4}, {4}},
      {"{ .reg .pred __$$temp1;\n setp.gt.s32 __$$temp1, $1, 0; @__$$temp1 bra A; mov.u32 $0, 1; bra B; A: mov.u32 $0, "
       "2; B: }",
       "=r,r",
       {4},
       {2}},
  });
  EXPECT_NE(ptxError("{.reg .u32 a; .reg .u32 a;}", ""), "");
  EXPECT_EQ(ptxError("exit;", ""), "");
  EXPECT_EQ(ptxError("trap;", ""), "");
  EXPECT_EQ(ptxError("ret;", ""), "");
  expectPtx({{"nanosleep.u32 20;", "", {}, {}}});
  EXPECT_EQ(fakeThread().calls, std::vector<std::string>{"hw_nanosleep 20"});
}

}  // namespace
}  // namespace hostwarp::tests
