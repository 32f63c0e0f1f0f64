#include "compiler/driver/planner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/driver/option_parser.h"

namespace hostwarp::driver {
namespace {

using Words = std::vector<std::string>;

Toolchain fakeToolchain() {
  Toolchain tools;
  tools.root = "/hw";
  tools.binDirectory = "/hw/bin";
  tools.libraryDirectory = "/hw/lib";
  tools.includeDirectory = "/hw/include";
  tools.cccl = "/cuda/include/cccl";
  tools.clang = tools.linkDriver = "/bin/clang++";
  tools.linker = "/bin/ld.lld";
  tools.hwccDevice = "/hw/bin/hwcc-device";
  tools.clangPlugin = "/hw/lib/clang_plugin.so";
  tools.hostPlugin = "/hw/lib/plugin.so";
  tools.hostCxx = "/bin/g++";
  tools.hostC = "/bin/gcc";
  tools.archiver = "/bin/ar";
  return tools;
}

class PlannerTest : public testing::Test {
 protected:
  const Plan &planFor(const Words &words) {
    auto parsed = parseCommandLine(words);
    EXPECT_TRUE(parsed.ok()) << parsed.message();
    temps_.keep("/t");
    auto plan = makePlan(parsed->invocation, fakeToolchain(), temps_, "identity");
    EXPECT_TRUE(plan.ok());
    plan_ = *plan;
    return plan_;
  }
  Words phases() const {
    Words result;
    for (const Job &job : plan_.jobs) result.push_back(job.phase);
    return result;
  }
  const Job &job(const std::string &phase) const {
    const auto found = std::ranges::find(plan_.jobs, phase, &Job::phase);
    EXPECT_NE(found, plan_.jobs.end()) << phase;
    return *found;
  }
  bool has(const std::string &phase, const std::string &word) const {
    return std::ranges::find(job(phase).command, word) != job(phase).command.end();
  }

