#include "compiler/driver/option_parser.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace hostwarp::driver {
namespace {

using Words = std::vector<std::string>;

Invocation parsed(const Words &words) {
  Expected<ParsedCommandLine> result = parseCommandLine(words);
  EXPECT_TRUE(result.ok()) << result.message();
  return result.ok() ? result->invocation : Invocation();
}

std::string messageOf(const Words &words) {
  const Expected<ParsedCommandLine> result = parseCommandLine(words);
  return result.ok() ? "no error" : result.message();
}

TEST(OptionParser, ArgumentsAreTakenInEveryForm) {
  for (const Words &words : {Words{"-std=c++20", "a.cu"}, Words{"-std", "c++20", "a.cu"}, Words{"--std=c++20", "a.cu"},
                             Words{"--std", "c++20", "a.cu"}})
    EXPECT_EQ(parsed(words).standard, "c++20");
  for (const Words &words : {Words{"-O3", "a.cu"}, Words{"-O", "3", "a.cu"}, Words{"--optimize=3", "a.cu"}})
    EXPECT_EQ(parsed(words).hostOptimization, 3);
  EXPECT_EQ(parsed({"-Ia", "-I", "b,c", "-I=d", "a.cu"}).preprocessor, (Words{"-Ia", "-Ib", "-Ic", "-Id"}));
}

TEST(OptionParser, JoinedDefinitionsKeepTheirEqualsSign) {
  EXPECT_EQ(parsed({"-DX=1", "-D", "Y=\"a b\"", "-UZ", "a.cu"}).preprocessor, (Words{"-DX=1", "-DY=\"a b\"", "-UZ"}));
}

TEST(OptionParser, ListsForToolsAreSplitAtCommasAndBlanks) {
  const Invocation v = parsed({"-Xcompiler", "-a,-b", "--compiler-options", "-c -d", "-Xcompiler=\"-e,-f\"", "a.cu"});
  EXPECT_EQ(v.hostArguments, (Words{"-a", "-b", "-c", "-d", "-e,-f"}));
  EXPECT_EQ(parsed({"-Xlinker", "-rpath,/x", "a.cu"}).linkerArguments, (Words{"-rpath", "/x"}));
}

TEST(OptionParser, UnknownOptionIsNamed) {
  EXPECT_EQ(messageOf({"--nonsense", "a.cu"}), "Unknown option '--nonsense'");
  EXPECT_EQ(messageOf({"-m32", "a.cu"}), "Unknown option '-m32'");
  EXPECT_EQ(messageOf({"--arch=sm_90", "a.cu"}), "Unknown option '--arch=sm_90'");
}

TEST(OptionParser, HostCompilerOptionsAreHandedOn) {
  EXPECT_EQ(parsed({"-Wall", "-fPIC", "-march=native", "-pthread", "a.cu"}).hostArguments,
            (Words{"-Wall", "-fPIC", "-march=native", "-pthread"}));
  EXPECT_EQ(parsed({"-forward-unknown-to-host-compiler", "--odd=1", "a.cu"}).hostArguments, (Words{"--odd=1"}));
  EXPECT_EQ(parsed({"-forward-unknown-to-host-linker", "-z=now", "a.cu"}).linkArguments, (Words{"-z=now"}));
}

TEST(OptionParser, ValuesAreChecked) {
  EXPECT_EQ(messageOf({"-rdc=yes", "a.cu"}), "'yes': expected true or false");
  EXPECT_EQ(messageOf({"-Ofast", "a.cu"}), "'fast': expected a number");
  EXPECT_EQ(messageOf({"-cudart", "foo", "a.cu"}), "Value 'foo' is not defined for option 'cudart'");
  EXPECT_EQ(messageOf({"-std=c++98", "a.cu"}), "Value 'c++98' is not defined for option 'std'");
  EXPECT_EQ(messageOf({"a.cu", "-o"}), "argument expected after '-o'");
  EXPECT_EQ(messageOf({"-G=true", "a.cu"}), "no argument expected after '-G'");
  EXPECT_EQ(messageOf({"-arch=sm_91", "a.cu"}), "Unsupported gpu architecture 'sm_91'");
}

TEST(OptionParser, CombinationsAreChecked) {
  EXPECT_EQ(messageOf({"-c"}), "No input files specified; use option --help for more information");
  EXPECT_EQ(messageOf({"a.xyz"}), "Don't know what to do with 'a.xyz'");
  EXPECT_EQ(messageOf({"-E", "-MD", "a.cu"}), "'-MD'/'-MMD' is not supported when '-E' is also specified");
  EXPECT_EQ(messageOf({"-c", "a.cu", "b.cu", "-o", "x.o"}),
            "A single input file is required for a non-link phase when an outputfile is specified");
}

TEST(OptionParser, WhatIsNotMadeIsRefusedWithAReason) {
  EXPECT_NE(messageOf({"-ltoir", "a.cu"}).find("hostwarp makes no LTO IR"), std::string::npos);
  EXPECT_NE(messageOf({"--optix-ir", "a.cu"}).find("hostwarp makes no OptiX IR"), std::string::npos);
}

TEST(OptionParser, LastValueCountsAndIsWarnedOf) {
  const auto result = parseCommandLine({"-O2", "-O3", "-std=c++14", "-std=c++14", "a.cu"});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->invocation.hostOptimization, 3);
  EXPECT_EQ(result->warnings,
            (Words{"incompatible redefinition for option 'optimize', the last value of this option was used"}));
}

