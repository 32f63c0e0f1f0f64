// Device images as ELF files, which may be damaged: nothing here trusts what their headers say.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_ELF_IMAGE_H
#define HOSTWARP_EMU_RUNTIME_MODULE_ELF_IMAGE_H

#include <string>
#include <string_view>

#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

constexpr std::string_view elfMark = "\177ELF";

// isElf() tells whether the content begins as ELF files do.
inline bool isElf(std::string_view content) { return content.starts_with(elfMark); }

// copyElf() copies the ELF file at `start`, and the seal behind it, from memory whose size nobody tells: as much as the
// file's headers say. Fails when that is not there to be read. pre: the mark of an ELF file is at `start`.
Expected<std::string> copyElf(const char *start);

// ElfKind is what an image is to the runtime.
enum class ElfKind {
  Loadable,  // linked, and as hwcc wrote it
  Object,    // compiled with -rdc=true, to be linked
};

// kindOf() says what the file is. Fails with CUDA's codes for what is no image for this processor, or is damaged.
Expected<ElfKind> kindOf(std::string_view content);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_ELF_IMAGE_H
