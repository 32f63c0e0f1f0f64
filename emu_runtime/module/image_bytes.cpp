#include "emu_runtime/module/image_bytes.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "emu_runtime/module/elf_image.h"
#include "emu_runtime/module/ptx_compiler.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

namespace {

constexpr uint32_t otherFatBinary = 0xBA55ED50;

bool isOtherFatBinary(std::string_view content) {
  uint32_t magic = 0;
  if (content.size() < sizeof(magic)) return false;
  std::memcpy(&magic, content.data(), sizeof(magic));
  return magic == otherFatBinary;
}

Expected<Image> fromElf(std::string content) {
  const auto kind = kindOf(content);
  if (!kind.ok()) return kind.status();
  return Image{*kind == ElfKind::Object ? Image::Kind::Object : Image::Kind::Loadable, std::move(content)};
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
  return head == elfMark ? copyElf(start) : std::string(start);
}

Expected<Image> findImage(std::string_view content) {
  if (isElf(content)) return fromElf(std::string(content));
  if (isOtherFatBinary(content))
    return Status(cudaErrorNoKernelImageForDevice,
                  "the fat binary holds a GPU's code; build it with hwcc (-ptx, -cubin or -fatbin) or compile it with "
                  "hostwarp's NVRTC");
  // A text ends at the zero byte that programs add.
  return fromText(content.substr(0, content.find('\0')));
}

Expected<std::string> imageBytes(std::string_view content) {
  auto image = findImage(content);
  if (!image.ok()) return image.status();
  if (image->kind == Image::Kind::Ptx) return compilePtx(image->bytes);
  if (image->kind == Image::Kind::Object) return linkImages({{"image", std::move(image->bytes)}});
  return std::move(image->bytes);
}

Form formOf(std::string_view content) { return isElf(content) ? Form::Compiled : Form::Ptx; }

bool isImageText(std::string_view text) { return text.find(mark) != std::string_view::npos; }

bool isComplete(std::string_view content) {
  if (!isElf(content) && !isImageText(content)) return false;
  const auto image = findImage(content);
  return image.ok() && image->kind == Image::Kind::Loadable;
}

}  // namespace hostwarp::modules
