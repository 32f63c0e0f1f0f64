// options: -lcuda
// PTX as text, loaded while the program runs: parameters of several kinds, shared memory, branches, variables by name.
#include <cuda.h>

#include <cstring>
#include <string>

#include "../check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

static const char *module = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .const .align 4 .f32 factor = 0f40000000;      // 2.0
.visible .global .align 4 .u32 calls = 5;
.visible .global .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};

// out[i] = factor * (sum of the block's in[]) + p.b, for i < n
.visible .entry scaledSum(
    .param .u64 scaledSum_param_0,
    .param .u64 scaledSum_param_1,
    .param .u32 scaledSum_param_2,
    .param .align 8 .b8 scaledSum_param_3[16]
)
.maxntid 64, 1, 1
{
  .reg .pred %p<4>;
  .reg .f32 %f<8>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<12>;
  .shared .align 4 .b8 tile[256];

  ld.param.u64 %rd1, [scaledSum_param_0];
  ld.param.u64 %rd2, [scaledSum_param_1];
  ld.param.u32 %r1, [scaledSum_param_2];
  ld.param.f32 %f1, [scaledSum_param_3+8];
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd3, %rd5;
  mov.f32 %f2, 0f00000000;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra $L_store;
  ld.global.f32 %f2, [%rd6];
$L_store:
  shl.b32 %r3, %r2, 2;
  mov.u32 %r4, tile;
  add.s32 %r5, %r4, %r3;
  st.shared.f32 [%r5], %f2;
  bar.sync 0;
  mov.u32 %r6, 0;
  mov.f32 %f3, 0f00000000;
$L_loop:
  shl.b32 %r7, %r6, 2;
  add.s32 %r8, %r4, %r7;
  ld.shared.f32 %f4, [%r8];
  add.f32 %f3, %f3, %f4;
  add.s32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, 64;
  @%p2 bra $L_loop;
  ld.const.f32 %f5, [factor];
  fma.rn.f32 %f6, %f3, %f5, %f1;
  @%p1 ret;
  add.s64 %rd7, %rd4, %rd5;
  st.global.f32 [%rd7], %f6;
  setp.ne.u32 %p3, %r2, 0;
  @%p3 bra $L_end;
  mov.u64 %rd8, calls;
  atom.global.add.u32 %r9, [%rd8], 1;
$L_end:
  ret;
}

.visible .entry readTable(.param .u64 p)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  ld.global.u32 %r1, [table];
  ld.global.u32 %r2, [table+4];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd1], %r3;
  ret;
}
)";

struct Pair {
  double a;
  float b;
};

template <class T>
static T variable(CUmodule loaded, const char *name) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  T value{};
  CU(cuModuleGetGlobal(&address, &bytes, loaded, name));
  CHECK_EQ(bytes, sizeof value);
  CU(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

// mistakes() in the text, and in its options.
static void mistakes() {
  CUmodule loaded = nullptr;
  std::string wrong = module;
  wrong.replace(wrong.find("fma.rn.f32"), 10, "fmx.rn.f32");
  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
  CHECK_EQ(cuModuleLoadDataEx(&loaded, wrong.c_str(), 2, options, values), CUDA_ERROR_INVALID_PTX);
  CHECK(strstr(log, "ptxas application ptx input, line ") != nullptr);
  CHECK(strstr(log, "Not a name of any known instruction: 'fmx'") != nullptr);
  CHECK(strstr(log, "ptxas fatal   : Ptx assembly aborted due to errors") != nullptr);

  // What is no PTX at all is found out before it is compiled.
  log[0] = '\0';
  values[1] = reinterpret_cast<void *>(sizeof log);
  CHECK_EQ(cuModuleLoadDataEx(&loaded, "some PTX code", 2, options, values), CUDA_ERROR_INVALID_IMAGE);
  CHECK_EQ(std::string(log), "error   : Binary format for key='0', ident='' is not recognized");
  CHECK_EQ(reinterpret_cast<size_t>(values[1]), strlen(log));
  CUjit_option unknown = static_cast<CUjit_option>(1000);
  CHECK_EQ(cuModuleLoadDataEx(&loaded, module, 1, &unknown, values), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  CUmodule loaded = nullptr;
  CU(cuModuleLoadData(&loaded, module));
  CUfunction sum = nullptr, read = nullptr;
  CU(cuModuleGetFunction(&sum, loaded, "scaledSum"));
  CU(cuModuleGetFunction(&read, loaded, "readTable"));
  int limit = 0;
  CU(cuFuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, sum));
  CHECK_EQ(limit, 64);

  float *in = nullptr, *out = nullptr;
  unsigned n = 50;
  CUDA_OK(cudaMallocManaged(&in, 64 * sizeof *in));
  CUDA_OK(cudaMallocManaged(&out, 64 * sizeof *out));
  for (int i = 0; i < 64; ++i) in[i] = static_cast<float>(i), out[i] = -1;
  Pair pair{0, 0.5f};
  void *arguments[] = {&in, &out, &n, &pair};
  CU(cuLaunchKernel(sum, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(out[i], i < 50 ? 2 * 1225 + 0.5f : -1);
  CHECK_EQ(variable<unsigned>(loaded, "calls"), 6);
  CHECK_EQ(variable<float>(loaded, "factor"), 2);

  unsigned *result = reinterpret_cast<unsigned *>(out);
  void *one[] = {&result};
  CU(cuLaunchKernel(read, 1, 1, 1, 1, 1, 1, 0, nullptr, one, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(*result, 3);
  CU(cuModuleUnload(loaded));

  // The linker takes it too; wrong PTX is told from other trouble, and the log says what is wrong.
  CUlinkState link = nullptr;
  void *image = nullptr;
  CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CU(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char *>(module), strlen(module) + 1, "module", 0, nullptr,
                   nullptr));
  CU(cuLinkComplete(link, &image, nullptr));
  CU(cuModuleLoadData(&loaded, image));
  CHECK_EQ(variable<unsigned>(loaded, "calls"), 5);
  CU(cuModuleUnload(loaded));
  CU(cuLinkDestroy(link));
  mistakes();
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
  return check::finish();
}