 private:
  TempFiles temps_;
  Plan plan_;
};

TEST_F(PlannerTest, ObjectOfACudaSource) {
  planFor({"-c", "d/a.cu"});
  EXPECT_EQ(phases(), (Words{"image id", "host pass", "device pass", "device code", "combine"}));
  EXPECT_EQ(job("combine").command, (Words{"/bin/ld.lld", "-r", "-o", "a.o", "/t/a.device.o", "/t/a.2.device.o",
                                           "/t/a.3.device.o", "/t/a.4.device.o", "/t/a.host.o"}));
  EXPECT_EQ(job("combine").after.size(), 2u);
}

TEST_F(PlannerTest, PassesDoNotWaitForEachOther) {
  const Plan &plan = planFor({"-c", "a.cu"});
  EXPECT_EQ(job("host pass").after, std::vector<std::size_t>{0});
  EXPECT_TRUE(job("device pass").after.empty());
  EXPECT_EQ(job("host pass").group, job("device pass").group);
  EXPECT_EQ(plan.jobs[0].phase, "image id");
}

TEST_F(PlannerTest, OurHeadersThenTheUsersThenCccl) {
  planFor({"-c", "-Imine", "-isystem", "theirs", "a.cu", "b.cpp"});
  for (const char *phase : {"host pass", "device pass", "compile"}) {
    const Words &command = job(phase).command;
    const Words expected = {"-isystem", "/hw/include",       "-Imine", "-isystem", "theirs",
                            "-isystem", "/cuda/include/cccl"};
    EXPECT_FALSE(std::ranges::search(command, expected).empty()) << phase;
  }
}

TEST_F(PlannerTest, HostSourcesGoToTheHostCompiler) {
  planFor({"-c", "a.cpp", "b.c"});
  EXPECT_EQ(phases(), (Words{"compile", "compile"}));
  EXPECT_TRUE(has("compile", "/bin/g++"));
  EXPECT_TRUE(has("compile", "-D__NVCC__"));
  EXPECT_FALSE(has("compile", "-D__CUDACC__"));
}

TEST_F(PlannerTest, LinkTakesObjectsAndOurLibraryFolderFirst) {
  planFor({"a.cu", "b.o", "-L/usr/local/cuda/lib64", "-lfoo", "-lcudadevrt"});
  const Words &link = job("link").command;
  const auto at = [&](const std::string &word) { return std::ranges::find(link, word) - link.begin(); };
  EXPECT_LT(at("-L/hw/lib"), at("-L/usr/local/cuda/lib64"));
  EXPECT_LT(at("/t/a.device.o"), at("/t/a.host.o"));
  EXPECT_LT(at("b.o"), at("-lfoo"));
  EXPECT_FALSE(has("link", "-lcudadevrt"));
  EXPECT_TRUE(has("link", "-lcudart"));
  EXPECT_EQ(link.back(), "a.out");
}

TEST_F(PlannerTest, RuntimeLibraryIsChosen) {
  planFor({"a.o", "-cudart", "none"});
  EXPECT_FALSE(has("link", "-lcudart"));
  planFor({"a.o", "-cudart=static"});
  EXPECT_TRUE(has("link", "-lcudart_static"));
  EXPECT_FALSE(has("link", "-lcudart"));
  // libcurand is a shared library that needs the shared runtime.
  for (const std::string input : {"-lcurand", "lib/libcurand.so"}) {
    planFor({"a.o", "-cudart=static", input});
    EXPECT_TRUE(has("link", "-lcudart"));
    EXPECT_FALSE(has("link", "-lcudart_static"));
    planFor({"a.o", "-lcudart_static", input});
    EXPECT_TRUE(has("link", "-lcudart"));
    EXPECT_FALSE(has("link", "-lcudart_static"));
  }
}

TEST_F(PlannerTest, SeparateCompilationReachesAllSteps) {
  planFor({"-dc", "a.cu"});
  EXPECT_TRUE(has("host pass", "-fgpu-rdc"));
  EXPECT_TRUE(has("device pass", "-fgpu-rdc"));
  EXPECT_TRUE(has("device pass", "-D__CUDACC_RDC__"));
  EXPECT_TRUE(has("device code", "--rdc"));
}

TEST_F(PlannerTest, DeviceCodeIsOptimisedUnlessDebugged) {
  planFor({"-c", "a.cu"});
  EXPECT_TRUE(has("device code", "-O3"));
  EXPECT_FALSE(has("host pass", "-O3"));
  planFor({"-c", "-O1", "a.cu"});
  EXPECT_TRUE(has("device code", "-O3"));
  EXPECT_TRUE(has("host pass", "-O1"));
  planFor({"-c", "-O3", "-Xptxas", "-O2", "a.cu"});
  EXPECT_TRUE(has("device code", "-O2"));
  EXPECT_TRUE(has("host pass", "-O3"));
  planFor({"-c", "-O3", "-G", "a.cu"});
  EXPECT_TRUE(has("device code", "-O0"));
  EXPECT_TRUE(has("device code", "-G"));
  EXPECT_FALSE(has("device pass", "-disable-llvm-passes"));
}

TEST_F(PlannerTest, ContractionFollowsFmad) {
  planFor({"-c", "a.cu"});
  EXPECT_TRUE(has("device pass", "-ffp-contract=fast"));
  planFor({"-c", "-fmad=false", "a.cu"});
  EXPECT_TRUE(has("device pass", "-ffp-contract=off"));
}

TEST_F(PlannerTest, FastMathFlushesSubnormals) {
  for (const char *option : {"-ftz=true", "-use_fast_math"}) {
    planFor({"-c", option, "a.cu"});
    EXPECT_TRUE(has("device pass", "-fgpu-flush-denormals-to-zero")) << option;
    EXPECT_TRUE(has("device pass", "-DHOSTWARP_FTZ=1")) << option;
  }
  planFor({"-c", "a.cu"});
  EXPECT_FALSE(has("device pass", "-fgpu-flush-denormals-to-zero"));
}

TEST_F(PlannerTest, FastMathCanBeTakenBackInPart) {
  planFor({"-c", "-use_fast_math", "-ftz=false", "a.cu"});
  EXPECT_TRUE(has("device code", "--fast-math"));
  EXPECT_TRUE(has("device pass", "-DHOSTWARP_APPROXIMATE_DIVISION=1"));
  EXPECT_FALSE(has("device pass", "-DHOSTWARP_FTZ=1"));
  EXPECT_FALSE(has("device pass", "-fgpu-flush-denormals-to-zero"));
}

TEST_F(PlannerTest, ArchitectureMacroIsWhatWasAskedFor) {
  planFor({"-c", "-arch=sm_120a", "a.cu"});
  EXPECT_TRUE(has("device pass", "-D__CUDA_ARCH__=1200"));
  EXPECT_TRUE(has("device pass", "-D__CUDA_ARCH_FEAT_SM120_ALL=1"));
  EXPECT_TRUE(has("host pass", "-D__CUDA_ARCH_LIST__=1200"));
  EXPECT_FALSE(has("host pass", "-D__CUDA_ARCH__=1200"));
}

TEST_F(PlannerTest, OptionsOfGccAloneStayOutOfTheHostPass) {
  planFor({"-c", "a.cu", "b.cpp", "-Xcompiler", "-fno-gnu-unique,-fno-math-errno"});
  EXPECT_FALSE(has("host pass", "-fno-gnu-unique"));
  EXPECT_TRUE(has("host pass", "-fno-math-errno"));
  EXPECT_TRUE(has("compile", "-fno-gnu-unique"));
}

TEST_F(PlannerTest, ArchiveMembersAreWholeObjects) {
  planFor({"-lib", "a.cu", "b.cpp", "-o", "l.a"});
  EXPECT_EQ(job("archive").command, (Words{"/bin/ar", "cr", "l.a", "/t/a.o", "/t/b.o"}));
}

TEST_F(PlannerTest, DependenciesOfBothPassesMakeOneRule) {
  const Plan &plan = planFor({"-MMD", "-c", "a.cu", "-o", "o/x.o"});
  EXPECT_TRUE(has("host pass", "-MMD"));
  EXPECT_TRUE(has("device pass", "-MMD"));
  EXPECT_EQ(job("merge dependencies").product, "o/x.d");
  EXPECT_EQ(plan.results.size(), 2u);
}

TEST_F(PlannerTest, SameNameInTwoFoldersDoesNotCollide) {
  planFor({"x/a.cu", "y/a.cu"});
  EXPECT_TRUE(has("link", "/t/a.host.o"));
  EXPECT_TRUE(has("link", "/t/a.host.2.o") || has("link", "/t/a.2.host.o"));
}

TEST(ImageId, DependsOnCallAndSource) {
  EXPECT_EQ(imageIdOf("call", "a.cu"), imageIdOf("call", "a.cu"));
  EXPECT_NE(imageIdOf("call", "a.cu"), imageIdOf("call", "b.cu"));
  EXPECT_NE(imageIdOf("call", "a.cu"), imageIdOf("call2", "a.cu"));
  EXPECT_NE(imageIdOf("ab", "c"), imageIdOf("a", "bc"));
}

}  // namespace
}  // namespace hostwarp::driver
