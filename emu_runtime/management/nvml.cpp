// NVML's functions: what the runtime says of its devices. What a processor has not (temperature, power, clocks,
// utilisation) has no function here, so that programs take it for an older library's lack.
#pragma GCC visibility push(default)
#include <nvml.h>
#pragma GCC visibility pop

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

std::atomic<int> users{0};  // calls of nvmlInit() without a nvmlShutdown()

constexpr const char *driverVersion = "580.00";
constexpr const char *libraryVersion = "13.580.00";

nvmlReturn_t copy(const std::string &text, char *to, unsigned length) {
  if (!to) return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

// Handles are numbers from 1 on.
nvmlDevice_t handleOf(int index) {
  return reinterpret_cast<nvmlDevice_t>(static_cast<size_t>(index) + 1);  // NOLINT(performance-no-int-to-ptr)
}

int countDevices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

// withDevice() calls the function with the number of a device that is there.
template <typename Function>
nvmlReturn_t withDevice(nvmlDevice_t device, const void *result, Function function) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  const auto number = reinterpret_cast<size_t>(device);
  if (!result || number == 0 || number > static_cast<size_t>(countDevices())) return NVML_ERROR_INVALID_ARGUMENT;
  return function(static_cast<int>(number - 1));
}

template <typename Function>
nvmlReturn_t withProperties(nvmlDevice_t device, const void *result, Function function) {
  return withDevice(device, result, [&](int index) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) return NVML_ERROR_UNKNOWN;
    return function(properties);
  });
}

std::string uuidOf(const cudaDeviceProp &properties) {
  std::string text = "GPU-";
  char pair[3];
  for (size_t i = 0; i < sizeof(properties.uuid.bytes); ++i) {
    std::snprintf(pair, sizeof(pair), "%02x", static_cast<unsigned char>(properties.uuid.bytes[i]));
    text += (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(pair);
  }
  return text;
}

// findDevice() looks for the one that a function says true of.
template <typename Matches>
nvmlReturn_t findDevice(nvmlDevice_t *device, Matches matches) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  for (int index = 0; index < countDevices(); ++index) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess || !matches(properties)) continue;
    *device = handleOf(index);
    return NVML_SUCCESS;
  }
  return NVML_ERROR_NOT_FOUND;
}

// memoryOf() asks on the device itself, and leaves the thread's current one as it was.
nvmlReturn_t memoryOf(int index, size_t &free, size_t &total) {
  int before = 0;
  if (cudaGetDevice(&before) != cudaSuccess || cudaSetDevice(index) != cudaSuccess) return NVML_ERROR_UNKNOWN;
  const cudaError_t error = cudaMemGetInfo(&free, &total);
  (void)cudaSetDevice(before);
  return error == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

}  // namespace

nvmlReturn_t nvmlInitWithFlags(unsigned) {
  ++users;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2() { return nvmlInitWithFlags(0); }

nvmlReturn_t nvmlShutdown() {
  int before = users;
  while (before > 0 && !users.compare_exchange_weak(before, before - 1)) {
  }
  return before > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS:
      return "Success";
    case NVML_ERROR_UNINITIALIZED:
      return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
      return "Not Supported";
    case NVML_ERROR_NOT_FOUND:
      return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "Insufficient Size";
    case NVML_ERROR_UNKNOWN:
      return "Unknown Error";
  }
  return "Unknown Error";
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length) { return copy(driverVersion, version, length); }
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length) { return copy(libraryVersion, version, length); }

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) {
  if (!version) return NVML_ERROR_INVALID_ARGUMENT;
  return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  if (!count) return NVML_ERROR_INVALID_ARGUMENT;
  *count = static_cast<unsigned>(countDevices());
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  if (!device || index >= static_cast<unsigned>(countDevices())) return NVML_ERROR_INVALID_ARGUMENT;
  *device = handleOf(static_cast<int>(index));
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  if (!uuid || !device) return NVML_ERROR_INVALID_ARGUMENT;
  return findDevice(device, [&](const cudaDeviceProp &properties) { return uuidOf(properties) == uuid; });
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *busId, nvmlDevice_t *device) {
  if (!busId || !device) return NVML_ERROR_INVALID_ARGUMENT;
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  int index = 0;
  if (cudaDeviceGetByPCIBusId(&index, busId) != cudaSuccess) return NVML_ERROR_NOT_FOUND;
  *device = handleOf(index);
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index) {
  return withDevice(device, index, [&](int number) {
    *index = static_cast<unsigned>(number);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *number) {
  return nvmlDeviceGetIndex(device, number);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length) {
  return withProperties(device, name,
                        [&](const cudaDeviceProp &properties) { return copy(properties.name, name, length); });
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length) {
  return withProperties(device, uuid,
                        [&](const cudaDeviceProp &properties) { return copy(uuidOf(properties), uuid, length); });
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *info) {
  return withProperties(device, info, [&](const cudaDeviceProp &properties) {
    *info = {};
    info->domain = static_cast<unsigned>(properties.pciDomainID);
    info->bus = static_cast<unsigned>(properties.pciBusID);
    info->device = static_cast<unsigned>(properties.pciDeviceID);
    std::snprintf(info->busIdLegacy, sizeof(info->busIdLegacy), "%04X:%02X:%02X.0", info->domain & 0xFFFF,
                  info->bus & 0xFF, info->device & 0xFF);
    std::snprintf(info->busId, sizeof(info->busId), "%08X:%02X:%02X.0", info->domain, info->bus & 0xFF,
                  info->device & 0xFF);
    return NVML_SUCCESS;
  });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  return withDevice(device, memory, [&](int index) {
    size_t free = 0, total = 0;
    const nvmlReturn_t result = memoryOf(index, free, total);
    if (result == NVML_SUCCESS) *memory = {total, free, total - free};
    return result;
  });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  return withDevice(device, memory, [&](int index) {
    size_t free = 0, total = 0;
    const nvmlReturn_t result = memoryOf(index, free, total);
    if (result == NVML_SUCCESS) *memory = {memory->version, total, 0, free, total - free};
    return result;
  });
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  if (!minor) return NVML_ERROR_INVALID_ARGUMENT;
  return withProperties(device, major, [&](const cudaDeviceProp &properties) {
    *major = properties.major;
    *minor = properties.minor;
    return NVML_SUCCESS;
  });
}
