#include "compiler/hash/sha256.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>

#include <array>
#include <cstdint>

namespace hostwarp::hash {

std::string sha256(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::array<std::uint8_t, 32> hash =
      llvm::SHA256::hash(llvm::ArrayRef(reinterpret_cast<const std::uint8_t *>(text.data()), text.size()));
  std::string name;
  for (const std::uint8_t byte : hash) {
    name += digits[byte >> 4];
    name += digits[byte & 15];
  }
  return name;
}

}  // namespace hostwarp::hash
