// Floating-point arithmetic: roundings against the host's fenv, 16-bit types against wide arithmetic.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

struct Mode {
  const char *name;
  int fenv;
};
constexpr Mode modes[] = {{"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

// inMode() computes with the host's rounding mode; volatile keeps the compiler from doing it earlier or later.
template <class Real, class Compute>
Real inMode(int mode, Compute compute, Real a, Real b, Real c) {
  volatile Real x = a, y = b, z = c;
  std::fesetround(mode);
  volatile Real result = compute(Real(x), Real(y), Real(z));
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class Real>
void expectRoundings(const char *type, const char *letter) {
  const Real big = std::numeric_limits<Real>::max(), least = std::numeric_limits<Real>::denorm_min();
  const std::vector<std::array<Real, 3>> samples{
      {Real(1), Real(3), Real(7)}, {Real(-1), Real(3), Real(1e-9)}, {Real(1.1), Real(-2.3), Real(2.53)},
      {big, big, Real(1)},         {least, Real(0.5), Real(0)},     {Real(1e10), Real(1e-10), Real(-1)}};
  std::vector<PtxCase> cases;
  const std::string l = letter, two = "=" + l + "," + l + "," + l, three = two + "," + l, one = "=" + l + "," + l;
  for (const Mode &mode : modes)
    for (const auto &[a, b, c] : samples) {
      auto text = [&](const char *op, int operands) {
        std::string result = std::string(op) + "." + mode.name + "." + type + " $0";
        for (int i = 1; i <= operands; ++i) result += ", $" + std::to_string(i);
        return result + ";";
      };
      auto host = [&](auto compute) { return bits(inMode<Real>(mode.fenv, compute, a, b, c)); };
      cases.push_back({text("add", 2), two, {bits(a), bits(b)}, {host([](Real x, Real y, Real) { return x + y; })}});
      cases.push_back({text("sub", 2), two, {bits(a), bits(b)}, {host([](Real x, Real y, Real) { return x - y; })}});
      cases.push_back({text("mul", 2), two, {bits(a), bits(b)}, {host([](Real x, Real y, Real) { return x * y; })}});
      cases.push_back({text("div", 2), two, {bits(a), bits(b)}, {host([](Real x, Real y, Real) { return x / y; })}});
      cases.push_back({text("fma", 3), three, {bits(a), bits(b), bits(c)}, {host([](Real x, Real y, Real z) {
                         return std::fma(x, y, z);
                       })}});
      cases.push_back({text("rcp", 1), one, {bits(a)}, {host([](Real x, Real, Real) { return 1 / x; })}});
      if (a > 0)
        cases.push_back({text("sqrt", 1), one, {bits(a)}, {host([](Real x, Real, Real) { return std::sqrt(x); })}});
    }
  expectPtx(cases);
}

TEST(Float, RoundingsOfFloat) { expectRoundings<float>("f32", "f"); }
TEST(Float, RoundingsOfDouble) { expectRoundings<double>("f64", "d"); }

TEST(Float, FlushSaturateRelu) {
  expectPtx({
      {"add.ftz.f32 $0, $1, $2;", "=f,f,f", {1, bits(1.0f)}, {bits(1.0f)}},
      {"mul.ftz.f32 $0, $1, $2;", "=f,f,f", {0x80800000, bits(0.5f)}, {0x80000000}},
      {"mul.f32 $0, $1, $2;", "=f,f,f", {0x80800000, bits(0.5f)}, {0x80400000}},
      {"add.sat.f32 $0, $1, $2;", "=f,f,f", {bits(0.75f), bits(0.75f)}, {bits(1.0f)}},
      {"add.sat.f32 $0, $1, $2;", "=f,f,f", {bits(-0.75f), bits(0.5f)}, {0}},
      {"add.sat.f32 $0, $1, $2;", "=f,f,f", {0x7fc00000, bits(0.5f)}, {0}},
      {"fma.rn.relu.f16 $0, $1, $2, $3;", "=h,h,h,h", {0x3c00, 0xbc00, 0}, {0}},
      {"mad.f32 $0, $1, $2, $3;", "=f,f,f,f", {bits(2.0f), bits(3.0f), bits(4.0f)}, {bits(10.0f)}},
      {"neg.f32 $0, $1;", "=f,f", {bits(2.0f)}, {bits(-2.0f)}},
      {"abs.ftz.f32 $0, $1;", "=f,f", {0x80000001}, {0}},
      {"abs.f64 $0, $1;", "=d,d", {bits(-2.0)}, {bits(2.0)}},
      {"neg.bf16x2 $0, $1;", "=r,r", {0x3f80bf80}, {0xbf803f80}},
      {"abs.f16x2 $0, $1;", "=r,r", {0xbc003c00}, {0x3c003c00}},
  });
}

TEST(Float, MinMax) {
  const uint64_t nan = 0x7fc00001;
  expectPtx({
      {"min.f32 $0, $1, $2;", "=f,f,f", {bits(1.0f), nan}, {bits(1.0f)}},
      {"min.f32 $0, $1, $2;", "=f,f,f", {nan, bits(1.0f)}, {bits(1.0f)}},
      {"min.f32 $0, $1, $2;", "=f,f,f", {nan, nan}, {0x7fffffff}},
      {"max.NaN.f32 $0, $1, $2;", "=f,f,f", {bits(1.0f), nan}, {0x7fffffff}},
      {"min.f32 $0, $1, $2;", "=f,f,f", {0, 0x80000000}, {0x80000000}},
      {"max.f64 $0, $1, $2;", "=d,d,d", {bits(-0.0), bits(0.0)}, {0}},
      {"max.f16x2 $0, $1, $2;", "=r,r,r", {0x3c004000, 0x40003c00}, {0x40004000}},
      {"min.NaN.bf16 $0, $1, $2;", "=h,h,h", {0x3f80, 0x7fc0}, {0x7fff}},
      {"max.xorsign.abs.f32 $0, $1, $2;", "=f,f,f", {bits(-3.0f), bits(2.0f)}, {bits(-3.0f)}},
      {"min.xorsign.abs.f32 $0, $1, $2;", "=f,f,f", {bits(-3.0f), bits(-2.0f)}, {bits(2.0f)}},
  });
}

TEST(Float, SixteenBits) {
  expectPtx({
      {"add.f16 $0, $1, $2;", "=h,h,h", {0x3c00, 0x4000}, {0x4200}},
      {"{add.rn.f16 $0,$1,$2;\n}", "=h,h,h", {0x7bff, 0x7bff}, {0x7c00}},
      {"mul.f16x2 $0, $1, $2;", "=r,r,r", {0x40004200, 0x42004000}, {0x46004600}},
      {"sub.bf16 $0, $1, $2;", "=h,h,h", {0x4040, 0x3f80}, {0x4000}},
      {"fma.rn.bf16x2 $0, $1, $2, $3;", "=r,r,r,r", {0x40004040, 0x40404000, 0x3f803f80}, {0x40e040e0}},
      // 1 + 2^-8 is half way between two bf16; a tiny addend decides.
      {"fma.rn.bf16 $0, $1, $2, $3;", "=h,h,h,h", {0x3f80, 0x3b80, 0x3f80}, {0x3f80}},
      {"fma.rn.bf16 $0, $1, $2, $3;", "=h,h,h,h", {0x3f88, 0x3f88, 0x0080}, {0x3f91}},
      // 2049 is half way between 2048 and 2050.
      {"fma.rn.f16 $0, $1, $2, $3;", "=h,h,h,h", {0x6800, 0x3c00, 0x3c00}, {0x6800}},
      {"fma.rn.f16 $0, $1, $2, $3;", "=h,h,h,h", {0x6800, 0x3c01, 0x0001}, {0x6801}},
      {"add.sat.f16 $0, $1, $2;", "=h,h,h", {0x3c00, 0x4000}, {0x3c00}},
  });
}

TEST(Float, Approximations) {
  auto near = [](const std::string &text, float input, float expected) {
    const auto result = static_cast<uint32_t>(runPtx(text, "=f,f", {bits(input)})[0]);
    float value;
    std::memcpy(&value, &result, 4);
    EXPECT_NEAR(value, expected, std::abs(expected) * 1e-5 + 1e-6) << text;
  };
  near("ex2.approx.ftz.f32 $0, $1;", 3.5f, 11.3137085f);
  near("lg2.approx.f32 $0, $1;", 10.f, 3.32192809f);
  near("sin.approx.f32 $0, $1;", 1.f, 0.84147098f);
  near("cos.approx.ftz.f32 $0, $1;", 1.f, 0.54030231f);
  near("tanh.approx.f32 $0, $1;", 0.5f, 0.46211716f);
  near("rcp.approx.ftz.f32 $0, $1;", 3.f, 0.33333333f);
  near("rsqrt.approx.ftz.f32 $0, $1;", 4.f, 0.5f);
  near("sqrt.approx.f32 $0, $1;", 2.f, 1.41421356f);
  near("div.approx.f32 $0, $1, $1;", 3.f, 1.f);
  near("div.full.ftz.f32 $0, $1, 0f40000000;", 3.f, 1.5f);
  expectPtx({
      {"ex2.approx.f16 $0, $1;", "=h,h", {0x4000}, {0x4400}},
      {"ex2.approx.f16x2 $0, $1;", "=r,r", {0x40003c00}, {0x44004000}},
      {"tanh.approx.f16x2 $0, $1;", "=r,r", {0x00007c00}, {0x00003c00}},
      {"tanh.approx.bf16 $0, $1;", "=h,h", {0xff80}, {0xbf80}},
      {"ex2.approx.ftz.bf16x2 $0, $1;", "=r,r", {0x40003f80}, {0x40804000}},
      {"{ ex2.approx.f32 $0, $0; }", "=f,0", {bits(2.0f)}, {bits(4.0f)}},
      {"rcp.approx.ftz.f64 $0, $1;", "=d,d", {bits(4.0)}, {bits(0.25)}},
  });
}

}  // namespace
}  // namespace hostwarp::tests
