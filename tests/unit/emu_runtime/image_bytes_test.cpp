#include "emu_runtime/module/image_bytes.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <string>

#include "include/hostwarp/image_seal.h"

namespace hostwarp::modules {
namespace {

// fileOf() is an ELF file of this kind with one section and the table of sections.
std::string fileOf(Elf64_Half type) {
  const std::string content = "content of a section";
  Elf64_Ehdr header{};
  for (int i = 0; i < SELFMAG; ++i) header.e_ident[i] = static_cast<unsigned char>(ELFMAG[i]);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = type;
#if defined(__x86_64__)
  header.e_machine = EM_X86_64;
#else
  header.e_machine = EM_AARCH64;
#endif
  header.e_shoff = sizeof(header) + content.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 1;
  Elf64_Shdr section{};
  section.sh_type = SHT_PROGBITS;
  section.sh_offset = sizeof(header);
  section.sh_size = content.size();
  return std::string(reinterpret_cast<const char *>(&header), sizeof(header)) + content +
         std::string(reinterpret_cast<const char *>(&section), sizeof(section));
}

std::string sealed(const std::string &file) { return file + imageSeal(file); }

bool isLoadable(const std::string &content) {
  const auto image = findImage(content);
  return image.ok() && image->kind == Image::Kind::Loadable;
}

TEST(ImageBytes, WhatHwccHasSealedIsLoadable) {
  const std::string image = sealed(fileOf(ET_DYN));
  EXPECT_TRUE(isLoadable(image));
  EXPECT_TRUE(isLoadable(image + '\0'));
  EXPECT_EQ(*contentAt(image.data()), image);
  EXPECT_EQ(findImage(fileOf(ET_DYN)).status().code(), cudaErrorInvalidKernelImage);
}

TEST(ImageBytes, EachByteCounts) {
  const std::string image = sealed(fileOf(ET_DYN));
  for (size_t i = 0; i < image.size(); ++i) {
    std::string other = image;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_FALSE(isLoadable(other)) << "byte " << i;
    EXPECT_FALSE(isLoadable(image.substr(0, i))) << "the first " << i << " bytes";
  }
}

TEST(ImageBytes, ObjectsNeedNoSeal) {
  const std::string object = fileOf(ET_REL);
  const auto image = findImage(object);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->kind, Image::Kind::Object);
  EXPECT_EQ(*contentAt(object.data()), object);
}

TEST(ImageBytes, HeadersThatLieAreNoReasonToReadOn) {
  std::string image = sealed(fileOf(ET_DYN));
  Elf64_Off far = uint64_t{1} << 40;
  image.replace(offsetof(Elf64_Ehdr, e_shoff), sizeof(far), reinterpret_cast<const char *>(&far), sizeof(far));
  EXPECT_EQ(contentAt(image.data()).status().code(), cudaErrorInvalidKernelImage);
  EXPECT_EQ(findImage(image).status().code(), cudaErrorInvalidKernelImage);
}

}  // namespace
}  // namespace hostwarp::modules
