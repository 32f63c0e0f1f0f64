// mma of small floats and of scaled blocks, ldmatrix and stmatrix. All lanes have the same registers here: of each word
// of A and B four copies lie along k, so that one element in each gives four equal products.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

// product() has D = A * B, of which only the first register of A and of B is not zero: the first two elements are
// `result`, the others are zero.
PtxCase product(const std::string &modifiers, uint32_t a, uint32_t b, float result, const std::string &scales = "",
                const Values &scaleWords = {}) {
  std::string constraints = "=f,=f,=f,=f,r,r,r";
  for (size_t i = 0; i < scaleWords.size(); ++i) constraints += ",r";
  Values inputs = {a, b, 0};
  inputs.insert(inputs.end(), scaleWords.begin(), scaleWords.end());
  return {"mma.sync.aligned." + modifiers + " {$0,$1,$2,$3}, {$4,$6,$6,$6}, {$5,$6}, {$6,$6,$6,$6}" + scales + ";",
          constraints,
          inputs,
          {bits(result), bits(result), 0, 0}};
}

struct Element {
  const char *type;
  uint32_t bits;  // as they lie in a byte
  float value;
};

TEST(Matrix, ElementsInBytes) {
  const Element elements[] = {
      {"e2m1", 1 << 2, 0.5f}, {"e2m1", 7 << 2, 6},   {"e2m1", 9 << 2, -0.5f}, {"e2m3", 1, 0.125f},
      {"e2m3", 0x1f, 7.5f},   {"e2m3", 0x28, -1},    {"e3m2", 1, 0.0625f},    {"e3m2", 0x1f, 28},
      {"e3m2", 0x2c, -1},     {"e4m3", 0x7e, 448},   {"e4m3", 1, 0x1p-9f},    {"e4m3", 0xb8, -1},
      {"e5m2", 0x7b, 57344},  {"e5m2", 1, 0x1p-16f}, {"e5m2", 0xbc, -1},      {"e5m2", 0x7c, INFINITY},
  };
  std::vector<PtxCase> cases;
  for (const Element &element : elements) {
    const int byte = int(cases.size() / 2 % 4);
    const std::string type = element.type, kind = "kind::f8f6f4.m16n8k32.row.col.f32.";
    const uint32_t bits = element.bits << 8 * byte, one = 0x38u << 8 * byte;  // of e4m3
    cases.push_back(product(kind + type + ".e4m3.f32", bits, one, 4 * element.value));
    if (!std::isinf(element.value))  // times the other rows of A
      cases.push_back(product(kind + "e4m3." + type + ".f32", one, bits, 4 * element.value));
  }
  expectPtx(cases);
}

TEST(Matrix, PackedElements) {
  const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  std::vector<PtxCase> cases;
  for (uint32_t code = 1; code < 16; ++code)
    if (code != 8)
      cases.push_back(product("kind::mxf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0", code << 4 * (code % 8),
                              2u << 4 * (code % 8), (code & 8 ? -4 : 4) * values[code & 7], ", $7, {0,0}, $7, {0,0}",
                              {0x7f7f7f7f}));
  expectPtx(cases);
}

TEST(Matrix, Scales) {
  const std::string bytes = "kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0";
  const std::string halves = "kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3";
  const uint32_t word = 0x7f7e7d7c;  // 2^-3, 2^-2, 2^-1 and 2^0
  expectPtx({
      product(bytes, 0x38, 0x38, 0.5f, ", $7, {0,0}, $7, {3,3}", {word}),
      product(bytes, 0x38, 0x38, 2, ", {$7}, {3,1}, {$7}, {2,0}", {word}),
      // Huge scales may cancel out.
      product(bytes, 0x7e, 0x38, 4 * 448, ", $7, {0,0}, $8, {0,0}", {0xfe, 0x00}),
      // 1.5, which has no sign. Each of the first two blocks has two of the four products.
      product(halves, 2, 2, 9, ", $7, {0,0}, $7, {0,0}", {0x3c3c}),
      product(halves, 2, 2, 9, ", $7, {0,0}, $7, {0,0}", {0xbcbc}),
      product(halves, 2, 2, 7.5f, ", $7, {0,0}, $8, {0,0}", {0x3c3c, 0x3c38}),
  });
}

// NaNs are elements as well as scales.
TEST(Matrix, NotANumber) {
  const auto isNan = [](const PtxCase &test) {
    const auto word = uint32_t(runPtx(test.text, test.constraints, test.inputs)[0]);
    return (word & 0x7fffffff) > 0x7f800000;
  };
  EXPECT_TRUE(isNan(product("kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e5m2.f32", 0x7f, 0x3c, 0)));
  EXPECT_TRUE(isNan(product("kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e5m2.f32", 0x38, 0x7e, 0)));
  EXPECT_TRUE(isNan(product("kind::mxf8f6f4.block_scale.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0", 0x38, 0x38, 0,
                            ", $7, {0,0}, $8, {0,0}", {0x7f, 0xff})));
}

