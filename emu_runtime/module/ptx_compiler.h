// PTX of other compilers, which hwcc makes into a device image while the program runs.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_PTX_COMPILER_H
#define HOSTWARP_EMU_RUNTIME_MODULE_PTX_COMPILER_H

#include <string>
#include <vector>

#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// compilePtx() runs hwcc, which has to be installed beside the runtime library, in the PATH, or named by
// HOSTWARP_HWCC; takes about a second, unless the user's cache has the image. What it says of wrong PTX is the status's
// message. Blocks; thread-safe. The images of the last texts are kept.
Expected<std::string> compilePtx(const std::string &text);

// compilePart() is compilePtx() for a part of a module that was accepted as a whole.
Expected<std::string> compilePart(const std::string &text);

// dividePtx() has hwcc tell in which parts it can compile the module (ptx_parts.h). Blocks; thread-safe.
Expected<std::string> dividePtx(const std::string &text);

// LinkInput is one image, text or library of a link; `name` is what messages call it.
struct LinkInput {
  std::string name;
  std::string content;
};

// compileForLink() compiles PTX to an input for a link; `mostRegisters` is what a kernel may have, 0: no limit.
Expected<std::string> compileForLink(const std::string &text, unsigned mostRegisters);

// emptyImage() is an image without code.
Expected<std::string> emptyImage();

// linkImages() runs hwcc to make one image of inputs that were compiled with -rdc=true, and of PTX. What it says of
// wrong inputs is the status's message. Blocks; thread-safe.
Expected<std::string> linkImages(const std::vector<LinkInput> &inputs);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_PTX_COMPILER_H
