// cvt.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

TEST(Convert, Integers) {
  expectPtx({
      {"cvt.u64.u32 $0, $1;", "=l,r", {0xffffffff}, {0xffffffff}},
      {"cvt.s64.s32 $0, $1;", "=l,r", {0xffffffff}, {~0ull}},
      {"cvt.u32.u64 $0, $1;", "=r,l", {0x123456789}, {0x23456789}},
      {"cvt.s32.s8 $0, $1;", "=r,r", {0x180}, {0xffffff80}},
      {"cvt.u8.u32 $0, $1;", "=r,r", {0x1ff}, {0xff}},
      {"cvt.sat.u8.s32 $0, $1;", "=r,r", {uint32_t(-5)}, {0}},
      {"cvt.sat.s8.s32 $0, $1;", "=r,r", {300}, {127}},
      {"cvt.sat.u32.s64 $0, $1;", "=r,l", {1ull << 40}, {0xffffffff}},
      {"cvt.sat.s64.u64 $0, $1;", "=l,l", {~0ull}, {0x7fffffffffffffff}},
      {"cvt.pack.sat.s16.s32 $0, $1, $2;", "=r,r,r", {40000, uint32_t(-40000)}, {0x7fff8000}},
      {"cvt.pack.sat.u8.s32.b32 $0, $1, $2, $3;", "=r,r,r,r", {300, uint32_t(-1), 0x1234}, {0x1234ff00}},
      {"cvt.pack.sat.s4.s32.b32 $0, $1, $2, $3;", "=r,r,r,r", {300, uint32_t(-1), 0x1234}, {0x12347f}},
      {"cvt.pack.sat.u2.s32.b32 $0, $1, $2, $3;", "=r,r,r,r", {5, uint32_t(-1), 0x81}, {0x81c}},
  });
}

TEST(Convert, FloatToInteger) {
  expectPtx({
      {"cvt.rni.s32.f32 $0, $1;", "=r,f", {bits(2.5f)}, {2}},
      {"cvt.rni.s32.f32 $0, $1;", "=r,f", {bits(3.5f)}, {4}},
      {"cvt.rzi.s32.f32 $0, $1;", "=r,f", {bits(-2.7f)}, {uint32_t(-2)}},
      {"cvt.rmi.s32.f32 $0, $1;", "=r,f", {bits(-2.2f)}, {uint32_t(-3)}},
      {"cvt.rpi.u32.f32 $0, $1;", "=r,f", {bits(2.2f)}, {3}},
      {"cvt.rzi.s32.f32 $0, $1;", "=r,f", {bits(1e20f)}, {0x7fffffff}},
      {"cvt.rzi.u32.f32 $0, $1;", "=r,f", {bits(-1.f)}, {0}},
      {"cvt.rzi.s32.f32 $0, $1;", "=r,f", {0x7fc00000}, {0}},
      {"cvt.rzi.s64.f32 $0, $1;", "=l,f", {0x7fc00000}, {1ull << 63}},
      {"cvt.rzi.s32.f64 $0, $1;", "=r,d", {bits(std::nan(""))}, {0x80000000}},
      {"cvt.rzi.u64.f64 $0, $1;", "=l,d", {bits(1e30)}, {~0ull}},
      {"cvt.rzi.u8.f16 $0, $1;", "=r,h", {0x5fff}, {255}},
      {"cvt.rni.s32.bf16 $0, $1;", "=r,h", {0x4020}, {2}},
      {"cvt.rpi.ftz.s32.f32 $0, $1;", "=r,f", {1}, {0}},
      {"cvt.rpi.s32.f32 $0, $1;", "=r,f", {1}, {1}},
      {"cvt.rni.f32.f32 $0, $1;", "=f,f", {bits(2.5f)}, {bits(2.f)}},
      {"cvt.rmi.f64.f64 $0, $1;", "=d,d", {bits(-2.5)}, {bits(-3.0)}},
      {"cvt.rzi.f16.f16 $0, $1;", "=h,h", {0x4180}, {0x4000}},
      {"cvt.rpi.bf16.bf16 $0, $1;", "=h,h", {0x4010}, {0x4040}},
  });
  EXPECT_NE(ptxError("cvt.s32.f32 $0, $1;", "=r,f"), "");
}

