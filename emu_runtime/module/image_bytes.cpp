#include "emu_runtime/module/image_bytes.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "emu_runtime/module/ptx_compiler.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half ownMachine = EM_X86_64;
#else
constexpr Elf64_Half ownMachine = EM_AARCH64;
#endif
constexpr uint32_t otherFatBinary = 0xBA55ED50;

constexpr const char *advice = "; build it with hwcc (-ptx, -cubin or -fatbin) or compile it with hostwarp's NVRTC";

// The size of a shared object is not stored anywhere: it ends behind its last section or the table of sections.
size_t elfBytes(const char *start) {
  Elf64_Ehdr header;
  std::memcpy(&header, start, sizeof(header));
  size_t end = header.e_shoff + size_t{header.e_shnum} * header.e_shentsize;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, start + header.e_shoff + size_t{i} * header.e_shentsize, sizeof(section));
    if (section.sh_type != SHT_NOBITS) end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

Expected<std::string> fromElf(const char *start) {
  Elf64_Ehdr header;
  std::memcpy(&header, start, sizeof(header));
  if (header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == ownMachine && header.e_type == ET_DYN) {
    return std::string(start, elfBytes(start));
  }
  // With -rdc=true the image is an object, which may be all there is.
  if (header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == ownMachine && header.e_type == ET_REL)
    return linkImages({{"image", std::string(start, elfBytes(start))}});
  return Status(cudaErrorNoKernelImageForDevice, std::string("the image holds a GPU's code") + advice);
}

int digitOf(char c) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t index = alphabet.find(c);
  return index == std::string_view::npos ? -1 : static_cast<int>(index);
}

// decode() reads Base64 in lines that begin with "//", up to `bytes` bytes.
std::string decode(const char *lines, size_t bytes) {
  std::string result;
  uint32_t bits = 0;
  int count = 0;
  for (const char *line = lines; *line && result.size() < bytes;) {
    if (std::strncmp(line, "//", 2) != 0) break;
    for (line += 2; *line && *line != '\n'; ++line) {
      const int digit = digitOf(*line);
      if (digit < 0) continue;
      bits = bits << 6 | static_cast<uint32_t>(digit);
      count += 6;
      if (count < 8) continue;
      count -= 8;
      result += static_cast<char>(bits >> count & 0xFF);
    }
    if (*line) ++line;
  }
  return result;
}

constexpr std::string_view mark = "//" HW_IMAGE_MAGIC " ";

// imageIn() is the image in a text, empty if it is damaged. pre: the text is one.
std::string imageIn(const char *text) {
  const char *found = std::strstr(text, mark.data());
  char *end = nullptr;
  const size_t bytes = std::strtoull(found + mark.size(), &end, 10);
  std::string image = *end == '\n' ? decode(end + 1, bytes) : std::string();
  return image.size() == bytes && bytes > sizeof(Elf64_Ehdr) ? image : std::string();
}

Expected<std::string> fromText(const char *text) {
  if (!isImageText(text)) {
    // The words a program finds in its log of errors are CUDA's.
    if (!std::strstr(text, ".version"))
      return Status(cudaErrorInvalidKernelImage, "error   : Binary format for key='0', ident='' is not recognized");
    return compilePtx(text);
  }
  const std::string image = imageIn(text);
  if (image.empty()) return Status(cudaErrorInvalidPtx, "the PTX is cut off or damaged");
  return fromElf(image.data());
}

}  // namespace

Expected<std::string> imageBytes(const void *data) {
  const auto *start = static_cast<const char *>(data);
  if (!start) return cudaErrorInvalidValue;
  if (std::strncmp(start, ELFMAG, SELFMAG) == 0) return fromElf(start);
  uint32_t magic = 0;
  if (std::strlen(start) >= sizeof(magic)) std::memcpy(&magic, start, sizeof(magic));
  if (magic == otherFatBinary) {
    return Status(cudaErrorNoKernelImageForDevice, std::string("the fat binary holds a GPU's code") + advice);
  }
  return fromText(start);
}

Form formOf(const void *data) {
  return std::strncmp(static_cast<const char *>(data), ELFMAG, SELFMAG) == 0 ? Form::Compiled : Form::Ptx;
}

bool isImageText(std::string_view text) { return text.find(mark) != std::string_view::npos; }

bool isComplete(const std::string &content) {
  const bool isElf = content.starts_with(std::string_view(ELFMAG, SELFMAG));
  if (!isElf && !isImageText(content)) return false;
  const std::string image = isElf ? content : imageIn(content.c_str());
  Elf64_Ehdr header;
  if (image.size() < sizeof(header)) return false;
  std::memcpy(&header, image.data(), sizeof(header));
  return header.e_type == ET_DYN;
}

}  // namespace hostwarp::modules
