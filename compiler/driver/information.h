// What hwcc says about itself: --help, --version, -code-ls, and the variables at the head of -v and --dryrun.
#ifndef HOSTWARP_COMPILER_DRIVER_INFORMATION_H
#define HOSTWARP_COMPILER_DRIVER_INFORMATION_H

#include <string>

#include "compiler/driver/invocation.h"
#include "compiler/driver/toolchain.h"

namespace hostwarp::driver {

std::string helpText();

// versionText() has nvcc's two lines that build systems read, with our own name and version around them.
std::string versionText();

// architectureText() lists sm_ and compute_ names for -code-ls and -arch-ls.
std::string architectureText(const Invocation &invocation);

// variablesText() are the "#$ NAME=value" lines from which CMake learns the folders, and the default architecture.
std::string variablesText(const Invocation &invocation, const Toolchain &tools);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_INFORMATION_H
