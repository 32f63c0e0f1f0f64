// options: -lcuda
// Green contexts: splitting a device's SMs, streams of a part, what occupancy and cooperative launches see there.
#include <cuda.h>

#include <vector>

#include "../check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

__global__ void add(int *p) { atomicAdd(p, 1); }
__global__ void fill(char *p) {
  extern __shared__ char tile[];
  tile[threadIdx.x] = 1;
  __syncthreads();
  p[threadIdx.x] = tile[threadIdx.x];
}

static CUdevResource wholeDevice() {
  CUdevResource whole = {};
  CU(cuDeviceGetDevResource(0, &whole, CU_DEV_RESOURCE_TYPE_SM));
  return whole;
}

static void split() {
  const CUdevResource whole = wholeDevice();
  int sms = 0;
  CUDA_OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK_EQ(whole.type, CU_DEV_RESOURCE_TYPE_SM);
  CHECK_EQ(whole.sm.smCount, sms);
  unsigned groups = 0;
  CU(cuDevSmResourceSplitByCount(nullptr, &groups, &whole, nullptr, 0, 8));
  CHECK_EQ(groups > 0, true);
  std::vector<CUdevResource> parts(groups);
  CUdevResource rest = {};
  CU(cuDevSmResourceSplitByCount(parts.data(), &groups, &whole, &rest, 0, 8));
  unsigned sum = rest.type == CU_DEV_RESOURCE_TYPE_SM ? rest.sm.smCount : 0;
  for (unsigned i = 0; i < groups; ++i) {
    CHECK_EQ(parts[i].sm.smCount >= 8, true);
    sum += parts[i].sm.smCount;
  }
  CHECK_EQ(sum, sms);
}

static CUgreenCtx greenOf(unsigned *sms) {
  const CUdevResource whole = wholeDevice();
  unsigned groups = 1;
  CUdevResource part = {}, rest = {};
  CU(cuDevSmResourceSplitByCount(&part, &groups, &whole, &rest, 0, 8));
  CHECK_EQ(groups, 1);
  *sms = part.sm.smCount;
  CUdevResourceDesc description = nullptr;
  CU(cuDevResourceGenerateDesc(&description, &part, 1));
  CUgreenCtx green = nullptr;
  CHECK_EQ(cuGreenCtxCreate(&green, description, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CU(cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  return green;
}

static void use() {
  unsigned sms = 0;
  CUgreenCtx green = greenOf(&sms);
  CUdevResource own = {};
  CU(cuGreenCtxGetDevResource(green, &own, CU_DEV_RESOURCE_TYPE_SM));
  CHECK_EQ(own.sm.smCount, sms);
  CUcontext context = nullptr;
  CU(cuCtxFromGreenCtx(&context, green));
  CU(cuCtxGetDevResource(context, &own, CU_DEV_RESOURCE_TYPE_SM));
  CHECK_EQ(own.sm.smCount, sms);

  CUstream stream = nullptr;
  CHECK_EQ(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0), CUDA_ERROR_INVALID_VALUE);
  CU(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
  CUgreenCtx found = nullptr;
  CU(cuStreamGetGreenCtx(stream, &found));
  CHECK_EQ(found == green, true);
  // Memory of the primary context, a kernel on the part.
  int *counter = nullptr;
  CUDA_OK(cudaMallocManaged(&counter, sizeof *counter));
  *counter = 0;
  add<<<64, 32, 0, stream>>>(counter);
  CUevent done = nullptr;
  CU(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  CU(cuGreenCtxRecordEvent(green, done));
  CU(cuEventSynchronize(done));
  CHECK_EQ(*counter, 64 * 32);
  add<<<1, 32, 0, stream>>>(counter);
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(*counter, 65 * 32);
  CUDA_OK(cudaFree(counter));
  CU(cuEventDestroy(done));
  CU(cuStreamDestroy(stream));
  CU(cuGreenCtxDestroy(green));
}

// A cooperative grid that fits the device does not fit a part of it.
static void residency() {
  unsigned sms = 0;
  CUgreenCtx green = greenOf(&sms);
  CUstream stream = nullptr;
  CU(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
  char *memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, 1024));
  int device = 0, perSm = 0;
  CUDA_OK(cudaDeviceGetAttribute(&device, cudaDevAttrMultiProcessorCount, 0));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, fill, 1024, 1024));
  void *arguments[] = {&memory};
  const void *kernel = reinterpret_cast<const void *>(fill);
  CUDA_OK(cudaLaunchCooperativeKernel(kernel, static_cast<unsigned>(perSm) * sms, 1024, arguments, 1024, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  if (static_cast<unsigned>(device) > sms) {
    const unsigned blocks = static_cast<unsigned>(perSm) * sms + 1;
    CHECK_EQ(cudaLaunchCooperativeKernel(kernel, blocks, 1024, arguments, 1024, stream),
             cudaErrorCooperativeLaunchTooLarge);
    (void)cudaGetLastError();
  }
  CUDA_OK(cudaFree(memory));
  CU(cuStreamDestroy(stream));
  CU(cuGreenCtxDestroy(green));
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  split();
  use();
  residency();
  return check::finish();
}
