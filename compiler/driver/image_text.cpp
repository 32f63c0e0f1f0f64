#include "compiler/driver/image_text.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>

namespace hostwarp::driver {
namespace {

constexpr std::size_t bytesPerLine = 57;  // 76 characters

std::string base64(std::string_view bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view part = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < part.size() ? static_cast<unsigned char>(part[k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= part.size() ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string headOf(const Architecture &target) {
  std::string name = "sm_" + std::to_string(target.macro / 10);
  if (target.variant != '\0') name += target.variant;
  return "//\n// Device code that hwcc compiled for this machine's processor.\n//\n\n.version 9.0\n.target " + name +
         "\n.address_size 64\n\n";
}

}  // namespace

std::string imageText(const Architecture &target, std::string_view image) {
  std::string text = headOf(target) + "//HWIMAGE1 " + std::to_string(image.size()) + "\n";
  for (std::size_t i = 0; i < image.size(); i += bytesPerLine)
    text += "//" + base64(image.substr(i, bytesPerLine)) + "\n";
  return text;
}

Status writeImageText(const Architecture &target, const std::string &image, const std::string &output) {
  std::ifstream in(image, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (!in || bytes.empty()) return Failure{"Could not read '" + image + "'"};
  std::ofstream out(output, std::ios::binary);
  out << imageText(target, bytes);
  out.close();
  return out ? Status() : Status(Failure{"Could not write '" + output + "'"});
}

}  // namespace hostwarp::driver
