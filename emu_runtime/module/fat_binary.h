// Fat binaries as nvcc writes them: a container of PTX and machine code for several architectures. What hostwarp runs
// of one is its PTX.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_FAT_BINARY_H
#define HOSTWARP_EMU_RUNTIME_MODULE_FAT_BINARY_H

#include <string>
#include <string_view>

#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// isFatBinary() tells whether a content begins as one, isFatBinaryHandle() whether it begins as the structure that
// programs have beside one: it is what __cudaRegisterFatBinary() and cuLibraryLoadData() are given.
bool isFatBinary(std::string_view content);
bool isFatBinaryHandle(std::string_view content);

// copyFatBinary() copies the fat binary at `start`, or the one that the structure at `start` names, from memory whose
// size nobody tells. Fails when that is not there to be read. pre: isFatBinary() or isFatBinaryHandle() of its first
// bytes.
Expected<std::string> copyFatBinary(const char *start);

// FoundPtx is PTX as text, or packed (compiler/ptx/packed_text.h), and the architecture that it is for.
struct FoundPtx {
  std::string text;
  int architecture = 0;
};

// ptxIn() is the PTX of the highest architecture that a device of this capability runs. Where there is none, but
// machine code that such a GPU would take, it is the PTX of the next architecture: it was made of the same source.
// Fails with a sentence that says what is there instead.
Expected<FoundPtx> ptxIn(std::string_view fatBinary, int capability);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_FAT_BINARY_H
