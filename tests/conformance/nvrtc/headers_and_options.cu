// options: -lcuda -lnvrtc
// Headers given as strings, macros, default execution space, language standard.
#include "../jit.h"

static const char *source = R"(
#include "sizes.h"
#include <folder/twice.cuh>
#ifndef __CUDACC_RTC__
#error "not NVRTC"
#endif
int helper(int x) { return twice(x) + OFFSET; }
template <class T> constexpr bool isInt = false;
template <> constexpr bool isInt<int> = true;
extern "C" __global__ void k(int *p) {
  if constexpr (isInt<int>) p[threadIdx.x] = helper(COUNT);
}
)";

int main() {
  jit::Context context;
  const char *headers[] = {"#define COUNT 20\n", "__device__ inline int twice(int x) { return 2 * x; }\n"};
  const char *names[] = {"sizes.h", "folder/twice.cuh"};
  nvrtcProgram program = nullptr;
  RTC(nvrtcCreateProgram(&program, source, "headers.cu", 2, headers, names));
  const std::string wanted = jit::architecture();
  const char *options[] = {wanted.c_str(), "-DOFFSET=2",  "--std=c++17", "--device-as-default-execution-space",
                           "-lineinfo",    "--fmad=false"};
  const nvrtcResult result = nvrtcCompileProgram(program, 6, options);
  if (result != NVRTC_SUCCESS) {
    size_t bytes = 0;
    RTC(nvrtcGetProgramLogSize(program, &bytes));
    std::string log(bytes, ' ');
    RTC(nvrtcGetProgramLog(program, &log[0]));
    printf("%s\n", log.c_str());
  }
  RTC(result);
  CUmodule module;
  CUfunction k;
  const std::vector<char> cubin = jit::cubinOf(program);
  CU(cuModuleLoadData(&module, cubin.data()));
  CU(cuModuleGetFunction(&k, module, "k"));
  CUdeviceptr out = 0;
  CU(cuMemAlloc(&out, sizeof(int)));
  void *arguments[] = {&out};
  CU(cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  int value = 0;
  CU(cuMemcpyDtoH(&value, out, sizeof value));
  CHECK_EQ(value, 42);
  CU(cuMemFree(out));
  CU(cuModuleUnload(module));
  RTC(nvrtcDestroyProgram(&program));
  return check::finish();
}
