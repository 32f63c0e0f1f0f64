// options: -lcuda -lnvrtc
// Several pieces of PTX linked into one module: functions and variables of one used by another, what is missing named
// in the log, and wrong PTX refused when it is added.
#include <cstring>

#include "../jit.h"

static const char *caller = R"(
extern __device__ int base;
extern __constant__ int factors[2];
__device__ int scaled(int value, int index);
extern "C" __device__ double half(float value);
struct Pair { int first; double second; };
__device__ Pair exchanged(Pair pair);
extern "C" __global__ void run(int *out) {
  out[0] = scaled(base, 1);
  out[1] = factors[0];
  out[2] = int(half(9.0f) * 10);
  const Pair pair = exchanged({3, 4.0});
  out[3] = pair.first * 100 + int(pair.second);
}
)";

static const char *callee = R"(
__device__ int base = 5;
__constant__ int factors[2] = {7, 11};
__device__ int scaled(int value, int index) { return value * factors[index]; }
extern "C" __device__ double half(float value) { return value / 2; }
struct Pair { int first; double second; };
__device__ Pair exchanged(Pair pair) { return {int(pair.second), double(pair.first)}; }
)";

static const char *text = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) added(.param .b32 a, .param .b32 b);
.extern .global .align 4 .u32 shared_value;
.visible .entry sum(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  ld.global.u32 %r1, [shared_value];
  {
    .param .b32 param0;
    st.param.b32 [param0], %r1;
    .param .b32 param1;
    st.param.b32 [param1], 2;
    .param .b32 retval0;
    call.uni (retval0), added, (param0, param1);
    ld.param.b32 %r2, [retval0];
  }
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

static const char *rest = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 shared_value = 40;
.visible .func (.param .b32 result) added(.param .b32 a, .param .b32 b)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [a];
  ld.param.u32 %r2, [b];
  add.u32 %r3, %r1, %r2;
  st.param.b32 [result], %r3;
  ret;
}
)";

static CUresult add(CUlinkState link, const std::string &ptx, const char *name) {
  return cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char *>(ptx.c_str()), ptx.size() + 1, name, 0, nullptr,
                       nullptr);
}

static void runs(CUlinkState link, const char *name, int *out) {
  void *cubin = nullptr;
  size_t bytes = 0;
  CU(cuLinkComplete(link, &cubin, &bytes));
  CUmodule module;
  CUfunction function;
  CU(cuModuleLoadData(&module, cubin));
  CU(cuLinkDestroy(link));
  CU(cuModuleGetFunction(&function, module, name));
  void *arguments[] = {&out};
  CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CU(cuModuleUnload(module));
}

int main() {
  jit::Context context;
  int *out;
  CUDA_OK(cudaMallocManaged(&out, 4 * sizeof *out));
  CUlinkState link;

  CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CU(add(link, jit::ptx(caller, {"--relocatable-device-code=true"}), "caller.ptx"));
  CU(add(link, jit::ptx(callee, {"--relocatable-device-code=true"}), "callee.ptx"));
  runs(link, "run", out);
  CHECK_EQ(out[0], 55);
  CHECK_EQ(out[1], 7);
  CHECK_EQ(out[2], 45);
  CHECK_EQ(out[3], 403);

  CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CU(add(link, text, "text.ptx"));
  CU(add(link, rest, "rest.ptx"));
  runs(link, "sum", out);
  CHECK_EQ(out[0], 42);

  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  CU(cuLinkCreate(2, options, values, &link));
  CU(add(link, text, "text.ptx"));
  void *cubin = nullptr;
  size_t bytes = 0;
  CHECK_EQ(cuLinkComplete(link, &cubin, &bytes), CUDA_ERROR_INVALID_SOURCE);
  CHECK(std::strstr(log, "Undefined reference to 'added'") ||
        std::strstr(log, "Undefined reference to 'shared_value'"));
  CHECK_EQ(add(link, rest, "rest.ptx"), CUDA_ERROR_INVALID_VALUE);
  CU(cuLinkDestroy(link));

  // A link of nothing is an image without code; it is over then.
  CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CU(cuLinkComplete(link, &cubin, &bytes));
  CHECK_EQ(add(link, rest, "rest.ptx"), CUDA_ERROR_INVALID_VALUE);
  CU(cuLinkDestroy(link));

  CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_EQ(add(link, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { nonsense; }\n", "wrong.ptx"),
           CUDA_ERROR_INVALID_PTX);
  CU(cuLinkDestroy(link));
  CUDA_OK(cudaFree(out));
  return check::finish();
}
