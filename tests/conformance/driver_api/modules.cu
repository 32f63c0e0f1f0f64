// options: -lcuda -lnvrtc
// Modules: loading PTX and cubin, functions and variables by name, two loadings of one image.
#include "../jit.h"

static const char *source = R"(
__constant__ int factor = 3;
static __constant__ int hidden = 1;
__device__ int table[5] = {1, 2, 3, 4, 5};
extern "C" __global__ void scale() { table[threadIdx.x] *= factor * hidden; }
__global__ void mangled(int *p) { *p = 1; }
)";

static int firstOf(CUmodule module) {
  CUdeviceptr table = 0;
  int value = 0;
  CU(cuModuleGetGlobal(&table, nullptr, module, "table"));
  CU(cuMemcpyDtoH(&value, table, sizeof value));
  return value;
}

static void run(CUmodule module) {
  CUfunction scale;
  CU(cuModuleGetFunction(&scale, module, "scale"));
  CU(cuLaunchKernel(scale, 1, 1, 1, 5, 1, 1, 0, nullptr, nullptr, nullptr));
  CU(cuCtxSynchronize());
}

int main() {
  jit::Context context;
  nvrtcProgram program = jit::compiled(source);
  const std::string ptx = jit::ptxOf(program);
  const std::vector<char> cubin = jit::cubinOf(program);
  CUmodule first, second;
  CU(cuModuleLoadData(&first, ptx.c_str()));
  char log[512] = "unchanged";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  CU(cuModuleLoadDataEx(&second, cubin.data(), 2, options, values));

  // Each loading has variables of its own.
  CHECK_EQ(firstOf(first), 1);
  run(first);
  CHECK_EQ(firstOf(first), 3);
  CHECK_EQ(firstOf(second), 1);
  CUdeviceptr factor = 0;
  size_t bytes = 0;
  CU(cuModuleGetGlobal(&factor, &bytes, second, "factor"));
  CHECK_EQ(bytes, sizeof(int));
  CUdeviceptr hidden = 0;
  CU(cuModuleGetGlobal(&hidden, &bytes, second, "hidden"));
  const int ten = 10;
  CU(cuMemcpyHtoD(factor, &ten, sizeof ten));
  run(second);
  CHECK_EQ(firstOf(second), 10);
  CHECK_EQ(firstOf(first), 3);

  CUfunction function = nullptr;
  CHECK_EQ(cuModuleGetFunction(&function, first, "absent"), CUDA_ERROR_NOT_FOUND);
  CHECK_EQ(cuModuleGetFunction(&function, first, "mangled"), CUDA_ERROR_NOT_FOUND);
  CU(cuModuleGetFunction(&function, first, "_Z7mangledPi"));
  CHECK_EQ(cuModuleGetGlobal(&factor, &bytes, first, "absent"), CUDA_ERROR_NOT_FOUND);
  CHECK_EQ(cuModuleGetGlobal(&factor, &bytes, first, "_Z7mangledPi"), CUDA_ERROR_INVALID_VALUE);
  CU(cuModuleEnumerateFunctions(&function, 0, first));
  unsigned count = 0;
  CU(cuModuleGetFunctionCount(&count, first));
  CHECK_EQ(count, 2u);
  CUmodule none = nullptr;
  CHECK_EQ(cuModuleLoad(&none, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuModuleLoadData(&none, "this is no image at all") != CUDA_SUCCESS);
  CU(cuModuleUnload(first));
  CU(cuModuleUnload(second));
  RTC(nvrtcDestroyProgram(&program));
  return check::finish();
}
