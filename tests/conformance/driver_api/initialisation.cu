// options: -lcuda -lnvrtc
// What the driver API says before cuInit(), its version, and names and texts of its errors.
#include <cstring>

#include "../child.h"
#include "../jit.h"

// The runtime initialises the driver API for itself, so that programs of both need no cuInit().
template <class Call>
bool initialisedBy(Call call) {
  const auto body = [&] {
    int count = -1;
    if (cuDeviceGetCount(&count) != CUDA_ERROR_NOT_INITIALIZED) return 1;
    return call() == cudaSuccess && cuDeviceGetCount(&count) == CUDA_SUCCESS && count >= 1 ? 0 : 2;
  };
  return check::runInChild(body).exitCode == 0;
}

int main() {
  int number = 0;
  CHECK(initialisedBy([&] { return cudaGetDeviceCount(&number); }));
  CHECK(initialisedBy([&] { return cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0); }));
  CHECK(initialisedBy([] { return cudaFree(nullptr); }));
  int count = -1, version = 0;
  CHECK_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuDriverGetVersion(&version), CUDA_SUCCESS);
  CHECK(version >= 13000);
  CU(cuInit(0));
  CHECK_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  CHECK(count >= 1);
  CUdeviceptr pointer = 0;
  CHECK_EQ(cuMemAlloc(&pointer, 16), CUDA_ERROR_INVALID_CONTEXT);

  const char *text = nullptr;
  CHECK_EQ(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text), CUDA_SUCCESS);
  CHECK(text && strcmp(text, "CUDA_ERROR_INVALID_VALUE") == 0);
  CHECK_EQ(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text), CUDA_SUCCESS);
  CHECK(text && strcmp(text, "out of memory") == 0);
  CHECK_EQ(cuGetErrorName(static_cast<CUresult>(123456), &text), CUDA_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
  return check::finish();
}
