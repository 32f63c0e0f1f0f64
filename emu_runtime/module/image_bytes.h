// What programs hand over as a cubin, fat binary or PTX, as the shared object inside.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H
#define HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H

#include <string>
#include <string_view>

#include "emu_runtime/module/targets.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// imageBytes() gives the shared object that `data` is (what hwcc -cubin and -fatbin write), or that it contains as text
// (what hwcc -ptx writes, ending with a zero byte). Fails with CUDA's codes for images of other compilers. pre: data
// points at a whole image of some form.
Expected<std::string> imageBytes(const void *data);

// formOf() tells whether `data` counts as PTX. pre: imageBytes() has succeeded with it.
Form formOf(const void *data);

// isImageText() tells whether the text is what hwcc -ptx writes.
bool isImageText(std::string_view text);

// isComplete() tells whether the content, in one of these forms, is an image that needs no link: compiled without
// -rdc=true, or linked.
bool isComplete(const std::string &content);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H
