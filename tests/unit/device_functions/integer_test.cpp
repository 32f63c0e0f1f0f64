// Integer intrinsics against straightforward definitions, on edge values and random ones.
#include <gtest/gtest.h>
#include <host_defines.h>
#include <hostwarp/device.h>

#include <cstdint>
#include <random>
#include <vector>

namespace hostwarp::tests {
namespace {

std::vector<uint64_t> numbers() {
  std::vector<uint64_t> result = {0,
                                  1,
                                  2,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  0xffffffffffffffff,
                                  0x00800000,
                                  0x007fffff,
                                  0x00ffffff};
  std::mt19937_64 random(11);
  while (result.size() < 300) result.push_back(random() >> (random() % 64));
  return result;
}

int popcount(uint64_t x) {
  int count = 0;
  for (; x; x &= x - 1) ++count;
  return count;
}

TEST(Integer, Bits) {
  for (uint64_t wide : numbers()) {
    const uint32_t x = static_cast<uint32_t>(wide);
    int leading = 32, first = 0;
    uint32_t reversed = 0;
    for (int i = 0; i < 32; ++i)
      if ((x >> i) & 1) {
        leading = 31 - i;
        reversed |= 0x80000000u >> i;
        if (!first) first = i + 1;
      }
    EXPECT_EQ(__clz(static_cast<int>(x)), leading);
    EXPECT_EQ(__ffs(static_cast<int>(x)), first);
    EXPECT_EQ(__brev(x), reversed);
    EXPECT_EQ(__popc(x), popcount(x));
    EXPECT_EQ(__popcll(wide), popcount(wide));
    EXPECT_EQ(__brevll(wide), (static_cast<uint64_t>(__brev(x)) << 32) | __brev(static_cast<uint32_t>(wide >> 32)));
    const uint32_t high = static_cast<uint32_t>(wide >> 32);
    EXPECT_EQ(__clzll(static_cast<long long>(wide)), high ? __clz(static_cast<int>(high)) : 32 + leading);
    EXPECT_EQ(__ffsll(static_cast<long long>(wide)), first ? first : high ? 32 + __ffs(static_cast<int>(high)) : 0);
  }
}

TEST(Integer, Products) {
  for (uint64_t a : numbers())
    for (uint64_t b : numbers()) {
      const auto x = static_cast<int>(a), y = static_cast<int>(b);
      const auto ux = static_cast<unsigned>(a), uy = static_cast<unsigned>(b);
      EXPECT_EQ(__mulhi(x, y), static_cast<int>((static_cast<int64_t>(x) * y) >> 32));
      EXPECT_EQ(__umulhi(ux, uy), static_cast<unsigned>((static_cast<uint64_t>(ux) * uy) >> 32));
      EXPECT_EQ(__umul64hi(a, b), static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64));
      EXPECT_EQ(__mul64hi(static_cast<int64_t>(a), static_cast<int64_t>(b)),
                static_cast<int64_t>((static_cast<__int128>(static_cast<int64_t>(a)) * static_cast<int64_t>(b)) >> 64));
      // The low 24 bits, sign-extended from bit 23.
      const int64_t sx = static_cast<int64_t>(a << 40) >> 40, sy = static_cast<int64_t>(b << 40) >> 40;
      EXPECT_EQ(__mul24(x, y), static_cast<int>(sx * sy));
      EXPECT_EQ(__umul24(ux, uy), static_cast<unsigned>((a & 0xffffff) * (b & 0xffffff)));
    }
}

TEST(Integer, AveragesAndDifferences) {
  for (uint64_t a : numbers())
    for (uint64_t b : numbers()) {
      const auto x = static_cast<int>(a), y = static_cast<int>(b);
      const auto ux = static_cast<unsigned>(a), uy = static_cast<unsigned>(b);
      const int64_t sum = static_cast<int64_t>(x) + y;
      EXPECT_EQ(__hadd(x, y), static_cast<int>(sum >> 1));
      EXPECT_EQ(__rhadd(x, y), static_cast<int>((sum + 1) >> 1));
      EXPECT_EQ(__uhadd(ux, uy), static_cast<unsigned>((uint64_t{ux} + uy) / 2));
      EXPECT_EQ(__urhadd(ux, uy), static_cast<unsigned>((uint64_t{ux} + uy + 1) / 2));
      EXPECT_EQ(__sad(x, y, 5u), static_cast<unsigned>(std::abs(static_cast<int64_t>(x) - y) + 5));
      EXPECT_EQ(__usad(ux, uy, 5u), static_cast<unsigned>(std::abs(int64_t{ux} - int64_t{uy}) + 5));
    }
}

TEST(Integer, BytePermutationAndFunnelShifts) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    const unsigned x = random(), y = random(), selector = random();
    unsigned expected = 0;
    for (int i = 0; i < 4; ++i) {
      const unsigned index = (selector >> (4 * i)) & 7;
      expected |= (((index < 4 ? x : y) >> (8 * (index & 3))) & 0xff) << (8 * i);
    }
    ASSERT_EQ(__byte_perm(x, y, selector), expected);
    const unsigned shift = selector % 70;
    const uint64_t both = (static_cast<uint64_t>(y) << 32) | x;
    const unsigned wrapped = shift & 31, clamped = shift > 32 ? 32 : shift;
    ASSERT_EQ(__funnelshift_l(x, y, shift), static_cast<unsigned>((both << wrapped) >> 32));
    ASSERT_EQ(__funnelshift_r(x, y, shift), static_cast<unsigned>(both >> wrapped));
    ASSERT_EQ(__funnelshift_lc(x, y, shift), static_cast<unsigned>((both << clamped) >> 32));
    ASSERT_EQ(__funnelshift_rc(x, y, shift), static_cast<unsigned>(both >> clamped));
  }
}

