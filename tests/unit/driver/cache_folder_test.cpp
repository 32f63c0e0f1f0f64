#include "compiler/driver/cache_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace hostwarp::driver {
namespace {

namespace fs = std::filesystem;

// CacheTest has a folder of its own for caches, which is not there yet.
class CacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "cache_folder_test_XXXXXX";
    place_ = mkdtemp(pattern.data());
    setenv("XDG_CACHE_HOME", (place_ / "deep" / "cache").c_str(), 1);
    unsetenv("HOSTWARP_CACHE");
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    fs::remove_all(place_);
  }

  static unsigned modeOf(const fs::path &path) {
    struct stat info{};
    return stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
  }

  fs::path place_;
};

TEST_F(CacheTest, FoldersAreTheOwnersAlone) {
  const mode_t before = umask(0);
  const auto folder = cacheFolder("test");
  umask(before);
  ASSERT_TRUE(folder);
  EXPECT_EQ(*folder, place_ / "deep/cache/hostwarp/test");
  for (fs::path each = *folder; each != place_; each = each.parent_path()) EXPECT_EQ(modeOf(each), 0700u) << each;
}

TEST_F(CacheTest, FoldersThatOthersMayWriteToAreNotUsed) {
  const auto folder = cacheFolder("test");
  ASSERT_TRUE(folder);
  for (const fs::path &each : {*folder, folder->parent_path()})
    for (const mode_t mode : {0770, 0707}) {
      chmod(each.c_str(), mode);
      EXPECT_FALSE(cacheFolder("test")) << each;
      chmod(each.c_str(), 0755);
      EXPECT_TRUE(cacheFolder("test")) << each;
    }
}

TEST_F(CacheTest, FoldersOfOthersAreNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  const auto folder = cacheFolder("test");
  ASSERT_TRUE(folder);
  ASSERT_EQ(chown(folder->c_str(), 12345, 12345), 0);
  EXPECT_FALSE(cacheFolder("test"));
}

TEST_F(CacheTest, FilesThatOthersMayWriteToAreNotRead) {
  const auto folder = cacheFolder("test");
  ASSERT_TRUE(folder);
  const fs::path file = *folder / "file";
  EXPECT_FALSE(readCacheFile(file));
  ASSERT_TRUE(writeCacheFile(file, std::string("a\0b", 3)));
  EXPECT_EQ(modeOf(file), 0600u);
  EXPECT_EQ(readCacheFile(file), std::string("a\0b", 3));
  chmod(file.c_str(), 0660);
  EXPECT_FALSE(readCacheFile(file));
  chmod(file.c_str(), 0644);
  EXPECT_TRUE(readCacheFile(file));
  fs::create_symlink(file, *folder / "link");
  EXPECT_FALSE(readCacheFile(*folder / "link"));
}

TEST_F(CacheTest, WrittenFilesReplaceOthersAndLeaveNothingBehind) {
  const auto folder = cacheFolder("test");
  ASSERT_TRUE(folder);
  EXPECT_TRUE(writeCacheFile(*folder / "file", "one"));
  EXPECT_TRUE(writeCacheFile(*folder / "file", "two"));
  EXPECT_EQ(readCacheFile(*folder / "file"), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(*folder), fs::directory_iterator()), 1);
  EXPECT_FALSE(writeCacheFile(*folder / "absent" / "file", "three"));
}

TEST_F(CacheTest, NoFolderIsNoCache) {
  setenv("HOSTWARP_CACHE", "0", 1);
  EXPECT_FALSE(cacheFolder("test"));
  unsetenv("HOSTWARP_CACHE");
  std::ofstream(place_ / "file") << "no folder";
  setenv("XDG_CACHE_HOME", (place_ / "file").c_str(), 1);
  EXPECT_FALSE(cacheFolder("test"));
}

TEST(CacheKey, IsTheHashOfItsParts) {
  CacheKey key, joined;
  // sha256sum of "3:abc0:"
  key.add("abc");
  key.add("");
  EXPECT_EQ(key.text(), "3:abc0:");
  EXPECT_EQ(key.name(), "bdf1004d3099a7a3712d12c456e15ebb2b81d43740868f77760be8f639855aad");
  joined.add("abc0:");
  EXPECT_NE(joined.name(), key.name());
}

}  // namespace
}  // namespace hostwarp::driver
