#include "compiler/driver/cccl.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hostwarp::driver {
namespace {

namespace fs = std::filesystem;

class CcclTest : public testing::Test {
 protected:
  CcclTest() {
    std::string name = testing::TempDir() + "hostwarp_cccl_XXXXXX";
    root_ = mkdtemp(name.data());
    for (const char *variable : {"HOSTWARP_CCCL", "CUDA_PATH", "CUDA_HOME"}) unsetenv(variable);
  }
  ~CcclTest() override { fs::remove_all(root_); }

  void addHeader(const std::string &path) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << '\n';
  }
  std::string path(const std::string &name) const { return root_ / name; }
  std::string found() const {
    auto result = findCccl(root_);
    EXPECT_TRUE(result.ok());
    return *result;
  }

 private:
  fs::path root_;
};

TEST_F(CcclTest, NoneInstalled) { EXPECT_EQ(found(), ""); }

TEST_F(CcclTest, AToolkitWithoutItIsNoUse) {
  addHeader("cuda/include/thrust/version.h");
  EXPECT_EQ(found(), "");
}

TEST_F(CcclTest, TheNewestToolkitUnlessOneIsChosen) {
  addHeader("cuda-9.2/include/cccl/thrust/version.h");
  addHeader("cuda-13.0/include/cccl/thrust/version.h");
  addHeader("cuda-12.9/include/cccl/thrust/version.h");
  EXPECT_EQ(found(), path("cuda-13.0/include/cccl"));
  addHeader("cuda/include/cccl/cub/version.cuh");
  EXPECT_EQ(found(), path("cuda/include/cccl"));
}

TEST_F(CcclTest, FoldersOfATarget) {
  addHeader("cuda-13.0/targets/x86_64-linux/include/cccl/cuda/std/version");
  EXPECT_EQ(found(), path("cuda-13.0/targets/x86_64-linux/include/cccl"));
}

TEST_F(CcclTest, TheToolkitInTheEnvironmentComesFirst) {
  addHeader("cuda/include/cccl/cub/version.cuh");
  addHeader("mine/include/cccl/cub/version.cuh");
  setenv("CUDA_HOME", path("mine").c_str(), 1);
  EXPECT_EQ(found(), path("mine/include/cccl"));
}

TEST_F(CcclTest, VariableNamesOrDisables) {
  addHeader("cuda/include/cccl/cub/version.cuh");
  addHeader("mine/thrust/version.h");
  setenv("HOSTWARP_CCCL", path("mine").c_str(), 1);
  EXPECT_EQ(found(), path("mine"));
  setenv("HOSTWARP_CCCL", "none", 1);
  EXPECT_EQ(found(), "");
  setenv("HOSTWARP_CCCL", path("cuda").c_str(), 1);
  EXPECT_FALSE(findCccl(path("")).ok());
}

}  // namespace
}  // namespace hostwarp::driver
