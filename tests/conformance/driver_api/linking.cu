// options: -lcuda -lnvrtc
// The linker of the driver API over PTX, and libraries that belong to no context.
#include "../jit.h"

static const char *source = R"(
__device__ int offset = 100;
extern "C" __global__ void shifted(int *p) { *p = threadIdx.x + offset; }
)";

static void runs(CUfunction function, CUdeviceptr out) {
  void *arguments[] = {&out};
  CU(cuMemsetD32(out, 0, 1));
  CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  int value = 0;
  CU(cuMemcpyDtoH(&value, out, sizeof value));
  CHECK_EQ(value, 100);
}

int main() {
  jit::Context context;
  std::string ptx = jit::ptx(source);
  CUdeviceptr out = 0;
  CU(cuMemAlloc(&out, sizeof(int)));

  CUlinkState link;
  CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, &ptx[0], ptx.size() + 1, "shifted.ptx", 0, nullptr, nullptr));
  void *cubin = nullptr;
  size_t bytes = 0;
  CU(cuLinkComplete(link, &cubin, &bytes));
  CHECK(cubin != nullptr && bytes > 0);
  CUmodule module;
  CUfunction function;
  CU(cuModuleLoadData(&module, cubin));
  CU(cuLinkDestroy(link));
  CU(cuModuleGetFunction(&function, module, "shifted"));
  runs(function, out);
  CUmodule owner = nullptr;
  CU(cuFuncGetModule(&owner, function));
  CHECK(owner == module);
  CU(cuModuleUnload(module));

  CUlibrary library;
  CUkernel kernel;
  CU(cuLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CU(cuLibraryGetKernel(&kernel, library, "shifted"));
  CU(cuKernelGetFunction(&function, kernel));
  runs(function, out);
  unsigned count = 0;
  CU(cuLibraryGetKernelCount(&count, library));
  CHECK_EQ(count, 1u);
  CHECK_EQ(cuLibraryGetKernel(&kernel, library, "absent"), CUDA_ERROR_NOT_FOUND);
  CUdeviceptr offset = 0;
  CU(cuLibraryGetGlobal(&offset, &bytes, library, "offset"));
  CHECK_EQ(bytes, sizeof(int));
  CU(cuLibraryUnload(library));
  CU(cuMemFree(out));
  return check::finish();
}
