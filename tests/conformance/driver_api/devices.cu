// options: -lcuda -lnvrtc
// The driver's view of devices agrees with the runtime's.
#include <cstring>

#include "../jit.h"

int main() {
  CU(cuInit(0));
  int count = 0, runtimeCount = 0;
  CU(cuDeviceGetCount(&count));
  CUDA_OK(cudaGetDeviceCount(&runtimeCount));
  CHECK_EQ(count, runtimeCount);
  CUdevice device = -1;
  CHECK_EQ(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  CU(cuDeviceGet(&device, 0));

  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  char name[256] = "", shortName[5] = "";
  CU(cuDeviceGetName(name, sizeof name, device));
  CHECK(strcmp(name, properties.name) == 0);
  CU(cuDeviceGetName(shortName, sizeof shortName, device));
  CHECK(strncmp(shortName, name, 4) == 0 && shortName[4] == '\0');
  size_t bytes = 0;
  CU(cuDeviceTotalMem(&bytes, device));
  CHECK_EQ(bytes, properties.totalGlobalMem);
  CUuuid uuid;
  CU(cuDeviceGetUuid(&uuid, device));
  CHECK(memcmp(&uuid, &properties.uuid, sizeof uuid) == 0);

  int value = 0;
  CU(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  CHECK_EQ(value, properties.maxThreadsPerBlock);
  CU(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK_EQ(value, 32);
  CU(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
  CHECK_EQ(value, 1);
  CHECK_EQ(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), CUDA_ERROR_INVALID_VALUE);

  char bus[32] = "";
  CU(cuDeviceGetPCIBusId(bus, sizeof bus, device));
  CUdevice again = -1;
  CU(cuDeviceGetByPCIBusId(&again, bus));
  CHECK_EQ(again, device);
  return check::finish();
}
