#include "emu_runtime/support/error_text.h"

namespace hostwarp {

static constexpr const char *unrecognized = "unrecognized error code";

const char *errorName(cudaError_t error) {
  switch (error) {
#define HOSTWARP_ERROR(code, text) \
  case code:                       \
    return #code;
#include "emu_runtime/support/errors.def"
#undef HOSTWARP_ERROR
  }
  return unrecognized;
}

const char *errorText(cudaError_t error) {
  switch (error) {
#define HOSTWARP_ERROR(code, text) \
  case code:                       \
    return text;
#include "emu_runtime/support/errors.def"
#undef HOSTWARP_ERROR
  }
  return unrecognized;
}

}  // namespace hostwarp
