// options: -lcuda -lnvrtc
// What the driver API says before cuInit(), its version, and names and texts of its errors.
#include <cstring>

#include "../jit.h"

int main() {
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
