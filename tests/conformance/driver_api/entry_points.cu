// options: -lcuda -lnvrtc -ldl
// Functions of the driver API by name: cuGetProcAddress(), the runtime's cudaGetDriverEntryPointByVersion(), dlsym().
#include <dlfcn.h>

#include "../jit.h"

int main() {
  CU(cuInit(0));
  using GetCount = CUresult (*)(int *);
  void *function = nullptr;
  CUdriverProcAddressQueryResult result;
  CU(cuGetProcAddress("cuDeviceGetCount", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
  CHECK_EQ(result, CU_GET_PROC_ADDRESS_SUCCESS);
  int count = 0;
  CHECK_EQ(reinterpret_cast<GetCount>(function)(&count), CUDA_SUCCESS);
  CHECK(count >= 1);
  CHECK(cuGetProcAddress("cuNoSuchFunction", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &result) == CUDA_SUCCESS ||
        function == nullptr);
  CHECK_EQ(result, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);

  // The plain name means the form of the version that is asked for.
  using Create2 = CUresult (*)(CUcontext *, unsigned, CUdevice);
  CU(cuGetProcAddress("cuCtxCreate", &function, 11000, CU_GET_PROC_ADDRESS_DEFAULT, &result));
  CUcontext context = nullptr;
  CHECK_EQ(reinterpret_cast<Create2>(function)(&context, 0, 0), CUDA_SUCCESS);
  CU(cuCtxDestroy(context));

  cudaDriverEntryPointQueryResult status;
  CUDA_OK(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &function, 13000, cudaEnableDefault, &status));
  CHECK_EQ(status, cudaDriverEntryPointSuccess);
  int version = 0;
  CHECK_EQ(reinterpret_cast<GetCount>(function)(&version), CUDA_SUCCESS);
  CHECK(version >= 13000);

  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(library != nullptr);
  if (library) {
    using Alloc = CUresult (*)(CUdeviceptr *, size_t);
    auto allocate = reinterpret_cast<Alloc>(dlsym(library, "cuMemAlloc_v2"));
    CHECK(allocate != nullptr);
    CUdeviceptr pointer = 0;
    CUDA_OK(cudaSetDevice(0));
    if (allocate) CHECK_EQ(allocate(&pointer, 64), CUDA_SUCCESS);
    CUDA_OK(cudaFree(reinterpret_cast<void *>(pointer)));
  }
  return check::finish();
}
