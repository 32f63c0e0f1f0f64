#include "compiler/ptx/packed_text.h"

#include <lz4.h>

#include <cstdint>
#include <limits>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>

namespace hostwarp::compiler::ptx {

namespace {

std::optional<std::string> unpackLz4(llvm::StringRef packed, size_t bytes) {
  std::string text(bytes, '\0');
  const int made =
      LZ4_decompress_safe(packed.data(), text.data(), static_cast<int>(packed.size()), static_cast<int>(text.size()));
  if (made < 0 || static_cast<size_t>(made) != bytes) return std::nullopt;
  return text;
}

std::optional<std::string> unpackZstd(llvm::StringRef packed, size_t bytes) {
  if (!llvm::compression::zstd::isAvailable()) return std::nullopt;
  llvm::SmallVector<uint8_t, 0> text;
  if (llvm::Error error = llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(packed), text, bytes)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return llvm::toStringRef(text).str();
}

}  // namespace

std::optional<std::string> unpackText(llvm::StringRef content) {
  if (!content.consume_front("//HWPACKED ")) return content.str();
  const auto [line, packed] = content.split('\n');
  const auto [method, size] = line.split(' ');
  size_t bytes = 0;
  constexpr size_t most = std::numeric_limits<int>::max();
  if (size.getAsInteger(10, bytes) || bytes > most || packed.size() > most) return std::nullopt;
  if (method == "lz4") return unpackLz4(packed, bytes);
  return method == "zstd" ? unpackZstd(packed, bytes) : std::nullopt;
}

}  // namespace hostwarp::compiler::ptx
