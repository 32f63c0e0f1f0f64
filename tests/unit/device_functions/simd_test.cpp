// SIMD-within-a-word functions against a lane-by-lane reference in 64-bit arithmetic, on edge words and random ones.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace hostwarp::tests {
namespace {

std::vector<unsigned> words() {
  std::vector<unsigned> result = {0u,          1u,          0xffffffffu, 0x80008000u, 0x7fff7fffu, 0x80808080u,
                                  0x7f7f7f7fu, 0x00010001u, 0x01010101u, 0xff00ff00u, 0x80007fffu, 0x7f80ff01u};
  std::mt19937 random(7);
  while (result.size() < 400) result.push_back(random());
  return result;
}

int64_t laneOf(unsigned word, int bits, int i, bool isSigned) {
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  const uint64_t raw = (word >> (bits * i)) & mask;
  return isSigned && (raw >> (bits - 1)) ? static_cast<int64_t>(raw) - static_cast<int64_t>(mask) - 1
                                         : static_cast<int64_t>(raw);
}

int64_t clampTo(int64_t value, int bits, bool isSigned) {
  const int64_t high = isSigned ? (int64_t{1} << (bits - 1)) - 1 : (int64_t{1} << bits) - 1;
  return std::clamp(value, isSigned ? -high - 1 : 0, high);
}

// expectLanes() compares a function of two words with `lane` applied to each pair of lanes.
template <class Function, class Lane>
void expectLanes(const char *name, int bits, bool isSigned, Function function, Lane lane) {
  for (unsigned a : words())
    for (unsigned b : words()) {
      unsigned expected = 0;
      for (int i = 0; i < 32 / bits; ++i) {
        const int64_t value = lane(laneOf(a, bits, i, isSigned), laneOf(b, bits, i, isSigned));
        expected |= (static_cast<unsigned>(value) & ((1u << bits) - 1)) << (bits * i);
      }
      ASSERT_EQ(function(a, b), expected) << name << std::hex << "(" << a << ", " << b << ")";
    }
}

#define LANES(name, bits, isSigned, expression)                                 \
  expectLanes(                                                                  \
      #name, bits, isSigned, [](unsigned a, unsigned b) { return name(a, b); }, \
      []([[maybe_unused]] int64_t x, [[maybe_unused]] int64_t y) -> int64_t { return expression; });
#define LANES_UNARY(name, bits, isSigned, expression)                      \
  expectLanes(                                                             \
      #name, bits, isSigned, [](unsigned a, unsigned) { return name(a); }, \
      []([[maybe_unused]] int64_t x, int64_t) -> int64_t { return expression; });
#define BOTH(macro, name, isSigned, expression) \
  {                                             \
    constexpr int bits = 16;                    \
    macro(name##2, bits, isSigned, expression)  \
  }                                             \
  {                                             \
    constexpr int bits = 8;                     \
    macro(name##4, bits, isSigned, expression)  \
  }

TEST(Simd, Arithmetic){
    BOTH(LANES, __vadd, true, x + y) BOTH(LANES, __vaddss, true, clampTo(x + y, bits, true))
        BOTH(LANES, __vaddus, false, clampTo(x + y, bits, false)) BOTH(LANES, __vsub, true, x - y)
            BOTH(LANES, __vsubss, true, clampTo(x - y, bits, true))
                BOTH(LANES, __vsubus, false, clampTo(x - y, bits, false))
                    BOTH(LANES, __vabsdiffs, true, std::abs(x - y)) BOTH(LANES, __vabsdiffu, false, std::abs(x - y))
                        BOTH(LANES, __vmaxs, true, std::max(x, y)) BOTH(LANES, __vmaxu, false, std::max(x, y))
                            BOTH(LANES, __vmins, true, std::min(x, y)) BOTH(LANES, __vminu, false, std::min(x, y))
                                BOTH(LANES, __vhaddu, false, (x + y) / 2) BOTH(LANES, __vavgu, false, (x + y + 1) / 2)
    // Halves round away from zero.
    BOTH(LANES, __vavgs, true, x + y >= 0 ? (x + y + 1) / 2 : -((-(x + y) + 1) / 2))}

TEST(Simd, OneOperand){
    BOTH(LANES_UNARY, __vabs, true, std::abs(x)) BOTH(LANES_UNARY, __vabsss, true, clampTo(std::abs(x), bits, true))
        BOTH(LANES_UNARY, __vneg, true, -x) BOTH(LANES_UNARY, __vnegss, true, clampTo(-x, bits, true))}
#define COMPARISON(suffix, isSigned, operation)                 \
  BOTH(LANES, __vcmp##suffix, isSigned, x operation y ? -1 : 0) \
  BOTH(LANES, __vset##suffix, isSigned, x operation y ? 1 : 0)

TEST(Simd, Comparisons) {
  COMPARISON(eq, true, ==)
  COMPARISON(ne, true, !=)
  COMPARISON(ges, true, >=)
  COMPARISON(geu, false, >=)
  COMPARISON(gts, true, >)
  COMPARISON(gtu, false, >)
  COMPARISON(les, true, <=)
  COMPARISON(leu, false, <=)
  COMPARISON(lts, true, <)
  COMPARISON(ltu, false, <)
}

template <class Function>
void expectSum(const char *name, int bits, bool isSigned, Function function) {
  for (unsigned a : words())
    for (unsigned b : words()) {
      int64_t expected = 0;
      for (int i = 0; i < 32 / bits; ++i)
        expected += std::abs(laneOf(a, bits, i, isSigned) - laneOf(b, bits, i, isSigned));
      ASSERT_EQ(function(a, b), static_cast<unsigned>(expected)) << name << std::hex << "(" << a << ", " << b << ")";
    }
}

TEST(Simd, SumsOfAbsoluteDifferences) {
  expectSum("__vsads2", 16, true, [](unsigned a, unsigned b) { return __vsads2(a, b); });
  expectSum("__vsadu2", 16, false, [](unsigned a, unsigned b) { return __vsadu2(a, b); });
  expectSum("__vsads4", 8, true, [](unsigned a, unsigned b) { return __vsads4(a, b); });
  expectSum("__vsadu4", 8, false, [](unsigned a, unsigned b) { return __vsadu4(a, b); });
}

// --- DPX: three operands; the third is drawn from the pair ---

unsigned third(unsigned a, unsigned b) { return (a * 2654435761u) ^ (b >> 3); }

int64_t wrap(int64_t value, int bits, bool isSigned) { return laneOf(static_cast<unsigned>(value), bits, 0, isSigned); }

template <class Function, class Lane>
void expectThree(const char *name, int bits, bool isSigned, Function function, Lane lane) {
  for (unsigned a : words())
    for (unsigned b : words()) {
      const unsigned c = third(a, b);
      uint64_t expected = 0;
      for (int i = 0; i < 32 / bits; ++i) {
        const int64_t value =
            lane(laneOf(a, bits, i, isSigned), laneOf(b, bits, i, isSigned), laneOf(c, bits, i, isSigned));
        expected |= (static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1)) << (bits * i);
      }
      ASSERT_EQ(static_cast<unsigned>(function(a, b, c)), static_cast<unsigned>(expected))
          << name << std::hex << "(" << a << ", " << b << ", " << c << ")";
    }
}

#define THREE(name, bits, isSigned, expression)                                                \
  expectThree(                                                                                 \
      #name, bits, isSigned, [](unsigned a, unsigned b, unsigned c) { return name(a, b, c); }, \
      [](int64_t x, int64_t y, int64_t z) -> int64_t { return expression; });
#define TWO(name, bits, isSigned, expression)                                             \
  expectThree(                                                                            \
      #name, bits, isSigned, [](unsigned a, unsigned b, unsigned) { return name(a, b); }, \
      [](int64_t x, int64_t y, int64_t) -> int64_t { return expression; });
#define SIGNED_FORMS(function, name, expression)                                          \
  function(name##_s32, 32, true, expression) function(name##_s16x2, 16, true, expression) \
      function(name##_s32_relu, 32, true, std::max<int64_t>(expression, 0))               \
          function(name##_s16x2_relu, 16, true, std::max<int64_t>(expression, 0))
#define UNSIGNED_FORMS(function, name, expression) \
  function(name##_u32, 32, false, expression) function(name##_u16x2, 16, false, expression)

TEST(Simd, FusedMinimaAndMaxima){
    SIGNED_FORMS(THREE, __vimax3, std::max({x, y, z})) SIGNED_FORMS(THREE, __vimin3, std::min({x, y, z}))
        UNSIGNED_FORMS(THREE, __vimax3, std::max({x, y, z})) UNSIGNED_FORMS(THREE, __vimin3, std::min({x, y, z})) TWO(
            __vimax_s32_relu, 32, true, std::max<int64_t>({x, y, 0})) TWO(__vimin_s32_relu, 32, true,
                                                                          std::max<int64_t>(std::min(x, y), 0))
            TWO(__vimax_s16x2_relu, 16, true, std::max<int64_t>({x, y, 0})) TWO(__vimin_s16x2_relu, 16, true,
                                                                                std::max<int64_t>(std::min(x, y), 0))
                THREE(__viaddmax_s32, 32, true, std::max(wrap(x + y, 32, true), z))
                    THREE(__viaddmin_s32, 32, true, std::min(wrap(x + y, 32, true), z))
                        THREE(__viaddmax_u32, 32, false, std::max(wrap(x + y, 32, false), z))
                            THREE(__viaddmin_u32, 32, false, std::min(wrap(x + y, 32, false), z))
                                THREE(__viaddmax_s16x2, 16, true, std::max(wrap(x + y, 16, true), z))
                                    THREE(__viaddmin_s16x2, 16, true, std::min(wrap(x + y, 16, true), z))
                                        THREE(__viaddmax_u16x2, 16, false, std::max(wrap(x + y, 16, false), z))
                                            THREE(__viaddmin_u16x2, 16, false, std::min(wrap(x + y, 16, false), z))
                                                THREE(__viaddmax_s32_relu, 32, true,
                                                      std::max<int64_t>({wrap(x + y, 32, true), z, 0}))
                                                    THREE(__viaddmin_s32_relu, 32, true,
                                                          std::max<int64_t>(std::min(wrap(x + y, 32, true), z), 0))
                                                        THREE(__viaddmax_s16x2_relu, 16, true,
                                                              std::max<int64_t>({wrap(x + y, 16, true), z, 0}))
                                                            THREE(__viaddmin_s16x2_relu, 16, true,
                                                                  std::max<int64_t>(std::min(wrap(x + y, 16, true), z),
                                                                                    0))}

TEST(Simd, MinimaAndMaximaThatTellWhichOperandWon) {
  for (unsigned a : words())
    for (unsigned b : words()) {
      bool first = false, high = false, low = false;
      const int x = static_cast<int>(a), y = static_cast<int>(b);
      EXPECT_EQ(__vibmax_s32(x, y, &first), std::max(x, y));
      EXPECT_EQ(first, x >= y);
      EXPECT_EQ(__vibmin_u32(a, b, &first), std::min(a, b));
      EXPECT_EQ(first, a <= b);
      const unsigned result = __vibmin_s16x2(a, b, &high, &low);
      for (int i = 0; i < 2; ++i) {
        const int64_t p = laneOf(a, 16, i, true), q = laneOf(b, 16, i, true);
        EXPECT_EQ(laneOf(result, 16, i, true), std::min(p, q));
        EXPECT_EQ(i ? high : low, p <= q);
      }
    }
}

}  // namespace
}  // namespace hostwarp::tests
