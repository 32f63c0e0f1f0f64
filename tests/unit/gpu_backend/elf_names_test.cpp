// Shared objects are told apart without being loaded.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <math.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "gpu_backend/elf_names.h"

namespace hostwarp::gpu_backend {
namespace {

std::string mathLibrary() {
  Dl_info info{};
  void *const library = dlopen("libm.so.6", RTLD_LAZY);
  return library && dladdr(dlsym(library, "tgamma"), &info) ? info.dli_fname : "";
}

TEST(ElfNames, AreWholeNames) {
  const std::string file = mathLibrary();
  ASSERT_TRUE(isSharedObject(file)) << file;
  EXPECT_TRUE(namesSymbol(file, "tgamma"));
  EXPECT_FALSE(namesSymbol(file, "tgamm"));
  EXPECT_FALSE(namesSymbol(file, "hostwarp_has_no_such_name"));
}

TEST(ElfNames, OtherFilesHaveNone) {
  for (const char *file : {"/", "/dev/null", "/etc/passwd", "/missing"}) {
    EXPECT_FALSE(isSharedObject(file)) << file;
    EXPECT_FALSE(namesSymbol(file, "tgamma")) << file;
  }
}

TEST(ElfNames, DamagedFilesAreRead) {
  std::ifstream whole(mathLibrary(), std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(whole), {}};
  const std::string path = testing::TempDir() + "damaged." + std::to_string(getpid());
  for (const size_t size : {4u, 64u, 100u, 600u, 5000u, 60000u}) {
    std::ofstream(path, std::ios::binary) << content.substr(0, size);
    namesSymbol(path, "tgamma");
  }
  std::string wild = content;
  for (size_t i = 64; i < 1000 && i < wild.size(); ++i) wild[i] = '\xff';
  std::ofstream(path, std::ios::binary) << wild;
  EXPECT_FALSE(namesSymbol(path, "tgamma"));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace hostwarp::gpu_backend