TEST(Convert, IntegerToFloat) {
  const uint64_t odd = 0x1000001;  // 2^24 + 1
  expectPtx({
      {"cvt.rn.f32.u32 $0, $1;", "=f,r", {odd}, {bits(16777216.f)}},
      {"cvt.rp.f32.u32 $0, $1;", "=f,r", {odd}, {bits(16777218.f)}},
      {"cvt.rz.f32.s32 $0, $1;", "=f,r", {uint32_t(-int(odd))}, {bits(-16777216.f)}},
      {"cvt.rm.f32.s32 $0, $1;", "=f,r", {uint32_t(-int(odd))}, {bits(-16777218.f)}},
      {"cvt.rn.f64.s64 $0, $1;", "=d,l", {(1ull << 53) + 1}, {bits(9007199254740992.0)}},
      {"cvt.rp.f64.u64 $0, $1;", "=d,l", {(1ull << 53) + 1}, {bits(9007199254740994.0)}},
      {"cvt.rz.f64.u64 $0, $1;", "=d,l", {~0ull}, {bits(18446744073709549568.0)}},
      {"cvt.rm.f32.u64 $0, $1;", "=f,l", {~0ull}, {bits(18446742974197923840.f)}},
      {"cvt.rp.f32.u64 $0, $1;", "=f,l", {(1ull << 63) + 1}, {0x5f000001}},
      {"cvt.rn.f16.u32 $0, $1;", "=h,r", {2049}, {0x6800}},
      {"cvt.rp.f16.s32 $0, $1;", "=h,r", {2049}, {0x6801}},
      {"cvt.rn.f16.u32 $0, $1;", "=h,r", {70000}, {0x7c00}},
      {"cvt.rz.f16.s64 $0, $1;", "=h,l", {uint64_t(-70000)}, {0xfbff}},
      {"cvt.rn.bf16.s16 $0, $1;", "=h,h", {uint16_t(-3)}, {0xc040}},
      {"cvt.rn.f32.u8 $0, $1;", "=f,r", {0x1ff}, {bits(255.f)}},
      {"cvt.rn.f32.s8 $0, $1;", "=f,r", {0x1ff}, {bits(-1.f)}},
  });
}

TEST(Convert, FloatToFloat) {
  const double wide = 1.0 + std::ldexp(1.0, -40);
  expectPtx({
      {"cvt.f64.f32 $0, $1;", "=d,f", {bits(1.5f)}, {bits(1.5)}},
      {"cvt.rn.f32.f64 $0, $1;", "=f,d", {bits(wide)}, {bits(1.f)}},
      {"cvt.rp.f32.f64 $0, $1;", "=f,d", {bits(wide)}, {0x3f800001}},
      {"cvt.rm.f32.f64 $0, $1;", "=f,d", {bits(-wide)}, {0xbf800001}},
      {"cvt.rz.f32.f64 $0, $1;", "=f,d", {bits(-wide)}, {bits(-1.f)}},
      {"cvt.sat.f32.f32 $0, $1;", "=f,f", {bits(1.5f)}, {bits(1.f)}},
      {"cvt.ftz.f32.f32 $0, $1;", "=f,f", {0x80000001}, {0x80000000}},
      {"cvt.f32.f16 $0, $1;", "=f,h", {0x3e00}, {bits(1.5f)}},
      {"cvt.f32.bf16 $0, $1;", "=f,h", {0x3fc0}, {bits(1.5f)}},
      {"cvt.rn.f16.f32 $0, $1;", "=h,f", {bits(1.0009766f)}, {0x3c01}},
      {"cvt.rz.f16.f32 $0, $1;", "=h,f", {bits(65519.f)}, {0x7bff}},
      {"cvt.rp.f16.f32 $0, $1;", "=h,f", {bits(1e-10f)}, {1}},
      {"cvt.rn.f16.f64 $0, $1;", "=h,d", {bits(65520.0)}, {0x7c00}},
      {"cvt.rn.bf16.f32 $0, $1;", "=h,f", {0x3f808000}, {0x3f80}},
      {"cvt.rn.bf16.f32 $0, $1;", "=h,f", {0x3f818000}, {0x3f82}},
      {"cvt.rz.bf16.f32 $0, $1;", "=h,f", {0x3f81ffff}, {0x3f81}},
      {"cvt.rn.bf16.f32 $0, $1;", "=h,f", {0x7fc12345}, {0x7fff}},
      {"cvt.rn.relu.f16.f32 $0, $1;", "=h,f", {bits(-2.f)}, {0}},
      {"cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f", {bits(1.f), bits(2.f)}, {0x3c004000}},
      {"cvt.rn.bf16x2.f32 $0, $1, $2;", "=r,f,f", {bits(1.f), bits(2.f)}, {0x3f804000}},
      {"cvt.rna.tf32.f32 $0, $1;", "=r,f", {0x3f801000}, {0x3f802000}},
      {"cvt.rn.tf32.f32 $0, $1;", "=r,f", {0x3f801000}, {0x3f800000}},
  });
}

