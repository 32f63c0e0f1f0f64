// Other builds of device code, which hwcc makes of what images carry while the program runs.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_OTHER_BUILDS_H
#define HOSTWARP_EMU_RUNTIME_MODULE_OTHER_BUILDS_H

#include <span>
#include <string>

#include "emu_runtime/support/status.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

// wantsOtherBuild() tells that kernels shall run another build than the one that images hold: HOSTWARP_BUILD names it.
bool wantsOtherBuild();

// Managed says whose managed variables the other build uses: those of the images, which host code refers to, or its
// own.
enum class Managed { OfImages, Own };

// makeOtherBuild() gives one loadable image that has the images' kernels and variables in the build that is wanted.
// Blocks while hwcc compiles, on all cores, unless the build is in the user's cache. Thread-safe. Fails where an image
// carries no code, and where hwcc is missing or fails; the message says so.
Expected<std::string> makeOtherBuild(std::span<const hw_image *const> images, Managed managed);

// tellOfMissingBuild() says on stderr that the images' kernels run as they are, and why.
void tellOfMissingBuild(std::span<const hw_image *const> images, const Status &why);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_OTHER_BUILDS_H
