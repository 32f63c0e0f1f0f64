// options: -lcuda -lnvrtc
// Launches: arguments as pointers and as a buffer, attributes, limits of functions, cooperative kernels.
#include <cstring>

#include "../jit.h"

static const char *source = R"(
struct Pair { double d; char c; };
extern "C" __global__ void mixed(char a, double b, short c, Pair p, float *out) {
  out[0] = a; out[1] = b; out[2] = c; out[3] = p.d; out[4] = p.c;
}
extern "C" __global__ void __launch_bounds__(128) bounded(int *out) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[10];
  dynamic[threadIdx.x] = threadIdx.x;
  fixed[threadIdx.x % 10] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = dynamic[blockDim.x - 1] + fixed[0];
}
)";

struct Pair {
  double d;
  char c;
};

static void checkMixed(CUdeviceptr out) {
  float back[5] = {};
  CU(cuMemcpyDtoH(back, out, sizeof back));
  const float expected[] = {7, 2.5f, -3, 1.25f, 9};
  for (int i = 0; i < 5; ++i) CHECK_EQ(back[i], expected[i]);
  CU(cuMemsetD8(out, 0, sizeof back));
}

static void arguments(CUfunction mixed, CUdeviceptr out) {
  char a = 7;
  double b = 2.5;
  short c = -3;
  Pair p{1.25, 9};
  void *pointers[] = {&a, &b, &c, &p, &out};
  CU(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, pointers, nullptr));
  checkMixed(out);

  alignas(8) char buffer[64] = {};
  size_t bytes = 0;
  auto put = [&](const void *value, size_t index) {
    size_t offset = 0, size = 0;
    CU(cuFuncGetParamInfo(mixed, index, &offset, &size));
    memcpy(buffer + offset, value, size);
    bytes = offset + size;
  };
  put(&a, 0);
  put(&b, 1);
  put(&c, 2);
  put(&p, 3);
  put(&out, 4);
  CHECK_EQ(bytes, 48u);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  CU(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  checkMixed(out);
  bytes = 47;  // counted in words
  CU(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  checkMixed(out);
}

static void limits(CUfunction bounded, CUdeviceptr out) {
  int value = 0;
  CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded));
  CHECK_EQ(value, 128);
  CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, bounded));
  CHECK(value >= 40 && value < 64);  // rounded up as the compiler likes
  void *pointers[] = {&out};
  CU(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 64 * 4, nullptr, pointers, nullptr));
  CU(cuMemcpyDtoH(&value, out, sizeof value));
  CHECK_EQ(value, 64);
  CHECK_EQ(cuLaunchKernel(bounded, 0, 1, 1, 64, 1, 1, 256, nullptr, pointers, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuLaunchKernel(bounded, 1, 1, 1, 2048, 1, 1, 256, nullptr, pointers, nullptr), CUDA_ERROR_INVALID_VALUE);

  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = 128;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CU(cuLaunchKernelEx(&config, bounded, pointers, nullptr));
  CU(cuMemcpyDtoH(&value, out, sizeof value));
  CHECK_EQ(value, 32);
  int blocks = 0, grid = 0, block = 0;
  CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 512));
  CHECK(blocks >= 1);
  CU(cuOccupancyMaxPotentialBlockSize(&grid, &block, bounded, nullptr, 0, 0));
  CHECK(grid >= 1 && block >= 32 && block <= 128);
}

int main() {
  jit::Context context;
  const std::string ptx = jit::ptx(source);
  CUmodule module;
  CUfunction mixed, bounded;
  CUdeviceptr out;
  CU(cuModuleLoadData(&module, ptx.c_str()));
  CU(cuModuleGetFunction(&mixed, module, "mixed"));
  CU(cuModuleGetFunction(&bounded, module, "bounded"));
  CU(cuMemAlloc(&out, 64));
  arguments(mixed, out);
  limits(bounded, out);
  CU(cuMemFree(out));
  CU(cuModuleUnload(module));
  return check::finish();
}
