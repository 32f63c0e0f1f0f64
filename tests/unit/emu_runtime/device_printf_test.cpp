#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "include/hostwarp/device_abi.h"

namespace {

// Packed builds the buffer that a compiled printf call passes.
class Packed {
 public:
  template <typename T>
  Packed &operator<<(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
    return *this;
  }
  const void *data() const { return bytes_.data(); }

 private:
  std::vector<char> bytes_ = std::vector<char>();
};

std::string print(const char *format, const Packed &arguments, int expected) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(hw_vprintf(format, arguments.data()), expected);
  return testing::internal::GetCapturedStdout();
}

TEST(DevicePrintf, ConvertsLikeC) {
  EXPECT_EQ(print("%d|%5u|%-4x|%+i|%o\n", Packed() << -3 << 7U << 255 << 4 << 8, 5), "-3|    7|ff  |+4|10\n");
  EXPECT_EQ(print("%lld %lu %hd %hhd", Packed() << -5LL << 6UL << 70000 << 3, 4), "-5 6 4464 3");
  EXPECT_EQ(print("%f %.2e %g %a", Packed() << 1.5 << 12345.0 << 0.25 << 1.0, 4), "1.500000 1.23e+04 0.25 0x1p+0");
  EXPECT_EQ(print("%s/%c/%%", Packed() << "text" << int{'x'}, 2), "text/x/%");
  EXPECT_EQ(print("%*d|%.*f", Packed() << 4 << 7 << 1 << 2.25, 4), "   7|2.2");
}

TEST(DevicePrintf, AlignsArguments) { EXPECT_EQ(print("%d %f %d", Packed() << 1 << 2.0 << 3, 3), "1 2.000000 3"); }

TEST(DevicePrintf, LongTextComesWhole) {
  const std::string text(5000, 'a');
  EXPECT_EQ(print("<%s>", Packed() << text.c_str(), 1), "<" + text + ">");
}

TEST(DevicePrintf, OddFormats) {
  EXPECT_EQ(hw_vprintf(nullptr, nullptr), -1);
  EXPECT_EQ(print("", Packed(), 0), "");
  EXPECT_EQ(print("100%", Packed(), 0), "100%");
  EXPECT_EQ(print("%y%d", Packed() << 1, 1), "%y1");
}

}  // namespace
