// options: -lcuda -lnvrtc
// What is left of a context that was destroyed or reset while it is current, or stands below another one on a thread's
// stack: its handle and its device. [CUDA driver API, context management]
#include "../jit.h"

namespace {

void testReset() {
  CUcontext first, again, current;
  CUdevice device = -1;
  CU(cuDevicePrimaryCtxRetain(&first, 0));
  CU(cuCtxPushCurrent(first));
  CU(cuDevicePrimaryCtxReset(0));
  CU(cuCtxGetCurrent(&current));
  CHECK(current == first);
  CU(cuCtxGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CU(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK(again == first);
  CU(cuCtxSynchronize());
  CU(cuCtxPopCurrent(nullptr));
  // Both who have retained it may release it.
  CU(cuDevicePrimaryCtxRelease(0));
  CU(cuDevicePrimaryCtxRelease(0));
  CHECK_EQ(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
}

void testBelow() {
  CUcontext below, top, current;
  CUdevice device = -1;
  CU(cuCtxCreate(&below, nullptr, 0, 0));
  CU(cuCtxCreate(&top, nullptr, 0, 0));
  CU(cuCtxDestroy(below));
  CU(cuCtxSynchronize());
  CU(cuCtxPopCurrent(&current));
  CHECK(current == top);
  CU(cuCtxGetCurrent(&current));
  CHECK(current == below);
  CU(cuCtxGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CU(cuCtxPopCurrent(nullptr));
  CU(cuCtxDestroy(top));
}

}  // namespace

int main() {
  cuInit(0);
  testReset();
  testBelow();
  return check::finish();
}