TEST(OptionParser, InputsGetTheirLanguage) {
  const Invocation v = parsed({"a.cu", "b.cpp", "c.c", "d.o", "e.so.1", "f.a"});
  const std::vector<Language> expected = {Language::Cuda,   Language::Cxx,    Language::C,
                                          Language::Object, Language::Object, Language::Object};
  ASSERT_EQ(v.inputs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(v.inputs[i].language, expected[i]) << v.inputs[i].path;
  const Invocation forced = parsed({"-x", "cu", "b.cpp", "odd", "d.o"});
  EXPECT_EQ(forced.inputs[0].language, Language::Cuda);
  EXPECT_EQ(forced.inputs[1].language, Language::Cuda);
  EXPECT_EQ(forced.inputs[2].language, Language::Object);
}

TEST(OptionParser, OptionsOfGpuCodeHaveNoEffect) {
  const Invocation v =
      parsed({"-maxrregcount=32", "-Xptxas", "-warn-spills", "-diag-suppress", "177,20012", "-restrict",
              "--split-compile", "0", "-Wno-deprecated-gpu-targets", "-res-usage", "a.cu"});
  EXPECT_TRUE(v.hostArguments.empty());
  EXPECT_FALSE(v.deviceOptimization.has_value());
}

TEST(OptionParser, PtxasLevelIsTheDeviceCompilers) {
  EXPECT_EQ(parsed({"-Xptxas", "-O1,-v", "a.cu"}).deviceOptimization, 1);
  EXPECT_EQ(parsed({"--ptxas-options=-O0", "a.cu"}).deviceOptimization, 0);
}

TEST(OptionParser, PtxasTellsOfForms) {
  EXPECT_TRUE(parsed({"-Xptxas", "-O1,-v", "a.cu"}).explainsForms);
  EXPECT_TRUE(parsed({"--ptxas-options=--verbose", "a.cu"}).explainsForms);
  EXPECT_FALSE(parsed({"-Xptxas", "-O1", "a.cu"}).explainsForms);
}

class OptionsFileTest : public testing::Test {
 protected:
  void write(const std::string &content) { std::ofstream(path_) << content; }
  void TearDown() override { std::remove(path_.c_str()); }
  const std::string path_ = testing::TempDir() + "hwcc_options_" + std::to_string(getpid());
};

TEST_F(OptionsFileTest, WordsTakeTheFilesPlace) {
  write("-O2 -DNAME=\"a b\"\n-Iinc b.cu\n");
  for (const Words &words : {Words{"@" + path_}, Words{"--options-file", path_}, Words{"-optf=" + path_}}) {
    const Invocation v = parsed(words);
    EXPECT_EQ(v.hostOptimization, 2);
    EXPECT_EQ(v.preprocessor, (Words{"-DNAME=a b", "-Iinc"}));
    EXPECT_EQ(v.inputs.size(), 1u);
  }
}

TEST_F(OptionsFileTest, ItselfInsideIsAnError) {
  write("@" + path_);
  EXPECT_EQ(messageOf({"@" + path_}), "Options files are nested too deeply");
}

TEST_F(OptionsFileTest, MissingOneIsNamed) {
  EXPECT_EQ(messageOf({"@" + path_}), "Could not open options file '" + path_ + "'");
}

}  // namespace
}  // namespace hostwarp::driver
