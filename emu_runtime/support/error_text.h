// The names and texts of error codes.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_TEXT_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_TEXT_H

#include "include/driver_types.h"

namespace hostwarp {

// errorName() gives the enumerator's name, errorText() CUDA's sentence about it; both give "unrecognized error code"
// for a value that is none. The strings live forever.
const char *errorName(cudaError_t error);
const char *errorText(cudaError_t error);

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_ERROR_TEXT_H
