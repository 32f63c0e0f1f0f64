// options: -lcuda -lnvrtc
// Name expressions: they instantiate templates, and their lowered names are what the driver API finds.
#include "../jit.h"

static const char *source = R"(
namespace inner {
template <class T, int N> __global__ void fill(T *p) { p[threadIdx.x] = T(N) + T(threadIdx.x); }
__device__ int counter = 5, numbers[4];
__constant__ float factor;
}
__global__ void plain(int *p) { *p = inner::counter; }
)";

// refuse(): the expression is no name of a kernel, nor the address of a whole variable.
static void refuse(const char *expression) {
  nvrtcProgram program = nullptr;
  RTC(nvrtcCreateProgram(&program, source, "names.cu", 0, nullptr, nullptr));
  RTC(nvrtcAddNameExpression(program, expression));
  const std::string wanted = jit::architecture();
  const char *options[] = {wanted.c_str()}, *name = nullptr;
  CHECK_EQ(nvrtcCompileProgram(program, 1, options), NVRTC_ERROR_COMPILATION);
  CHECK_EQ(nvrtcGetLoweredName(program, expression, &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  RTC(nvrtcDestroyProgram(&program));
}

int main() {
  jit::Context context;
  for (const char *wrong : {"inner::counter", "&inner::numbers[1]"}) refuse(wrong);
  nvrtcProgram program = nullptr;
  RTC(nvrtcCreateProgram(&program, source, "names.cu", 0, nullptr, nullptr));
  const char *expressions[] = {"inner::fill<float, 3>", "&inner::fill<int, (1 + 1)>", "plain", "&inner::counter",
                               "&inner::factor"};
  for (const char *expression : expressions) RTC(nvrtcAddNameExpression(program, expression));
  const std::string wanted = jit::architecture();
  const char *options[] = {wanted.c_str()};
  RTC(nvrtcCompileProgram(program, 1, options));
  CHECK_EQ(nvrtcAddNameExpression(program, "more"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  std::vector<std::string> names;
  for (const char *expression : expressions) {
    const char *name = nullptr;
    RTC(nvrtcGetLoweredName(program, expression, &name));
    names.push_back(name);
  }
  CHECK(names[2] == "_Z5plainPi");
  const char *none = nullptr;
  CHECK_EQ(nvrtcGetLoweredName(program, "never_added", &none), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);

  CUmodule module;
  CUfunction floats, ints;
  const std::vector<char> cubin = jit::cubinOf(program);
  CU(cuModuleLoadData(&module, cubin.data()));
  RTC(nvrtcDestroyProgram(&program));
  CU(cuModuleGetFunction(&floats, module, names[0].c_str()));
  CU(cuModuleGetFunction(&ints, module, names[1].c_str()));
  CUdeviceptr out = 0, counter = 0;
  CU(cuMemAlloc(&out, 16));
  void *arguments[] = {&out};
  float f[4];
  int i[4], value = 0;
  CU(cuLaunchKernel(floats, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  CU(cuMemcpyDtoH(f, out, sizeof f));
  CHECK_EQ(f[3], 6.0f);
  CU(cuLaunchKernel(ints, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  CU(cuMemcpyDtoH(i, out, sizeof i));
  CHECK_EQ(i[3], 5);
  CU(cuModuleGetGlobal(&counter, nullptr, module, names[3].c_str()));
  CU(cuMemcpyDtoH(&value, counter, sizeof value));
  CHECK_EQ(value, 5);
  size_t bytes = 0;
  CU(cuModuleGetGlobal(&counter, &bytes, module, names[4].c_str()));
  CHECK_EQ(bytes, sizeof(float));
  CU(cuMemFree(out));
  CU(cuModuleUnload(module));
  return check::finish();
}
