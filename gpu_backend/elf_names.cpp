#include "gpu_backend/elf_names.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <span>

namespace hostwarp::gpu_backend {

namespace {

// MappedFile is a file's content; empty where it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string &path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat status{};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      size_ = static_cast<size_t>(status.st_size);
      void *const mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (mapped != MAP_FAILED) data_ = static_cast<const char *>(mapped);
    }
    close(descriptor);
  }
  ~MappedFile() {
    if (data_) munmap(const_cast<char *>(data_), size_);
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  std::string_view content() const { return data_ ? std::string_view(data_, size_) : std::string_view(); }

 private:
  const char *data_ = nullptr;
  size_t size_ = 0;
};

// read() is the structure at the offset; nothing where the file ends before.
template <class T>
std::optional<T> read(std::string_view content, uint64_t offset) {
  if (offset > content.size() || content.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, content.data() + offset, sizeof value);
  return value;
}

std::optional<Elf64_Ehdr> headerOf(std::string_view content) {
  const auto header = read<Elf64_Ehdr>(content, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_type != ET_DYN || header->e_machine != EM_X86_64)
    return std::nullopt;
  return header;
}

template <class Visit>
void forEachSegment(std::string_view content, const Elf64_Ehdr &header, Visit visit) {
  for (uint64_t i = 0; i < header.e_phnum; ++i)
    if (const auto segment = read<Elf64_Phdr>(content, header.e_phoff + i * sizeof(Elf64_Phdr))) visit(*segment);
}

// dynamicNames() is the table in which the dynamic linker finds names; it begins and ends with a zero.
std::string_view dynamicNames(std::string_view content, const Elf64_Ehdr &header) {
  uint64_t address = 0, bytes = 0, offset = 0;
  forEachSegment(content, header, [&](const Elf64_Phdr &segment) {
    if (segment.p_type != PT_DYNAMIC) return;
    for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = read<Elf64_Dyn>(content, segment.p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) return;
      if (entry->d_tag == DT_STRTAB) address = entry->d_un.d_ptr;
      if (entry->d_tag == DT_STRSZ) bytes = entry->d_un.d_val;
    }
  });
  forEachSegment(content, header, [&](const Elf64_Phdr &segment) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      offset = address - segment.p_vaddr + segment.p_offset;
  });
  return offset == 0 || offset > content.size() ? std::string_view() : content.substr(offset, bytes);
}

}  // namespace

bool isSharedObject(const std::string &file) { return headerOf(MappedFile(file).content()).has_value(); }

bool namesSymbol(const std::string &file, std::string_view symbol) {
  const MappedFile mapped(file);
  const auto header = headerOf(mapped.content());
  if (!header) return false;
  const std::string whole = '\0' + std::string(symbol) + '\0';
  return dynamicNames(mapped.content(), *header).find(whole) != std::string_view::npos;
}

}  // namespace hostwarp::gpu_backend
