#include "compiler/driver/architectures.h"

#include <gtest/gtest.h>

namespace hostwarp::driver {
namespace {

TEST(Architectures, NamesOfAllKindsAreRead) {
  EXPECT_EQ(parseArchitecture("sm_35"), (Architecture{350, '\0'}));
  EXPECT_EQ(parseArchitecture("compute_90a"), (Architecture{900, 'a'}));
  EXPECT_EQ(parseArchitecture("sm_103f"), (Architecture{1030, 'f'}));
  EXPECT_EQ(parseArchitecture("lto_121"), (Architecture{1210, '\0'}));
}

TEST(Architectures, WhatNeverExistedIsRefused) {
  for (const char *name : {"sm_", "sm_91", "sm_80a", "sm_90f", "gfx_90", "90", "sm_90b", ""})
    EXPECT_FALSE(parseArchitecture(name)) << name;
}

TEST(Architectures, DefaultIs90) {
  const ArchitectureSet set;
  EXPECT_EQ(set.target().macro, 900);
  EXPECT_EQ(set.list(), std::vector<int>{900});
}

TEST(Architectures, HighestOfSeveralIsCompiled) {
  ArchitectureSet set;
  ASSERT_TRUE(set.addGenerateCode("arch=compute_86,code=sm_86").ok());
  ASSERT_TRUE(set.addGenerateCode("arch=compute_120,code=[sm_120,compute_120]").ok());
  ASSERT_TRUE(set.addGenerateCode("arch=compute_70,code=\"sm_70,sm_75\"").ok());
  EXPECT_EQ(set.target().macro, 1200);
  EXPECT_EQ(set.list(), (std::vector<int>{700, 860, 1200}));
}

TEST(Architectures, TargetsAreWhatNvccMakes) {
  const auto text = [](const ArchitectureSet &set) {
    std::string all;
    for (const Architecture &source : set.sources()) all += describe(set.targets(), source) + ";";
    return all;
  };
  ArchitectureSet none, real, ptx, pair, several;
  EXPECT_EQ(text(none), "compute_90:any;");
  ASSERT_TRUE(real.setArchitecture("sm_80").ok());
  EXPECT_EQ(text(real), "compute_80:sm_80,compute_80:compute_80;");
  ASSERT_TRUE(ptx.setArchitecture("compute_90a").ok());
  EXPECT_EQ(text(ptx), "compute_90a:compute_90a;");
  ASSERT_TRUE(pair.setArchitecture("compute_80").ok() && pair.addCode("sm_86").ok() && pair.addCode("compute_80").ok());
  EXPECT_EQ(text(pair), "compute_80:sm_86,compute_80:compute_80;");
  ASSERT_TRUE(several.addGenerateCode("arch=compute_75,code=sm_75").ok());
  ASSERT_TRUE(several.addGenerateCode("arch=compute_90,code=[sm_90,compute_90]").ok());
  ASSERT_TRUE(several.addGenerateCode("arch=compute_75,code=sm_75").ok());
  EXPECT_EQ(text(several), "compute_90:sm_90,compute_90:compute_90;compute_75:sm_75;");
}

TEST(Architectures, GenerateCodeErrorsNameTheFault) {
  ArchitectureSet set;
  EXPECT_EQ(set.addGenerateCode("arch=compute_90").message(), "Option '--generate-code arch=compute_90', missing code");
  EXPECT_EQ(set.addGenerateCode("code=sm_90").message(), "Option '--generate-code code=sm_90', missing arch");
  EXPECT_EQ(set.addGenerateCode("arch=compute_90,code=sm_80").message(),
            "Incompatible code generation requested: arch='compute_90', code='sm_80'");
  EXPECT_EQ(set.addGenerateCode("arch=compute_9,code=sm_9").message(), "Unsupported gpu architecture 'compute_9'");
}

TEST(Architectures, CodeComesFromArchitecturesThatNvccTakesItFrom) {
  const auto refusal = [](const std::string &arch, const std::string &code) {
    ArchitectureSet set;
    if (Status status = set.setArchitecture(arch); !status.ok()) return status.message();
    if (Status status = set.addCode(code); !status.ok()) return status.message();
    return set.check().message();
  };
  const auto incompatible = [](const std::string &arch, const std::string &code) {
    return "Incompatible code generation requested: arch='" + arch + "', code='" + code + "'";
  };
  for (const auto &[arch, code] : std::vector<std::pair<std::string, std::string>>{{"compute_80", "sm_90"},
                                                                                   {"compute_80", "compute_80"},
                                                                                   {"compute_90", "sm_90a"},
                                                                                   {"compute_90a", "sm_90a"},
                                                                                   {"compute_100f", "sm_103"},
                                                                                   {"compute_100f", "sm_100f"},
                                                                                   {"compute_100", "sm_110"}})
    EXPECT_EQ(refusal(arch, code), "") << arch << " " << code;
  for (const auto &[arch, code] : std::vector<std::pair<std::string, std::string>>{{"compute_90", "sm_80"},
                                                                                   {"compute_80", "compute_90"},
                                                                                   {"compute_90a", "sm_90"},
                                                                                   {"compute_90a", "sm_100"},
                                                                                   {"compute_90", "sm_100f"},
                                                                                   {"compute_100f", "sm_120"}})
    EXPECT_EQ(refusal(arch, code), incompatible(arch, code));
  EXPECT_EQ(refusal("sm_90", "sm_90"), "Value of -arch option ('sm_90') must be a virtual code architecture");
  EXPECT_EQ(refusal("native", "sm_90"), "Cannot use '-arch=native' with '--gpu-code (-code)'");
}

TEST(Architectures, AllMajorIsWhatCuda13Lists) {
  ArchitectureSet set;
  ASSERT_TRUE(set.setArchitecture("all-major").ok());
  EXPECT_EQ(set.list(), (std::vector<int>{750, 800, 900, 1000, 1100, 1200}));
}

TEST(Architectures, CodeAloneIsNotEnough) {
  ArchitectureSet set;
  ASSERT_TRUE(set.addCode("sm_90").ok());
  EXPECT_EQ(set.check().message(), "-arch option not specified");
}

}  // namespace
}  // namespace hostwarp::driver
