// What stands for memory when runs are compared.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "emu_runtime/digests/digest.h"
#include "emu_runtime/digests/objects.h"
#include "emu_runtime/digests/signature.h"

namespace hostwarp::digests {
namespace {

using Types = std::vector<std::string>;

TEST(Digest, DiffersForEachChange) {
  std::set<compare_wire::Digest> seen;
  std::string bytes(300, '\0');
  size_t count = 0;
  for (size_t length = 0; length <= bytes.size(); ++length, ++count) seen.insert(digestOf({bytes.data(), length}));
  for (char &byte : bytes)
    for (const int bit : {0, 7}) {
      byte = static_cast<char>(1 << bit);
      seen.insert(digestOf(bytes));
      byte = 0;
      ++count;
    }
  EXPECT_EQ(seen.size(), count);
  EXPECT_EQ(digestOf("hostwarp"), digestOf("hostwarp"));
}

TEST(Digest, IsTheSameForEver) {
  // Files of digests are kept: another function needs another version of their form.
  const auto digest = digestOf("what memory holds, in more than sixty-four bytes, so that all of the lanes have some");
  EXPECT_EQ(digest.high, 0x584f4dddc2ff14a1U);
  EXPECT_EQ(digest.low, 0xc502ec8fa9e394e8U);
}

TEST(Signature, HasTheParametersTypes) {
  EXPECT_EQ(parametersOf("scale(float*, int)"), (Types{"float*", "int"}));
  EXPECT_EQ(parametersOf("void a::b<float, (int)3>(float const*, std::pair<int, long>*)"),
            (Types{"float const*", "std::pair<int, long>*"}));
  EXPECT_EQ(parametersOf("call(void (*)(int, int), double*)"), (Types{"void (*)(int, int)", "double*"}));
  EXPECT_EQ(parametersOf("nothing()"), Types{});
  EXPECT_EQ(parametersOf("kernel"), Types{});
  EXPECT_EQ(pointeeOf("float const*"), "float");
  EXPECT_EQ(pointeeOf("double* const __restrict"), "double");
  EXPECT_EQ(pointeeOf("unsigned int volatile*"), "unsigned int");
  EXPECT_EQ(pointeeOf("Node**"), "Node*");
  EXPECT_EQ(pointeeOf("int"), "");
}

class ObjectsTest : public testing::Test {
 protected:
  const void *at(uintptr_t address) { return reinterpret_cast<const void *>(address); }
  Objects objects;
};

TEST_F(ObjectsTest, AreNumberedAsTheyAreMade) {
  EXPECT_EQ(objects.add("cudaMalloc", "cudaMalloc", at(0x10000), 256, Side::Device).id, 1U);
  EXPECT_EQ(objects.add("cudaMalloc", "cudaMalloc", at(0x20000), 256, Side::Shared).id, 2U);
  EXPECT_TRUE(objects.haveShared());
  EXPECT_EQ(objects.at(at(0x100ff))->id, 1U);
  EXPECT_EQ(objects.at(at(0x10100)), nullptr);
  EXPECT_EQ(objects.release(at(0x20000))->id, 2U);
  EXPECT_EQ(objects.release(at(0x20000)), nullptr);
  EXPECT_FALSE(objects.haveShared());
  EXPECT_EQ(objects.add("cudaMalloc", "cudaMalloc", at(0x20000), 64, Side::Device).id, 3U);
  EXPECT_EQ(objects.live().size(), 2U);
}

TEST_F(ObjectsTest, GiveWayToWhatLiesThereLater) {
  objects.add("cudaMalloc", "cudaMalloc", at(0x10000), 0x1000, Side::Device);
  objects.add("cudaMalloc", "cudaMalloc", at(0x11000), 0x1000, Side::Device);
  objects.release(at(0x10000));
  objects.release(at(0x11000));
  objects.add("cudaMalloc", "cudaMalloc", at(0x10800), 0x1000, Side::Device);
  EXPECT_EQ(objects.live().size(), 1U);
  EXPECT_EQ(objects.byId(1), nullptr);
  EXPECT_EQ(objects.at(at(0x10900))->id, 3U);
}

TEST_F(ObjectsTest, FindAddressesAmongWords) {
  objects.add("cudaMalloc", "cudaMalloc", at(0x200000010000), 256, Side::Device);
  const Object &variable = objects.addVariable("counter", at(0x200000020000), 8);
  const uint64_t words[] = {7, 0x200000010010, 0x200000010100, 0x200000010101, 0x200000020000};
  const std::string bytes(reinterpret_cast<const char *>(words), sizeof words);
  const auto found = objects.addressesIn(bytes);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].at, 8U);
  EXPECT_EQ(found[0].offset, 16U);
  EXPECT_EQ(found[1].offset, 256U) << "just behind the allocation";
  EXPECT_EQ(found[2].id, variable.id);
}

TEST_F(ObjectsTest, AreAlikeAtOtherAddresses) {
  Objects others;
  objects.add("cudaMalloc", "cudaMalloc", at(0x200000010000), 256, Side::Device);
  others.add("cudaMalloc", "cudaMalloc", at(0x300000010000), 256, Side::Device);
  const uint64_t word = 0x200000010010, otherWord = 0x300000010010;
  const std::string_view bytes(reinterpret_cast<const char *>(&word), 8),
      otherBytes(reinterpret_cast<const char *>(&otherWord), 8);
  EXPECT_EQ(withoutAddresses(bytes, objects.addressesIn(bytes)),
            withoutAddresses(otherBytes, others.addressesIn(otherBytes)));
}

TEST_F(ObjectsTest, SeeTheHostsOwnData) {
  static int data = 0;
  const auto word = reinterpret_cast<uint64_t>(&data);
  const auto found = objects.addressesIn({reinterpret_cast<const char *>(&word), 8});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, compare_wire::unknownMemory);
}

}  // namespace
}  // namespace hostwarp::digests
