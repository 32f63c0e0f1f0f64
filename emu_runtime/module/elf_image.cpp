#include "emu_runtime/module/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

#include "emu_runtime/module/careful_copy.h"
#include "include/hostwarp/image_seal.h"

namespace hostwarp::modules {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half ownMachine = EM_X86_64;
#else
constexpr Elf64_Half ownMachine = EM_AARCH64;
#endif

// Code and data of an image are addressed by 32 bits with a sign, and debug information may be as much again.
constexpr uint64_t mostBytes = uint64_t{1} << 32;

const Status damaged(cudaErrorInvalidKernelImage, "the image is cut off or damaged");

bool isOwn(const Elf64_Ehdr &header) {
  return header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == ownMachine;
}

// Read fills `to` from what lies `at` in the file; false: there is nothing.
using Read = std::function<bool(uint64_t at, void *to, size_t bytes)>;

// sectionsOf() are the entries of the table of sections; nothing when the header cannot be true.
std::optional<std::vector<Elf64_Shdr>> sectionsOf(const Elf64_Ehdr &header, const Read &read) {
  if (header.e_shoff > mostBytes || (header.e_shnum != 0 && header.e_shentsize != sizeof(Elf64_Shdr))) return {};
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read(header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr))) return {};
  return sections;
}

// fileEnd() is where the file ends, which is stored nowhere: behind its last section or the table of them. Nothing when
// the headers cannot be true.
std::optional<uint64_t> fileEnd(const Read &read) {
  Elf64_Ehdr header;
  if (!read(0, &header, sizeof(header))) return {};
  if (!isOwn(header)) return sizeof(header);  // nothing else of it matters
  const auto sections = sectionsOf(header, read);
  if (!sections) return {};
  uint64_t end = std::max<uint64_t>(sizeof(header), header.e_shoff + sections->size() * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr &section : *sections) {
    if (section.sh_type == SHT_NOBITS) continue;
    if (section.sh_offset > mostBytes || section.sh_size > mostBytes) return {};
    end = std::max(end, section.sh_offset + section.sh_size);
  }
  return end;
}

Elf64_Ehdr headerOf(std::string_view content) {
  Elf64_Ehdr header;
  std::memcpy(&header, content.data(), sizeof(header));
  return header;
}

bool isSealed(std::string_view content) {
  const auto end = fileEnd([&](uint64_t at, void *to, size_t bytes) {
    const bool isThere = at <= content.size() && bytes <= content.size() - at;
    if (isThere) std::copy_n(content.data() + at, bytes, static_cast<char *>(to));
    return isThere;
  });
  return end && *end <= content.size() && content.substr(*end, imageSealBytes) == imageSeal(content.substr(0, *end));
}

}  // namespace

Expected<std::string> copyElf(const char *start) {
  constexpr size_t step = 1 << 20;
  CarefulCopy careful;
  const auto end = fileEnd([&](uint64_t at, void *to, size_t bytes) { return careful.copy(start + at, to, bytes); });
  if (!end) return damaged;
  std::string content;
  const auto copyUpTo = [&](uint64_t wanted) {
    while (content.size() < wanted) {
      const size_t before = content.size();
      content.resize(std::min<uint64_t>(before + step, wanted));
      if (!careful.copy(start + before, content.data() + before, content.size() - before)) return false;
    }
    return true;
  };
  if (!copyUpTo(*end)) return damaged;
  // There is nothing behind an object.
  const Elf64_Ehdr header = headerOf(content);
  if (isOwn(header) && header.e_type == ET_DYN && !copyUpTo(*end + imageSealBytes)) return damaged;
  return content;
}

Expected<ElfKind> kindOf(std::string_view content) {
  if (!isElf(content) || content.size() < sizeof(Elf64_Ehdr)) return damaged;
  const Elf64_Ehdr header = headerOf(content);
  if (isOwn(header) && header.e_type == ET_REL) return ElfKind::Object;
  if (!isOwn(header) || header.e_type != ET_DYN)
    return Status(cudaErrorNoKernelImageForDevice,
                  "the image holds a GPU's code; build it with hwcc (-ptx, -cubin or -fatbin) or compile it with "
                  "hostwarp's NVRTC");
  if (isSealed(content)) return ElfKind::Loadable;
  return Status(cudaErrorInvalidKernelImage, "the image is cut off or damaged, or hwcc did not write it");
}

}  // namespace hostwarp::modules
