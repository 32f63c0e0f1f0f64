// Option files: --options-file f, -optf f and @f.
#ifndef HOSTWARP_COMPILER_DRIVER_OPTIONS_FILE_H
#define HOSTWARP_COMPILER_DRIVER_OPTIONS_FILE_H

#include <string>
#include <vector>

#include "compiler/driver/result.h"

namespace hostwarp::driver {

// expandOptionsFiles() puts the words of each option file in the place where it is named. Files may name further files.
Expected<std::vector<std::string>> expandOptionsFiles(const std::vector<std::string> &arguments);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_OPTIONS_FILE_H
