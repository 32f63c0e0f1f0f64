// NVVM's options, and what hwcc-device is told for them.
#ifndef HOSTWARP_COMPILER_NVVM_OPTIONS_H
#define HOSTWARP_COMPILER_NVVM_OPTIONS_H

#include <string>
#include <vector>

#include "compiler/driver/result.h"

namespace hostwarp::nvvm {

// wordsFor() is hwcc-device's command line for NVVM's options. Fails with a sentence about one that is none, or that
// asks for what is not there.
driver::Expected<std::vector<std::string>> wordsFor(const std::vector<std::string> &options);

}  // namespace hostwarp::nvvm

#endif  // HOSTWARP_COMPILER_NVVM_OPTIONS_H
