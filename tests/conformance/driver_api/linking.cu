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

// The limit that a link is given holds for what it compiles.
static void limitsRegisters() {
  std::string ptx = jit::ptx(R"(
extern "C" __global__ void many(volatile float *p) {
  float values[80];
  #pragma unroll
  for (int i = 0; i < 80; ++i) values[i] = p[i];
  #pragma unroll
  for (int i = 0; i < 80; ++i) p[79 - i] = values[i];
}
)");
  CUjit_option option = CU_JIT_MAX_REGISTERS;
  void *most = reinterpret_cast<void *>(32);
  CUlinkState link;
  CU(cuLinkCreate(1, &option, &most, &link));
  CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, &ptx[0], ptx.size() + 1, "many.ptx", 0, nullptr, nullptr));
  void *cubin = nullptr;
  CU(cuLinkComplete(link, &cubin, nullptr));
  CUmodule module;
  CUfunction function;
  CU(cuModuleLoadData(&module, cubin));
  CU(cuLinkDestroy(link));
  CU(cuModuleGetFunction(&function, module, "many"));
  int registers = 0;
  CU(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  CHECK(registers <= 32);
  CU(cuModuleUnload(module));
}

int main() {
  jit::Context context;
  limitsRegisters();
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
  CU(cuFuncGetModule(&owner, function));
  CU(cuLibraryGetModule(&module, library));
  CHECK(owner == module);
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
