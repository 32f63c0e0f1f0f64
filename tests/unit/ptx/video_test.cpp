// Video instructions.
#include <gtest/gtest.h>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

TEST(Video, Scalar) {
  expectPtx({
      {"vadd.s32.s32.s32.sat $0, $1, $2;", "=r,r,r", {0x7fffffff, 1}, {0x7fffffff}},
      {"vadd.s32.s32.s32 $0, $1.b1, $2.h1;", "=r,r,r", {0xff00, 0x00020000}, {1}},
      {"vadd.u32.u32.u32 $0, $1.b1, $2.h1;", "=r,r,r", {0xff00, 0x00020000}, {0x101}},
      {"vsub.u32.u32.u32.sat $0, $1, $2;", "=r,r,r", {1, 2}, {0}},
      {"vabsdiff.u32.u32.u32.add $0, $1, $2, $3;", "=r,r,r,r", {1, 5, 100}, {104}},
      {"vmin.s32.s32.s32 $0, $1, $2;", "=r,r,r", {0xffffffff, 5}, {0xffffffff}},
      {"vmax.u32.u32.u32.min $0, $1, $2, $3;", "=r,r,r,r", {7, 5, 6}, {6}},
      {"vadd.u32.u32.u32.sat $0.b2, $1, $2, $3;", "=r,r,r,r", {200, 100, 0x11223344}, {0x11ff3344}},
      {"vset.s32.u32.lt $0, $1, $2;", "=r,r,r", {0xffffffff, 5}, {1}},
      {"vset.u32.u32.ge.add $0, $1, $2, $3;", "=r,r,r,r", {6, 5, 10}, {11}},
      {"vshr.u32.u32.u32.clamp.add $0, $1, $2, $3;", "=r,r,r,r", {0x80, 4, 100}, {108}},
      {"vshr.u32.u32.u32.clamp $0, $1, $2;", "=r,r,r", {0xffffffff, 40}, {0}},
      {"vshl.u32.u32.u32.wrap $0, $1, $2;", "=r,r,r", {1, 33}, {2}},
      {"vshl.u32.u32.u32.sat.clamp $0, $1, $2;", "=r,r,r", {1, 33}, {0xffffffff}},
      {"vmad.s32.s32.s32.shr7 $0, $1.b0, $2.b0, $3;", "=r,r,r,r", {0xff, 128, 0}, {1}},
      {"vmad.u32.u32.u32 $0, $1.h0, $2.h1, $3;", "=r,r,r,r", {3, 0x50000, 7}, {22}},
      {"vmad.s32.u32.u32 $0, -$1, $2, $3;", "=r,r,r,r", {3, 5, 7}, {0xfffffff8}},
      {"vmad.s32.u32.u32 $0, $1, -$2.b1, $3;", "=r,r,r,r", {3, 0x500, 7}, {0xfffffff8}},
      {"vmad.s32.s32.s32 $0, -$1, -$2, $3;", "=r,r,r,r", {3, 5, 7}, {22}},
      {"vmad.s32.s32.s32 $0, $1, $2, -$3;", "=r,r,r,r", {3, 5, 7}, {8}},
      {"vmad.s32.u32.u32.sat $0, $1, $2, -$3;", "=r,r,r,r", {0x80000000, 2, 1}, {0x7fffffff}},
      {"vmad.u32.u32.u32.sat.po $0, $1, $2, $3;", "=r,r,r,r", {0x10000, 0xffff, 0xffff}, {0xffffffff}},
      {"vmad.s32.s32.s32.po.shr7 $0, $1, $2, $3;", "=r,r,r,r", {100, 1, 27}, {1}},
  });
}

TEST(Video, NegatedOperands) {
  EXPECT_NE(ptxError("vmad.s32.s32.s32 $0, -$1, $2, -$3;", "=r,r,r,r"), "");
  EXPECT_NE(ptxError("vmad.s32.s32.s32.po $0, -$1, $2, $3;", "=r,r,r,r"), "");
  EXPECT_NE(ptxError("vadd.s32.s32.s32 $0, -$1, $2;", "=r,r,r"), "");
}

TEST(Video, Simd) {
  expectPtx({
      {"vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;", "=r,r,r,r", {0x01020304, 0x04030201, 10}, {18}},
      {"vabsdiff4.u32.u32.u32 $0, $1, $2, $3;", "=r,r,r,r", {0x01020304, 0x04030201, 0}, {0x03010103}},
      {"vadd4.u32.u32.u32.sat $0, $1, $2, $3;", "=r,r,r,r", {0xff01ff01, 0x01010101, 0}, {0xff02ff02}},
      {"vadd2.s32.s32.s32.sat $0, $1, $2, $3;", "=r,r,r,r", {0x7fff8000, 0x0001ffff, 0}, {0x7fff8000}},
      {"vadd4.u32.u32.u32 $0.b20, $1, $2, $3;", "=r,r,r,r", {0x01010101, 0x01010101, 0xaabbccdd}, {0xaa02cc02}},
      {"vadd4.u32.u32.u32 $0, $1.b0123, $2.b7777, $3;", "=r,r,r,r", {0x01020304, 0x10000000, 0}, {0x14131211}},
      {"vavrg4.u32.u32.u32 $0, $1, $2, $3;", "=r,r,r,r", {0x01020304, 0x02020202, 0}, {0x02020303}},
      {"vmax2.s32.s32.s32 $0, $1, $2, $3;", "=r,r,r,r", {0xffff0001, 0x00010002, 0}, {0x00010002}},
      {"vmin4.u32.u32.u32 $0, $1, $2, $3;", "=r,r,r,r", {0x01ff03ff, 0x02020202, 0}, {0x01020202}},
      {"vset4.u32.u32.gt $0, $1, $2, $3;", "=r,r,r,r", {0x01ff03ff, 0x02020202, 0}, {0x00010101}},
      {"vset2.s32.s32.lt.add $0, $1, $2, $3;", "=r,r,r,r", {0xffff0001, 0, 5}, {6}},
      {"vsub4.s32.u32.u32.sat $0, $1, $2, $3;", "=r,r,r,r", {0xff000000, 0x01010000, 0}, {0x7fff0000}},
  });
}

}  // namespace
}  // namespace hostwarp::tests
