// PTX of other compilers, which hwcc makes into a device image while the program runs.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_PTX_COMPILER_H
#define HOSTWARP_EMU_RUNTIME_MODULE_PTX_COMPILER_H

#include <string>

#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// compilePtx() runs hwcc, which has to be installed beside the runtime library, in the PATH, or named by
// HOSTWARP_HWCC; takes about a second. What it says of wrong PTX is the status's message. Blocks; thread-safe. The
// images of the last texts are kept.
Expected<std::string> compilePtx(const std::string &text);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_PTX_COMPILER_H
