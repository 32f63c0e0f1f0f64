// The parts of `hostwarp compare` that know of numbers and bytes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "emu_runtime/support/compare_wire.h"
#include "tools/hostwarp/compare/base64.h"
#include "tools/hostwarp/compare/element_type.h"
#include "tools/hostwarp/compare/value_comparison.h"

namespace hostwarp::tool::compare {
namespace {

template <typename T>
compare_wire::Values valuesOf(const std::vector<T> &elements) {
  return {std::string(reinterpret_cast<const char *>(elements.data()), elements.size() * sizeof(T)), {}};
}

template <typename T>
std::optional<ValueDifference> compared(const std::vector<T> &first, const std::vector<T> &second, const char *type,
                                        const Tolerance &tolerance = {}) {
  const auto one = valuesOf(first), two = valuesOf(second);
  return compareValues({one, 0xa5}, {two, 0x5a}, type ? findType(type) : nullptr, tolerance);
}

template <typename T>
Element elementOf(const char *type, T value) {
  return elementAt(*findType(type), reinterpret_cast<const char *>(&value));
}

TEST(ElementType, HasCudasNames) {
  EXPECT_EQ(findType("float4")->name, "float");
  EXPECT_EQ(findType("__half2")->name, "half");
  EXPECT_EQ(findType("unsigned long long")->name, "unsigned long");
  EXPECT_EQ(findType("uchar4")->bytes, 1U);
  EXPECT_EQ(findType("Node"), nullptr);
  EXPECT_EQ(findType(""), nullptr);
}

TEST(ElementType, ReadsNumbers) {
  EXPECT_EQ(elementOf("half", uint16_t{0x3c00}).text, "1");
  EXPECT_EQ(elementOf("half", uint16_t{0x0001}).number, std::ldexp(1.0, -24));
  EXPECT_EQ(elementOf("half", uint16_t{0xfc00}).number, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(elementOf("bfloat16", uint16_t{0xc040}).text, "-3");
  EXPECT_EQ(elementOf("float", 0.1F).text, "0.100000001");
  EXPECT_EQ(elementOf("double", 0.1).number, 0.1);
  EXPECT_TRUE(elementOf("float", std::nanf("")).isNan);
  EXPECT_EQ(elementOf("int", -5).text, "-5");
  EXPECT_EQ(elementOf("char", int8_t{-128}).number, -128);
  EXPECT_EQ(elementOf("unsigned long", ~uint64_t{0}).text, "18446744073709551615");
}

TEST(ElementType, CountsUlps) {
  const auto apart = [](float a, float b) { return distance(elementOf("float", a), elementOf("float", b)); };
  EXPECT_EQ(apart(1.0F, std::nextafter(1.0F, 2.0F)), 1U);
  EXPECT_EQ(apart(0.0F, -0.0F), 0U);
  EXPECT_EQ(apart(-std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::denorm_min()), 2U);
  EXPECT_EQ(distance(elementOf("int", -1), elementOf("int", 2)), 3U);
}

TEST(ValueComparison, CountsWhatDiffers) {
  const auto difference = compared<float>({1, 2, 3, 4}, {1, 2.5F, 3, 8}, "float");
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->differing, 2U);
  EXPECT_EQ(difference->first.index, 1U);
  EXPECT_EQ(difference->largest.index, 3U);
  EXPECT_EQ(difference->mostAbsolute, 4);
  EXPECT_EQ(difference->mostRelative, 0.5);
  EXPECT_FALSE(compared<float>({1, 2}, {1, 2}, "float"));
}

TEST(ValueComparison, KeepsToTolerances) {
  const std::vector<float> one = {1, 100}, two = {std::nextafter(1.0F, 2.0F), 101};
  EXPECT_EQ(compared(one, two, "float", {.ulps = 1})->differing, 1U);
  EXPECT_EQ(compared(one, two, "float", {.absolute = 0.5})->first.index, 1U);
  EXPECT_FALSE(compared(one, two, "float", {.relative = 0.01}));
  EXPECT_FALSE(compared<int>({7}, {9}, "int", {.absolute = 2}));
  EXPECT_TRUE(compared<int>({7}, {9}, "int", {.ulps = 5})) << "integers have no ulps";
  EXPECT_TRUE(compared<float>({1}, {std::nanf("")}, "float", {.absolute = 1e30}));
  EXPECT_FALSE(compared<uint32_t>({0x7fffffff}, {0xffc00000}, "float")) << "both are NaN";
}

TEST(ValueComparison, PassesOverWhatNobodyHasWritten) {
  EXPECT_FALSE(compared<uint32_t>({1, 0xa5a5a5a5}, {1, 0x5a5a5a5a}, "int"));
  EXPECT_FALSE(compared<uint32_t>({0xa5a500ff}, {0x5a5a00ff}, "int")) << "half of it is written";
  EXPECT_TRUE(compared<uint32_t>({0x5a5a5a5a}, {0xa5a5a5a5}, "int")) << "the other way round it is";
  EXPECT_TRUE(compared<uint32_t>({0xa5a5a5a5}, {0}, "int"));
}

TEST(ValueComparison, ComparesAddressesByWhatTheyPointTo) {
  auto one = valuesOf<uint64_t>({0x200000010000, 5}), two = valuesOf<uint64_t>({0x7f0000000000, 5});
  EXPECT_TRUE(compareValues({one}, {two}, findType("unsigned long"), {}));
  one.addresses = {{0, 3, 16}};
  two.addresses = {{0, 3, 16}};
  EXPECT_FALSE(compareValues({one}, {two}, findType("unsigned long"), {}));
  EXPECT_FALSE(compareValues({one}, {two}, findType("int"), {}));
  two.addresses = {{0, 3, 24}};
  EXPECT_TRUE(compareValues({one}, {two}, findType("unsigned long"), {}));
  one.addresses = two.addresses = {{0, compare_wire::unknownMemory, 0}};
  EXPECT_FALSE(compareValues({one}, {two}, findType("unsigned long"), {}));
  two.addresses = {};
  EXPECT_TRUE(compareValues({one}, {two}, findType("unsigned long"), {}));
  EXPECT_FALSE(compareValues({one}, {two, 0, true}, findType("unsigned long"), {})) << "a function, on a GPU";
}

TEST(ValueComparison, GuessesTypes) {
  EXPECT_EQ(compared<float>({1, 2}, {1, 3}, nullptr)->type, "float");
  EXPECT_EQ(compared<double>({1.1, 2.3}, {1.1, 3.7}, nullptr)->elements, 2U);
  EXPECT_EQ(compared<int>({1, 2}, {1, 3}, nullptr)->type, "int");
  EXPECT_EQ(compared<char>({1, 2, 3}, {1, 3, 3}, nullptr)->type, "bytes");
  EXPECT_TRUE(compared<char>({1, 2, 3}, {1, 3, 3}, "double")->isGuessed) << "three bytes are no double";
}

TEST(Base64, GoesBothWays) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd"}) EXPECT_EQ(fromBase64(toBase64(text)), text);
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(fromBase64(toBase64(all)), all);
  EXPECT_EQ(toBase64("hostwarp"), "aG9zdHdhcnA=");
}

TEST(CompareWire, CarriesMessages) {
  compare_wire::Work work{"kernel", "k(int*)", {1, 2, 3}, {4, 5, 6}, 7, 8, "cudaErrorUnknown"};
  work.made = {{1, "cudaMalloc", 4}};
  work.released = {9};
  work.changed = {{1, {2, 3}}};
  work.arguments = {{1, "int"}};
  const std::string bytes = encode(work);
  compare_wire::Work read;
  ASSERT_TRUE(decode(bytes, read));
  EXPECT_EQ(encode(read), bytes);
  EXPECT_EQ(read.changed[0].digest.low, 3U);
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(decode(bytes.substr(0, length), read)) << length;
  EXPECT_FALSE(decode(bytes + "x", read));
}

}  // namespace
}  // namespace hostwarp::tool::compare
