// The functions that return a value in place of an error: they depend on their arguments alone.
#include "emu_runtime/api/api.h"
#include "emu_runtime/support/error_text.h"

namespace hostwarp::api {

const char *cudaGetErrorName(cudaError_t error) { return errorName(error); }
const char *cudaGetErrorString(cudaError_t error) { return errorText(error); }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

}  // namespace hostwarp::api