TEST(Matrix, RegistersSelectScales) {
  const Values d = runPtx(
      "mma.sync.aligned.kind::mxf8f6f4.block_scale.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0 {$0,$1,$2,$3}, "
      "{$4,$5,$5,$5}, {$4,$5}, {$5,$5,$5,$5}, $6, {$7,$8}, $6, {$8,$8};",
      "=f,=f,=f,=f,r,r,r,h,h", {0x38, 0, 0x7f7e7d7c, 2, 1});
  EXPECT_EQ(d[0], bits(0.5f));  // 2^-1 for A, 2^-2 for B
}

TEST(Matrix, Errors) {
  const std::string dense = " {$0,$1,$2,$3}, {$4,$4,$4,$4}, {$4,$4}, {$4,$4,$4,$4}", constraints = "=f,=f,=f,=f,r";
  const auto error = [&](const std::string &modifiers, const std::string &scales = "") {
    return ptxError("mma.sync.aligned." + modifiers + dense + scales + ";", constraints);
  };
  const std::string scales = ", $4, {0,0}, $4, {0,0}";
  EXPECT_EQ(error("m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32"), "");
  EXPECT_EQ(error("m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e2m1.e3m2.f32.ue8m0", scales), "");
  EXPECT_EQ(error("m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0", scales), "");
  const struct {
    const char *modifiers, *what;
    bool scaled;
  } cases[] = {
      {"m16n8k32.row.col.f32.e2m1.e4m3.f32", ".e2m1 needs .kind::f8f6f4", false},
      {"m16n8k32.row.col.kind::f8f6f4.f32.s8.e4m3.f32", ".kind::f8f6f4 does not take .s8", false},
      {"m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32", "is .m16n8k32", false},
      {"m16n8k32.row.col.kind::mxf8f6f4.f32.e2m1.e4m3.f32", "needs .block_scale", false},
      {"m16n8k32.row.col.kind::f8f6f4.block_scale.f32.e2m1.e4m3.f32.ue8m0", ".block_scale needs", true},
      {"m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue4m3", "needs .scale_vec::2X or", true},
      {"m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue4m3", "do not go with .kind::mxf4", true},
      {"m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue4m3", "do not go with", true},
      {"m16n8k64.row.col.kind::mxf4.block_scale.f32.e4m3.e2m1.f32.ue8m0", "does not take .e4m3", true},
      {"m16n8k32.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", "is .m16n8k64", true},
      {"m16n8k32.row.col.kind::mxf8f6f4.block_scale.f16.e2m1.e2m1.f16.ue8m0", "are .f32", true},
  };
  for (const auto &test : cases)
    EXPECT_NE(error(test.modifiers, test.scaled ? scales : "").find(test.what), std::string::npos)
        << test.modifiers << ": " << error(test.modifiers, test.scaled ? scales : "");
  const std::string packed = "m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
  for (const char *selectors : {", $4, {1,0}, $4, {0,0}", ", $4, {0,2}, $4, {0,0}", ", $4, {0,0}, $4, {0,4}"})
    EXPECT_NE(error(packed, selectors).find("out of range"), std::string::npos) << selectors;
  EXPECT_NE(error(packed, ", $4, 0, $4, {0,0}").find("{byte-id, thread-id}"), std::string::npos);
  EXPECT_NE(
      ptxError("mma.sp.sync.aligned.kind::f8f6f4.m16n8k64.row.col.f32.e2m1.e2m1.f32 {$0,$1,$2,$3}, {$4,$4,$4,$4}, "
               "{$4,$4,$4,$4}, {$4,$4,$4,$4}, $4, 0;",
               constraints)
          .find(".sp::ordered_metadata"),
      std::string::npos);
}

TEST(Matrix, MoveErrors) {
  const auto load = [](const std::string &modifiers, const std::string &registers) {
    return ptxError("ldmatrix.sync.aligned." + modifiers + " {" + registers + "}, [$4];", "=r,=r,=r,=r,r");
  };
  EXPECT_EQ(load("m16n16.x2.trans.shared.b8", "$0,$1,$2,$3"), "");
  EXPECT_EQ(load("m8n16.x1.shared.b8x16.b6x16_p32", "$0"), "");
  EXPECT_NE(load("m16n16.x1.shared.b8", "$0,$1").find(".m16n16 needs .trans"), std::string::npos);
  EXPECT_NE(load("m8n16.x1.trans.shared.b8x16.b6x16_p32", "$0").find("does not go with .trans"), std::string::npos);
  EXPECT_NE(load("m16n16.x4.trans.shared.b8", "$0,$1,$2,$3").find("number of matrices"), std::string::npos);
  EXPECT_NE(load("m16n16.x1.trans.shared.b8", "$0").find("number of registers"), std::string::npos);
  EXPECT_NE(load("m8n16.x1.shared.b8", "$0").find("unsupported matrix"), std::string::npos);
  EXPECT_NE(load("m8n8.x1.trans.shared.b8", "$0").find("unsupported matrix"), std::string::npos);
}

}  // namespace
}  // namespace hostwarp::tests
