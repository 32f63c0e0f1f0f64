// options: -lcuda -lnvrtc
// Contexts: made, stacked, current to threads, destroyed.
#include <thread>

#include "../jit.h"

static void stack() {
  CUcontext first = nullptr, second = nullptr, current = nullptr;
  CU(cuCtxGetCurrent(&current));
  CHECK(current == nullptr);
  CU(cuCtxCreate(&first, nullptr, 0, 0));
  CU(cuCtxGetCurrent(&current));
  CHECK(current == first);
  CU(cuCtxCreate(&second, nullptr, CU_CTX_SCHED_YIELD, 0));
  CHECK(second != first);
  CU(cuCtxGetCurrent(&current));
  CHECK(current == second);
  CU(cuCtxPopCurrent(&current));
  CHECK(current == second);
  CU(cuCtxGetCurrent(&current));
  CHECK(current == first);
  CU(cuCtxPushCurrent(second));
  unsigned version = 0, flags = 0;
  CU(cuCtxGetApiVersion(second, &version));
  CHECK(version >= 3020);
  CU(cuCtxGetFlags(&flags));
  CHECK_EQ(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_YIELD);
  CU(cuCtxDestroy(second));
  CU(cuCtxGetCurrent(&current));
  CHECK(current == first);
  CU(cuCtxDestroy(first));
  CU(cuCtxGetCurrent(&current));
  CHECK(current == nullptr);
}

// Each thread has its own current context; memory is reachable from all of them.
static void threads() {
  CUcontext context = nullptr;
  CU(cuCtxCreate(&context, nullptr, 0, 0));
  CUdeviceptr memory = 0;
  CU(cuMemAlloc(&memory, 4 * sizeof(int)));
  CU(cuCtxPopCurrent(nullptr));
  std::thread other([&] {
    CUcontext current = context;
    CU(cuCtxGetCurrent(&current));
    CHECK(current == nullptr);
    CU(cuCtxSetCurrent(context));
    CUdevice device = -1;
    CU(cuCtxGetDevice(&device));
    CHECK_EQ(device, 0);
    CU(cuMemsetD32(memory, 7, 4));
    CU(cuCtxSynchronize());
  });
  other.join();
  CU(cuCtxPushCurrent(context));
  int back[4] = {};
  CU(cuMemcpyDtoH(back, memory, sizeof back));
  CHECK_EQ(back[3], 7);
  CU(cuMemFree(memory));
  CU(cuCtxDestroy(context));
}

int main() {
  CU(cuInit(0));
  stack();
  threads();
  CUcontext none = nullptr;
  CHECK_EQ(cuCtxCreate(&none, nullptr, 0x7, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuCtxCreate(&none, nullptr, 0, 999), CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  return check::finish();
}
