// A library's exit handler releases the primary context after what counts its users was destroyed: CuPy aborted when it
// ended, since a freed number was counted down.
// options: -lcuda
#include <cuda.h>
#include <unistd.h>

#include <cstdlib>

#include "../conformance/check.h"

static void release() {
  unsigned flags = 0;
  int isActive = 1;
  const bool released = cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS;
  if (released && cuDevicePrimaryCtxGetState(0, &flags, &isActive) == CUDA_SUCCESS && !isActive) return;
  printf("FAIL: the primary context is still there after its last user has gone\n");
  _exit(1);
}

int main() {
  // Before the driver keeps anything: handlers run in reverse order.
  atexit(release);
  CHECK_EQ(cuInit(0), CUDA_SUCCESS);
  CUcontext context = nullptr;
  CHECK_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  return check::finish();
}
