// The link command.
#ifndef HOSTWARP_COMPILER_DRIVER_LINK_H
#define HOSTWARP_COMPILER_DRIVER_LINK_H

#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/front_end.h"
#include "compiler/driver/invocation.h"
#include "compiler/driver/toolchain.h"

namespace hostwarp::driver {

// linkCommand() makes an executable or (-shared) a shared object of `objects`, or (-r) one relocatable object.
Command linkCommand(const Invocation &invocation, const Toolchain &tools, const std::vector<std::string> &objects,
                    const std::string &output);

// imageLinkCommand() makes a device image of objects with device code.
Command imageLinkCommand(const Toolchain &tools, const std::vector<std::string> &objects, const std::string &output);

// relocatableImageCommand() makes an image that can be linked with others.
Command relocatableImageCommand(const Toolchain &tools, const std::vector<std::string> &objects,
                                const std::string &output);

// explainUndefined() puts what the linker says of device code that is nowhere into nvlink's words.
std::string explainUndefined(const std::string &output);

// libraryFolderArguments() are how a linker finds our libraries, and the finished program too.
std::vector<std::string> libraryFolderArguments(const Toolchain &tools);

// bringsSharedRuntime() tells whether an argument of a link names a library that needs libcudart.so; a process must not
// have two runtimes, so the static one is then left out.
bool bringsSharedRuntime(std::string_view argument);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_LINK_H
