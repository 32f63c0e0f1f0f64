#include "compiler/driver/image_text.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>

#include "include/hostwarp/image_seal.h"

namespace hostwarp::driver {
namespace {

constexpr std::size_t bytesPerLine = 57;  // 76 characters

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view mark = "//HWIMAGE1 ";

std::string base64(std::string_view bytes) {
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

bool isImageText(std::string_view text) { return text.find(mark) != std::string_view::npos; }

Expected<std::string> imageOfText(std::string_view text) {
  std::string image;
  const std::size_t begin = text.find(mark);
  std::size_t at = begin == std::string_view::npos ? begin : text.find('\n', begin);
  if (at == std::string_view::npos) return Failure{"The text holds no image"};
  std::size_t bytes = 0;
  const char *const number = text.data() + begin + mark.size();
  if (std::from_chars(number, text.data() + at, bytes).ec != std::errc()) return Failure{"The text holds no image"};
  std::uint32_t bits = 0;
  int count = 0;
  for (++at; at < text.size() && image.size() < bytes; ++at) {
    const std::size_t digit = alphabet.find(text[at]);
    const bool isMark = text[at] == '/' && (text[at - 1] == '\n' || text.substr(at - 2, 2) == "\n/");
    if (isMark || digit == std::string_view::npos) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    image += static_cast<char>(bits >> count & 0xFF);
  }
  if (image.size() != bytes) return Failure{"The image in the text is cut off or damaged"};
  return image;
}

namespace {

Expected<std::string> readImage(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file || bytes.empty()) return Failure{"Could not read '" + path + "'"};
  return bytes;
}

}  // namespace

Status sealImage(const std::string &image) {
  const Expected<std::string> bytes = readImage(image);
  if (!bytes.ok()) return bytes.failure();
  std::ofstream out(image, std::ios::binary | std::ios::app);
  out << imageSeal(*bytes);
  out.close();
  return out ? Status() : Status(Failure{"Could not write '" + image + "'"});
}

Status writeImageText(const Architecture &target, const std::string &image, const std::string &output) {
  const Expected<std::string> bytes = readImage(image);
  if (!bytes.ok()) return bytes.failure();
  std::ofstream out(output, std::ios::binary);
  out << imageText(target, *bytes);
  out.close();
  return out ? Status() : Status(Failure{"Could not write '" + output + "'"});
}

}  // namespace hostwarp::driver
