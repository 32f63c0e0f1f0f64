#include "emu_runtime/module/image_bytes.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "emu_runtime/module/elf_image.h"
#include "emu_runtime/module/fat_binary.h"
#include "emu_runtime/module/ptx_compiler.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

namespace {

Expected<Image> fromElf(std::string content) {
  const auto kind = kindOf(content);
  if (!kind.ok()) return kind.status();
  return Image{*kind == ElfKind::Object ? Image::Kind::Object : Image::Kind::Loadable, std::move(content)};
}

Expected<Image> fromFatBinary(std::string_view content, int capability) {
  Expected<FoundPtx> found = ptxIn(content, capability);
  if (!found.ok()) return found.status();
  return Image{Image::Kind::Ptx, std::move(found->text), found->architecture};
}

int digitOf(char c) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t index = alphabet.find(c);
  return index == std::string_view::npos ? -1 : static_cast<int>(index);
}

// decode() reads Base64 in lines that begin with "//", up to `bytes` bytes.
std::string decode(std::string_view lines, size_t bytes) {
  std::string result;
  uint32_t bits = 0;
  int count = 0;
  while (lines.starts_with("//") && result.size() < bytes) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    for (const char c : lines.substr(2, end - 2)) {
      const int digit = digitOf(c);
      if (digit < 0) continue;
      bits = bits << 6 | static_cast<uint32_t>(digit);
      count += 6;
      if (count < 8) continue;
      count -= 8;
      result += static_cast<char>(bits >> count & 0xFF);
    }
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return result;
}

constexpr std::string_view mark = "//" HW_IMAGE_MAGIC " ";

// imageIn() is the image in a text, empty if it is damaged. pre: the text is one.
std::string imageIn(std::string_view text) {
  text.remove_prefix(text.find(mark) + mark.size());
  size_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc() || end == text.data() + text.size() || *end != '\n') return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  std::string image = decode(text, bytes);
  return image.size() == bytes ? image : std::string();
}

Expected<Image> fromText(std::string_view text) {
  if (isImageText(text)) {
    std::string image = imageIn(text);
    if (image.empty()) return Status(cudaErrorInvalidPtx, "the PTX is cut off or damaged");
    return fromElf(std::move(image));
  }
  // The words a program finds in its log of errors are CUDA's.
  if (text.find(".version") == std::string_view::npos)
    return Status(cudaErrorInvalidKernelImage, "error   : Binary format for key='0', ident='' is not recognized");
  return Image{Image::Kind::Ptx, std::string(text)};
}

}  // namespace

Expected<std::string> contentAt(const void *data) {
  const auto *start = static_cast<const char *>(data);
  if (!start) return cudaErrorInvalidValue;
  const std::string_view head(start, strnlen(start, elfMark.size()));
  if (head == elfMark) return copyElf(start);
  return isFatBinary(head) || isFatBinaryHandle(head) ? copyFatBinary(start) : std::string(start);
}

Expected<Image> findImage(std::string_view content, int capability) {
  if (isElf(content)) return fromElf(std::string(content));
  if (isFatBinary(content)) return fromFatBinary(content, capability);
  // A text ends at the zero byte that programs add.
  return fromText(content.substr(0, content.find('\0')));
}

Expected<std::string> imageBytes(std::string_view content) {
  auto image = findImage(content);
  return image.ok() ? loadable(*std::move(image)) : image.status();
}

Expected<std::string> loadable(Image image) {
  if (image.kind == Image::Kind::Ptx) return compilePtx(image.bytes);
  if (image.kind == Image::Kind::Object) return linkImages({{"image", std::move(image.bytes)}});
  return std::move(image.bytes);
}

Form formOf(std::string_view content) { return isElf(content) ? Form::Compiled : Form::Ptx; }

bool isImageText(std::string_view text) { return text.find(mark) != std::string_view::npos; }

bool isComplete(std::string_view content) {
  if (!isElf(content) && !isImageText(content)) return false;
  const auto image = findImage(content);
  return image.ok() && image->kind == Image::Kind::Loadable;
}

}  // namespace hostwarp::modules
