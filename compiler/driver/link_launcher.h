// hwcc-link: the linking compiler under a name that other programs can call.
#ifndef HOSTWARP_COMPILER_DRIVER_LINK_LAUNCHER_H
#define HOSTWARP_COMPILER_DRIVER_LINK_LAUNCHER_H

#include <string>
#include <vector>

#include "compiler/driver/toolchain.h"

namespace hostwarp::driver {

// isLinkLauncher() tells whether this process was called as hwcc-link.
bool isLinkLauncher(const char *programName);

// linkLauncherCommand() is the command that hwcc-link becomes: clang++ with our linker, and with what makes the product
// find libcudart wherever hostwarp lies. CMake links CUDA programs itself, with the program that `hwcc -v` shows it for
// the link; without this its products would not start.
std::vector<std::string> linkLauncherCommand(const Toolchain &tools, const std::vector<std::string> &arguments);

// runLinkLauncher() replaces the process; it returns the exit status if that fails.
int runLinkLauncher(const std::vector<std::string> &arguments);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_LINK_LAUNCHER_H