TEST(Integer, NthSetBit) {
  EXPECT_EQ(__fns(0xaaaaaaaau, 0, 1), 1u);
  EXPECT_EQ(__fns(0xaaaaaaaau, 1, 1), 1u);
  EXPECT_EQ(__fns(0xaaaaaaaau, 1, 2), 3u);
  EXPECT_EQ(__fns(0xaaaaaaaau, 4, -1), 3u);
  EXPECT_EQ(__fns(0xaaaaaaaau, 3, -2), 1u);
  EXPECT_EQ(__fns(0xaaaaaaaau, 3, 0), 3u);
  EXPECT_EQ(__fns(0xaaaaaaaau, 2, 0), 0xffffffffu);
  EXPECT_EQ(__fns(0x1u, 0, 2), 0xffffffffu);
}

TEST(Integer, DotProducts) {
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    const unsigned a = random(), b = random(), c = random();
    const auto sx = [](unsigned w, int i) { return static_cast<int>(static_cast<int8_t>(w >> (8 * i))); };
    const auto ux = [](unsigned w, int i) { return static_cast<int>(static_cast<uint8_t>(w >> (8 * i))); };
    const auto sh = [](unsigned w, int i) { return static_cast<int>(static_cast<int16_t>(w >> (16 * i))); };
    const auto uh = [](unsigned w, int i) { return static_cast<int>(static_cast<uint16_t>(w >> (16 * i))); };
    int64_t dp4s = static_cast<int>(c), dp4u = c, lo = static_cast<int>(c), hi = static_cast<int>(c), lou = c, hiu = c;
    for (int i = 0; i < 4; ++i) {
      dp4s += sx(a, i) * sx(b, i);
      dp4u += ux(a, i) * ux(b, i);
    }
    for (int i = 0; i < 2; ++i) {
      lo += sh(a, i) * sx(b, i);
      hi += sh(a, i) * sx(b, i + 2);
      lou += int64_t{uh(a, i)} * ux(b, i);
      hiu += int64_t{uh(a, i)} * ux(b, i + 2);
    }
    const int ia = static_cast<int>(a), ib = static_cast<int>(b), ic = static_cast<int>(c);
    ASSERT_EQ(__dp4a(ia, ib, ic), static_cast<int>(dp4s));
    ASSERT_EQ(__dp4a(a, b, c), static_cast<unsigned>(dp4u));
    ASSERT_EQ(__dp2a_lo(ia, ib, ic), static_cast<int>(lo));
    ASSERT_EQ(__dp2a_hi(ia, ib, ic), static_cast<int>(hi));
    ASSERT_EQ(__dp2a_lo(a, b, c), static_cast<unsigned>(lou));
    ASSERT_EQ(__dp2a_hi(a, b, c), static_cast<unsigned>(hiu));
    const char4 va = {static_cast<signed char>(a), static_cast<signed char>(a >> 8), static_cast<signed char>(a >> 16),
                      static_cast<signed char>(a >> 24)};
    const char4 vb = {static_cast<signed char>(b), static_cast<signed char>(b >> 8), static_cast<signed char>(b >> 16),
                      static_cast<signed char>(b >> 24)};
    ASSERT_EQ(__dp4a(va, vb, ic), static_cast<int>(dp4s));
  }
}

TEST(Integer, MinAndMaxOfMixedTypes) {
  EXPECT_EQ(min(-1, 5u), 5u);  // the int becomes unsigned
  EXPECT_EQ(max(-1, 5u), 0xffffffffu);
  EXPECT_EQ(min(-1, 5), -1);
  EXPECT_EQ(max(-1LL, 5LL), 5LL);
  EXPECT_EQ(min(3.0f, 2.0), 2.0);
  static_assert(std::is_same<decltype(max(1.0f, 2.0)), double>::value, "float and double give double");
  static_assert(std::is_same<decltype(max(1.0f, 2.0f)), float>::value, "float stays float");
  static_assert(std::is_same<decltype(max(1L, 2UL)), unsigned long>::value, "unsigned wins");
}

}  // namespace
}  // namespace hostwarp::tests
