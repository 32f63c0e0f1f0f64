// What programs hand over as a cubin, fat binary or PTX, as the shared object inside.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H
#define HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H

#include <string>

#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// imageBytes() gives the shared object that `data` is (what hwcc -cubin and -fatbin write), or that it contains as text
// (what hwcc -ptx writes, ending with a zero byte). Fails with CUDA's codes for images of other compilers. pre: data
// points at a whole image of some form.
Expected<std::string> imageBytes(const void *data);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H
