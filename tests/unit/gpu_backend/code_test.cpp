// What hwcc writes for a GPU, and what the GPU's library gets of it.
#include <gtest/gtest.h>

#include <cstring>

#include "gpu_backend/fat_binary.h"
#include "gpu_backend/gpu_code.h"

namespace hostwarp::gpu_backend {
namespace {

TEST(Bundle, HasModulesWithTheirImages) {
  const std::vector<Ptx> all = readBundle("module 5 0 2\nabc\n\nmodule 0 1\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text, "abc\n\n");
  EXPECT_EQ(all[0].images, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(all[1].text, "");
  EXPECT_EQ(all[1].images, std::vector<size_t>{1});
}

TEST(Bundle, IsEmptyWhenDamaged) {
  for (const char *text : {"", "module", "module 5 0\nabc", "module x 0\n", "modul 1 0\na", "module 1 0\nab"})
    EXPECT_TRUE(readBundle(text).empty()) << text;
}

template <class T>
T at(const std::string &bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST(FatBinary, DescribesItsPtx) {
  const std::string ptx = "//\n.version 8.5\n.target sm_90a\n.address_size 64\n";
  const std::string binary = fatBinary(ptx);
  EXPECT_EQ(at<uint32_t>(binary, 0), 0xBA55ED50u);
  EXPECT_EQ(at<uint16_t>(binary, 6), 16);
  EXPECT_EQ(at<uint64_t>(binary, 8), binary.size() - 16);
  EXPECT_EQ(at<uint16_t>(binary, 16), 1);      // PTX
  EXPECT_EQ(at<uint32_t>(binary, 20), 0x50u);  // where it begins
  EXPECT_EQ(at<uint64_t>(binary, 24), binary.size() - 16 - 0x50);
  EXPECT_EQ(at<uint16_t>(binary, 40), 5);
  EXPECT_EQ(at<uint16_t>(binary, 42), 8);
  EXPECT_EQ(at<uint32_t>(binary, 44), 90u);
  EXPECT_EQ(at<uint64_t>(binary, 56), 0x100011u);  // 9.0 alone
  EXPECT_STREQ(binary.c_str() + 16 + 0x50, ptx.c_str());
  EXPECT_EQ(binary.size() % 8, 0u);
}

TEST(FatBinary, DescribesMachineCode) {
  const std::string binary = fatBinaryOfMachineCode(
      "\x7f"
      "ELF code",
      "//\n.version 8.5\n.target sm_90a\n", 90);
  EXPECT_EQ(at<uint64_t>(binary, 8), binary.size() - 16);
  EXPECT_EQ(at<uint16_t>(binary, 16), 2);      // machine code
  EXPECT_EQ(at<uint32_t>(binary, 20), 0x40u);  // where it begins
  EXPECT_EQ(at<uint64_t>(binary, 24), binary.size() - 16 - 0x40);
  EXPECT_EQ(at<uint32_t>(binary, 44), 90u);
  EXPECT_EQ(at<uint64_t>(binary, 56), 0x100011u);  // 9.0 alone
  EXPECT_EQ(binary.substr(16 + 0x40, 4),
            "\x7f"
            "ELF");
  EXPECT_EQ(binary.size() % 8, 0u);
  EXPECT_EQ(at<uint64_t>(fatBinaryOfMachineCode("code", ".target sm_90\n", 90), 56), 0x11u);
}

TEST(FatBinary, IsForLaterArchitecturesToo) {
  const std::string binary = fatBinary(".version 7.0\n.target sm_80\n");
  EXPECT_EQ(at<uint16_t>(binary, 40), 0);
  EXPECT_EQ(at<uint32_t>(binary, 44), 80u);
  EXPECT_EQ(at<uint64_t>(binary, 56), 0x11u);
}

}  // namespace
}  // namespace hostwarp::gpu_backend
