// NVRTC's options in hwcc's terms.
#ifndef HOSTWARP_COMPILER_NVRTC_OPTIONS_H
#define HOSTWARP_COMPILER_NVRTC_OPTIONS_H

#include <string>
#include <vector>

#include "compiler/driver/architectures.h"
#include "compiler/driver/result.h"

namespace hostwarp::nvrtc {

// Options is what nvrtcCompileProgram() was told.
struct Options {
  std::vector<std::string> forHwcc;
  driver::Architecture target{750, '\0'};  // NVRTC 13's default is compute_75
  bool realTarget = false;                 // sm_XX rather than compute_XX: there is a cubin
  bool defaultDevice = false;              // functions without a qualifier are __device__
  bool sourceInclude = true;               // the folder of the program's name is searched for headers
  bool forLink = false;                    // the image is what takes the place of LTO IR
  bool cached = true;
};

// parseOptions() reads the options; the Failure's message is the line for the program's log.
driver::Expected<Options> parseOptions(const std::vector<std::string> &words);

}  // namespace hostwarp::nvrtc

#endif  // HOSTWARP_COMPILER_NVRTC_OPTIONS_H