TEST(Convert, EightBits) {
  expectPtx({
      {"cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;", "=h,f,f", {bits(1.f), bits(1000.f)}, {0x387e}},
      {"cvt.rn.satfinite.e5m2x2.f32 $0, $1, $2;", "=h,f,f", {bits(-1.f), bits(1e9f)}, {0xbc7b}},
      {"cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;", "=h,f,f", {0x7fc00000, bits(0.001953125f)}, {0x7f01}},
      {"cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;", "=h,r", {0x3c00c000}, {0x38c0}},
      {"cvt.rn.f16x2.e4m3x2 $0, $1;", "=r,h", {0x387f}, {0x3c007fff}},
      {"cvt.rn.f16x2.e5m2x2 $0, $1;", "=r,h", {0x3c7c}, {0x3c007c00}},
      {"cvt.rp.satfinite.ue8m0x2.f32 $0, $1, $2;", "=h,f,f", {bits(1.f), bits(1.5f)}, {0x7f80}},
      {"cvt.rz.ue8m0x2.bf16x2 $0, $1;", "=h,r", {0x3fc07f80}, {0x7fff}},
      {"cvt.rn.bf16x2.ue8m0x2 $0, $1;", "=r,h", {0x7f80}, {0x3f804000}},
      {"cvt.rz.satfinite.ue8m0x2.f32 $0, $1, $2;", "=h,f,f", {bits(3.f), bits(0.f)}, {0x8000}},
      {"cvt.rn.satfinite.e2m3x2.f32 $0, $1, $2;", "=h,f,f", {bits(-7.4f), bits(0.19f)}, {0x3f02}},
      {"cvt.rn.satfinite.e3m2x2.f32 $0, $1, $2;", "=h,f,f", {bits(100.f), bits(-0.0625f)}, {0x1f21}},
      {"cvt.rn.satfinite.relu.e3m2x2.f32 $0, $1, $2;", "=h,f,f", {bits(1.f), bits(-1.f)}, {0x0c00}},
      {"cvt.rn.f16x2.e2m3x2 $0, $1;", "=r,h", {0x2801}, {0xbc003000}},
      {"cvt.rn.f16x2.e3m2x2 $0, $1;", "=r,h", {0x1f2c}, {0x4f00bc00}},
      {"cvt.rn.relu.f16x2.e3m2x2 $0, $1;", "=r,h", {0x1f2c}, {0x4f000000}},
      {"{.reg .b8 t; cvt.u8.u32 t, $1; cvt.rn.f16x2.e2m1x2 $0, t;}", "=r,r", {0x97}, {0xb8004600}},
      {"{.reg .b8 t; cvt.rn.satfinite.e2m1x2.f32 t, $1, $2; cvt.u32.u8 $0, t;}",
       "=r,f,f",
       {bits(6.f), bits(-0.5f)},
       {0x79}},
  });
  EXPECT_NE(ptxError("cvt.rn.e2m3x2.f32 $0, $1, $2;", "=h,f,f").find("need .satfinite"), std::string::npos);
  EXPECT_NE(ptxError("cvt.rs.satfinite.e4m3x4.f32 $0, {$1,$1,$1,$1}, $2;", "=r,f,r"), "");
}

}  // namespace
}  // namespace hostwarp::tests
