#include "emu_runtime/driver/export_tables.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "emu_runtime/driver/context_storage.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/driver_check.h"

namespace hostwarp::driver_api {
namespace {

std::string hexadecimal(const Digest &digest) {
  std::string text;
  char pair[3];
  for (const unsigned char byte : digest) {
    std::snprintf(pair, sizeof(pair), "%02x", byte);
    text += pair;
  }
  return text;
}

// The examples of RFC 1319.
TEST(DriverCheck, DigestsAreThoseOfTheStandard) {
  EXPECT_EQ(hexadecimal(md2("")), "8350e5a3e24c153df2275c9f80692773");
  EXPECT_EQ(hexadecimal(md2("a")), "32ec01ec4a6dac72c0ab96fb34c0b5d1");
  EXPECT_EQ(hexadecimal(md2("message digest")), "ab4f496bfb2a530b219ff33031fe06b0");
  EXPECT_EQ(hexadecimal(md2("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")),
            "da33def2a42df13975352846c30338cd");
}

TEST(DriverCheck, EverythingThatIsDescribedCounts) {
  const DriverTables tables{&tables, &tables, &tables}, others{&tables, &others, &tables};
  const auto digest = [](uint32_t version, uint64_t seconds, const DriverTables &of) {
    return *describeDriver(version, seconds, of);
  };
  EXPECT_EQ(digest(13002, 7, tables), digest(13002, 7, tables));
  EXPECT_NE(digest(13002, 7, tables), digest(13002, 8, tables));
  EXPECT_NE(digest(13002, 7, tables), digest(13012, 7, tables));
  EXPECT_NE(digest(13002, 7, tables), digest(13002, 7, others));
  EXPECT_EQ(digest(13000, 7, tables), digest(13000, 8, tables));
}

CUuuid named(const unsigned char (&bytes)[17]) {
  CUuuid name;
  std::memcpy(&name, bytes, sizeof(name));
  return name;
}

TEST(ExportTables, BeginWithTheirSize) {
  const auto *table = static_cast<const size_t *>(exportTable(
      named((const unsigned char(&)[17]) "\x6B\xD5\xFB\x6C\x5B\xF4\xE7\x4A\x89\x87\xD9\x39\x12\xFD\x9D\xF9")));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table[0], 13 * sizeof(void *));
  EXPECT_EQ(exportTable(named((const unsigned char(&)[17]) "no such table...")), nullptr);
}

// What nobody has needed yet is refused, by a call that returns.
TEST(ExportTables, UnknownFunctionsAreRefused) {
  const auto *table = static_cast<CUresult (*const *)()>(exportTable(
      named((const unsigned char(&)[17]) "\x6B\xD5\xFB\x6C\x5B\xF4\xE7\x4A\x89\x87\xD9\x39\x12\xFD\x9D\xF9")));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table[5](), CUDA_ERROR_NOT_SUPPORTED);
}

int goneContexts = 0;

TEST(ContextStorage, TellsWhenTheContextGoes) {
  const auto context = reinterpret_cast<CUcontext>(&goneContexts);
  int key = 0, value = 0;
  ContextGone *const count = [](CUcontext, void *, void *what) {
    ++goneContexts;
    ++*static_cast<int *>(what);
  };
  ASSERT_TRUE(storeInContext(context, &key, &value, count).ok());
  ASSERT_TRUE(storeInContext(context, &value, &value, nullptr).ok());
  EXPECT_EQ(*storedInContext(context, &key), &value);
  EXPECT_FALSE(storedInContext(context, &goneContexts).ok());
  ASSERT_TRUE(removeFromContext(context, &value).ok());
  EXPECT_FALSE(storedInContext(context, &value).ok());
  endStorage(context);
  endStorage(context);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(goneContexts, 1);
  EXPECT_FALSE(storedInContext(context, &key).ok());
}

}  // namespace
}  // namespace hostwarp::driver_api
