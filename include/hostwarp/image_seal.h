// The seal behind each device image that hwcc links: a mark and a checksum. The dynamic linker trusts what it loads, so
// the runtime makes sure first that an image still is what hwcc wrote. No defence against someone who means harm.
#ifndef HOSTWARP_IMAGE_SEAL_H
#define HOSTWARP_IMAGE_SEAL_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostwarp {

constexpr std::string_view imageSealMark = "HWSEAL1\n";
constexpr std::size_t imageSealBytes = 24;

// imageSeal() is what stands behind `image`.
inline std::string imageSeal(std::string_view image) {
  constexpr std::uint64_t prime = 0x100000001B3;  // FNV-1a's
  std::uint64_t sum = 0xCBF29CE484222325;
  for (const char c : image) sum = (sum ^ static_cast<unsigned char>(c)) * prime;
  std::string seal(imageSealMark);
  for (int shift = 60; shift >= 0; shift -= 4) seal += "0123456789abcdef"[sum >> shift & 15];
  return seal;
}

}  // namespace hostwarp

#endif  // HOSTWARP_IMAGE_SEAL_H
