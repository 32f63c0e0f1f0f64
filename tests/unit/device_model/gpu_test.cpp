#include "device_model/gpu.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace hostwarp::device_model {
namespace {

TEST(Gpu, FindsEveryModelByItsId) {
  for (const Gpu &gpu : all()) EXPECT_EQ(find(gpu.id), &gpu) << gpu.id;
}

TEST(Gpu, IdsAreUnique) {
  std::set<std::string_view> ids;
  for (const Gpu &gpu : all()) EXPECT_TRUE(ids.insert(gpu.id).second) << gpu.id;
}

TEST(Gpu, EveryModelHasAKnownComputeCapability) {
  for (const Gpu &gpu : all()) EXPECT_NE(gpu.capability, nullptr) << gpu.id;
}

TEST(Gpu, EveryComputeCapabilityHasAModel) {
  for (const ComputeCapability &cc : computeCapabilities()) {
    bool found = false;
    for (const Gpu &gpu : all()) found |= gpu.capability == &cc;
    EXPECT_TRUE(found) << cc.major << "." << cc.minor;
  }
}

TEST(Gpu, FindIgnoresCaseAndKnowsAliases) {
  EXPECT_EQ(find("H100"), find("h100"));
  ASSERT_NE(find("Hopper"), nullptr);
  EXPECT_EQ(find("Hopper"), find("h100"));
  EXPECT_EQ(find("maxwell"), find("gtx960"));
}

TEST(Gpu, FindReturnsNullForUnknownNames) {
  EXPECT_EQ(find("voodoo2"), nullptr);
  EXPECT_EQ(find(""), nullptr);
  EXPECT_EQ(find("h10"), nullptr);
}

TEST(Gpu, DefaultIsASmallSliceOfAnH200) {
  EXPECT_EQ(defaultGpu().name, "NVIDIA H200 MIG 1g.18gb");
  EXPECT_EQ(defaultGpu().sms, 16);
  EXPECT_EQ(defaultGpu().capability, computeCapability(9, 0));
}

TEST(Gpu, GpcsTogetherHaveAllSms) {
  for (const Gpu &gpu : all()) {
    int sms = 0;
    for (int i = 0; i < gpu.gpcs; i++) sms += gpu.smsOfGpc(i);
    EXPECT_EQ(sms, gpu.sms) << gpu.id;
  }
}

TEST(ComputeCapability, UnknownVersionIsNull) {
  EXPECT_EQ(computeCapability(3, 5), nullptr);
  EXPECT_EQ(computeCapability(9, 9), nullptr);
}

TEST(ComputeCapability, ComparesVersions) {
  const ComputeCapability &turing = *computeCapability(7, 5);
  EXPECT_TRUE(turing.atLeast(7, 0));
  EXPECT_TRUE(turing.atLeast(7, 5));
  EXPECT_FALSE(turing.atLeast(8, 0));
  EXPECT_TRUE(computeCapability(12, 0)->atLeast(9, 5));
}

TEST(ComputeCapability, ASharedConfigurationHoldsTheLargestBlock) {
  for (const ComputeCapability &cc : computeCapabilities()) {
    EXPECT_EQ(sharedConfiguration(cc, cc.sharedPerSm), cc.sharedPerSm) << cc.major << "." << cc.minor;
    EXPECT_GE(sharedConfiguration(cc, cc.sharedOptin + cc.reservedShared), cc.sharedOptin + cc.reservedShared);
    EXPECT_EQ(sharedConfiguration(cc, cc.sharedPerSm + 1), 0u);
  }
}

// The programming guide's example: 50 % of 100 KiB becomes the next setting, 64 KiB.
TEST(ComputeCapability, SharedConfigurationRoundsUp) {
  EXPECT_EQ(sharedConfiguration(*computeCapability(12, 0), 50 * 1024), 64u * 1024);
}

}  // namespace
}  // namespace hostwarp::device_model
