// options: -lcuda -lnvrtc
// Contexts: made, stacked, current to threads, destroyed.
#include <thread>

#include "../jit.h"

// What contexts can only be asked.
static void asked() {
  CUcontext context = nullptr;
  CU(cuCtxCreate(&context, nullptr, 0, 0));
  int most = 0, sms = 0;
  size_t limit = 0;
  CU(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0));
  CU(cuCtxGetLimit(&limit, CU_LIMIT_SHMEM_SIZE));
  CHECK_EQ(limit, size_t(most));
  CU(cuCtxGetLimit(&limit, CU_LIMIT_CIG_ENABLED));
  CHECK_EQ(limit, 0u);
  CHECK_EQ(cuCtxSetLimit(CU_LIMIT_SHMEM_SIZE, limit), CUDA_ERROR_NOT_PERMITTED);
  CHECK_EQ(cuCtxGetLimit(&limit, CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED), CUDA_ERROR_UNSUPPORTED_LIMIT);
  CU(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  CUexecAffinityParam affinity = {};
  CU(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
  CHECK_EQ(affinity.param.smCount.val, unsigned(sms));
  CHECK_EQ(cuCtxEnablePeerAccess(context, 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  CU(cuCtxDestroy(context));
}

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
  asked();
  stack();
  threads();
  CUcontext none = nullptr;
  CHECK_EQ(cuCtxCreate(&none, nullptr, 0x7, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuCtxCreate(&none, nullptr, 0, 999), CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  return check::finish();
}
