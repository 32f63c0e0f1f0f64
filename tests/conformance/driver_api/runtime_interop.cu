// options: -lcuda -lnvrtc
// Both APIs in one program: the runtime works in the primary context, and each sees what the other made.
#include "../jit.h"

__global__ void increment(int *p) { ++*p; }

static const char *source = R"(
extern "C" __global__ void twice(int *p) { *p *= 2; }
)";

int main() {
  unsigned flags = 0;
  int active = -1;
  CU(cuInit(0));
  CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQ(active, 0);
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaFree(nullptr));
  CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQ(active, 1);
  CUcontext current = nullptr, primary = nullptr;
  CU(cuCtxGetCurrent(&current));
  CU(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK(current == primary && primary != nullptr);

  int *memory = nullptr, value = 20;
  CUDA_OK(cudaMalloc(&memory, sizeof(int)));
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(memory);
  CU(cuMemcpyHtoD(address, &value, sizeof value));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUmodule module;
  CUfunction twice;
  const std::string ptx = jit::ptx(source);
  CU(cuModuleLoadData(&module, ptx.c_str()));
  CU(cuModuleGetFunction(&twice, module, "twice"));
  increment<<<1, 1, 0, stream>>>(memory);
  void *arguments[] = {&memory};
  CU(cuLaunchKernel(twice, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  CU(cuMemcpyDtoHAsync(&value, address, sizeof value, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(value, 42);
  CUcontext streams = nullptr;
  CU(cuStreamGetCtx(stream, &streams));
  CHECK(streams == primary);

  // A kernel of the program as a CUfunction.
  cudaFunction_t function = nullptr;
  CUDA_OK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(increment)));
  CU(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  CU(cuMemcpyDtoH(&value, address, sizeof value));
  CHECK_EQ(value, 43);
  CU(cuModuleUnload(module));
  CU(cuDevicePrimaryCtxRelease(0));
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFree(memory));
  return check::finish();
}
