// Device properties and attributes agree with each other and with CUDA's fixed limits.
#include "../check.h"

#include <cstring>

// checkAttributes(): an attribute says what the property of the same meaning says.
static void checkAttributes(const cudaDeviceProp &p, int d) {
  const struct {
    cudaDeviceAttr attribute;
    long long value;
  } same[] = {{cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
              {cudaDevAttrWarpSize, p.warpSize},
              {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
              {cudaDevAttrComputeCapabilityMajor, p.major},
              {cudaDevAttrComputeCapabilityMinor, p.minor},
              {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(p.sharedMemPerBlock)},
              {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<long long>(p.sharedMemPerBlockOptin)},
              {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<long long>(p.sharedMemPerMultiprocessor)},
              {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
              {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
              {cudaDevAttrL2CacheSize, p.l2CacheSize},
              {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
              {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
              {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
              {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
              {cudaDevAttrManagedMemory, p.managedMemory},
              {cudaDevAttrTextureAlignment, static_cast<long long>(p.textureAlignment)},
              {cudaDevAttrPciBusId, p.pciBusID}};
  for (const auto &s : same) {
    int value = -1;
    CUDA_OK(cudaDeviceGetAttribute(&value, s.attribute, d));
    if (value != s.value) printf("attribute %d\n", s.attribute);
    CHECK_EQ(value, s.value);
  }
}

int main() {
  int count = 0, device = -1;
  CUDA_OK(cudaGetDeviceCount(&count));
  CHECK(count >= 1);
  CUDA_OK(cudaSetDevice(count - 1));
  CUDA_OK(cudaGetDevice(&device));
  CHECK_EQ(device, count - 1);
  CUDA_OK(cudaSetDevice(0));
  CHECK_EQ(cudaSetDevice(count), cudaErrorInvalidDevice);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  CHECK_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidDevice);

  for (int d = 0; d < count; ++d) {
    cudaDeviceProp p;
    CUDA_OK(cudaGetDeviceProperties(&p, d));
    CHECK(strlen(p.name) > 0 && strlen(p.name) < sizeof p.name);
    CHECK_EQ(p.warpSize, 32);
    CHECK_EQ(p.maxThreadsPerBlock, 1024);
    CHECK(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64);
    CHECK(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
    CHECK_EQ(p.sharedMemPerBlock, 49152u);
    CHECK_EQ(p.totalConstMem, 65536u);
    CHECK_EQ(p.regsPerBlock, 65536);
    CHECK(p.major >= 5 && p.minor >= 0 && p.minor <= 9);
    CHECK(p.multiProcessorCount >= 1);
    CHECK(p.totalGlobalMem >= size_t(1) << 30);
    CHECK(p.sharedMemPerBlockOptin >= p.sharedMemPerBlock && p.sharedMemPerMultiprocessor >= p.sharedMemPerBlockOptin);
    CHECK(p.maxThreadsPerMultiProcessor >= 1024);
    CHECK(p.unifiedAddressing == 1 && p.canMapHostMemory == 1);

    checkAttributes(p, d);
    char busId[32];
    int found = -1;
    CUDA_OK(cudaDeviceGetPCIBusId(busId, sizeof busId, d));
    CUDA_OK(cudaDeviceGetByPCIBusId(&found, busId));
    CHECK_EQ(found, d);
  }
  int value = 0, runtime = 0, driver = 0;
  CHECK_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count), cudaErrorInvalidDevice);
  cudaDeviceProp wanted = {};
  wanted.major = 3;
  CUDA_OK(cudaChooseDevice(&device, &wanted));
  CHECK(device >= 0 && device < count);
  CUDA_OK(cudaRuntimeGetVersion(&runtime));
  CUDA_OK(cudaDriverGetVersion(&driver));
  CHECK(runtime >= 11000 && driver >= runtime / 1000 * 1000);
  return check::finish();
}
