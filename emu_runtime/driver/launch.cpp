// Kernels: attributes, launches in all their forms, occupancy.
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "device_model/compute_capability.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/modules.h"
#include "emu_runtime/execution/grid_launch.h"
#include "emu_runtime/execution/launch.h"
#include "emu_runtime/module/registry.h"
#include "fibers/mutex.h"

namespace hostwarp::driver_api {

namespace {

using execution::LaunchConfiguration;

// ArgumentList is one pointer per parameter of the kernel, from either form in which programs give them.
class ArgumentList {
 public:
  static Expected<ArgumentList> of(CUfunction function, void **parameters, void **extra) {
    ArgumentList list;
    list.given_ = parameters;
    if (!extra) return list;
    if (parameters) return cudaErrorInvalidValue;
    char *buffer = nullptr;
    size_t bytes = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
      if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
        buffer = static_cast<char *>(extra[1]);
      } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1]) {
        bytes = *static_cast<size_t *>(extra[1]);
      } else {
        return cudaErrorInvalidValue;
      }
    }
    HOSTWARP_TRY(list.unpack(function, buffer, bytes));
    return list;
  }

  void *const *pointers() const { return unpacked_.empty() ? given_ : unpacked_.data(); }

 private:
  // A buffer holds the parameters as the fields of a structure.
  Status unpack(CUfunction function, char *buffer, size_t bytes) {
    auto kernel = execution::kernelOf(function);
    if (!kernel.ok()) return kernel.status();
    execution::PackedParameters parameters(*(*kernel)->code(), buffer);
    constexpr size_t word = 4;  // the size is counted in words, begun ones as whole
    const size_t counted = (bytes + word - 1) / word * word;
    if (!parameters.addresses.empty() && (!buffer || parameters.bytes > counted)) {
      return {cudaErrorInvalidValue, "the buffer of arguments is smaller than the kernel's parameters"};
    }
    if (parameters.bytes < bytes) {
      return {cudaErrorLaunchOutOfResources, "the buffer of arguments is larger than the kernel's parameters"};
    }
    if (parameters.bytes > bytes) {
      padded_.assign(buffer, buffer + bytes);
      padded_.resize(counted);
      parameters = execution::PackedParameters(*(*kernel)->code(), padded_.data());
    }
    unpacked_ = std::move(parameters.addresses);
    return {};
  }

  void **given_ = nullptr;
  std::vector<void *> unpacked_;
  std::vector<char> padded_;  // a buffer whose last word is begun
};

Status launch(CUfunction function, const LaunchConfiguration &configuration, void **parameters, void **extra) {
  if (!function) return cudaErrorInvalidResourceHandle;
  auto arguments = ArgumentList::of(function, parameters, extra);
  if (!arguments.ok()) return arguments.status();
  return execution::launch(function, configuration, arguments->pointers());
}

// LegacyLaunch is what cuFuncSetBlockShape() and cuParamSet*() have said about a kernel so far.
struct LegacyLaunch {
  dim3 block{1, 1, 1};
  unsigned shared = 0;
  std::vector<char> parameters;
};

Mutex legacyMutex;

// legacyOf() is the kernel's entry.
LegacyLaunch &legacyOf(CUfunction function) HOSTWARP_REQUIRES(legacyMutex) {
  static auto *launches = new std::map<CUfunction, LegacyLaunch>;
  return (*launches)[function];
}

Status setParameter(CUfunction function, int offset, const void *value, unsigned bytes) {
  if (offset < 0 || !value) return cudaErrorInvalidValue;
  const size_t end = static_cast<size_t>(offset) + bytes;
  if (end > device_model::maxParameterBytesLarge) return cudaErrorInvalidValue;
  auto kernel = execution::kernelOf(function);
  if (!kernel.ok()) return kernel.status();
  MutexLock lock(legacyMutex);
  std::vector<char> &parameters = legacyOf(function).parameters;
  if (parameters.size() < end) parameters.resize(end);
  std::copy_n(static_cast<const char *>(value), bytes, parameters.begin() + offset);
  return {};
}

Status launchLegacy(CUfunction function, int width, int height, CUstream stream) {
  if (width <= 0 || height <= 0) return cudaErrorInvalidValue;
  auto kernel = execution::kernelOf(function);
  if (!kernel.ok()) return kernel.status();
  LegacyLaunch launch;
  {
    MutexLock lock(legacyMutex);
    launch = legacyOf(function);
  }
  size_t bytes = launch.parameters.size();
  std::array<void *, 5> extra{CU_LAUNCH_PARAM_BUFFER_POINTER, launch.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                              &bytes, CU_LAUNCH_PARAM_END};
  LaunchConfiguration configuration;
  configuration.grid = dim3(static_cast<unsigned>(width), static_cast<unsigned>(height));
  configuration.block = launch.block;
  configuration.dynamicShared = launch.shared;
  configuration.stream = stream;
  return driver_api::launch(function, configuration, nullptr, extra.data());
}

// The two APIs' launch attributes have one layout.
static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
static_assert(offsetof(CUlaunchAttribute, value) == offsetof(cudaLaunchAttribute, val));

cudaLaunchConfig_t runtimeConfig(const CUlaunchConfig &config) {
  cudaLaunchConfig_t result{};
  result.gridDim = dim3(config.gridDimX, config.gridDimY, config.gridDimZ);
  result.blockDim = dim3(config.blockDimX, config.blockDimY, config.blockDimZ);
  result.dynamicSmemBytes = config.sharedMemBytes;
  result.stream = config.hStream;
  result.attrs = reinterpret_cast<cudaLaunchAttribute *>(config.attrs);
  result.numAttrs = config.numAttrs;
  return result;
}

}  // namespace

Status cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc) {
  if (!pi) return cudaErrorInvalidValue;
  cudaFuncAttributes a;
  HOSTWARP_TRY(api::cudaFuncGetAttributes(&a, hfunc));
  const std::array values{a.maxThreadsPerBlock,
                          static_cast<int>(a.sharedSizeBytes),
                          static_cast<int>(a.constSizeBytes),
                          static_cast<int>(a.localSizeBytes),
                          a.numRegs,
                          a.ptxVersion,
                          a.binaryVersion,
                          a.cacheModeCA,
                          a.maxDynamicSharedSizeBytes,
                          a.preferredShmemCarveout,
                          a.clusterDimMustBeSet,
                          a.requiredClusterWidth,
                          a.requiredClusterHeight,
                          a.requiredClusterDepth,
                          a.nonPortableClusterSizeAllowed,
                          a.clusterSchedulingPolicyPreference};
  static_assert(std::tuple_size_v<decltype(values)> == CU_FUNC_ATTRIBUTE_MAX);
  if (attrib < 0 || attrib >= CU_FUNC_ATTRIBUTE_MAX) return cudaErrorInvalidValue;
  *pi = values[attrib];
  return {};
}

// From here on both APIs number the attributes alike; the ones before cannot be set.
Status cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  if (attrib < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return cudaErrorInvalidValue;
  return api::cudaFuncSetAttribute(hfunc, static_cast<cudaFuncAttribute>(attrib), value);
}

Status cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  return api::cudaFuncSetCacheConfig(hfunc, static_cast<cudaFuncCache>(config));
}

Status cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
  return api::cudaFuncSetSharedMemConfig(hfunc, static_cast<cudaSharedMemConfig>(config));
}

Status cuFuncGetModule(CUmodule *hmod, CUfunction hfunc) {
  if (!hmod) return cudaErrorInvalidValue;
  *hmod = moduleWith(hfunc);
  if (*hmod) return {};
  // A library has a module once somebody asks for it.
  CUlibrary library = nullptr;
  if (const Status status = driver_api::cuKernelGetLibrary(&library, reinterpret_cast<CUkernel>(hfunc)); !status.ok())
    return status;
  return driver_api::cuLibraryGetModule(hmod, library);
}

Status cuFuncGetName(const char **name, CUfunction hfunc) { return api::cudaFuncGetName(name, hfunc); }

Status cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  return api::cudaFuncGetParamInfo(func, paramIndex, paramOffset, paramSize);
}

Status cuLaunchKernel(CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX,
                      unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, CUstream hStream,
                      void **kernelParams, void **extra) {
  LaunchConfiguration configuration;
  configuration.grid = dim3(gridDimX, gridDimY, gridDimZ);
  configuration.block = dim3(blockDimX, blockDimY, blockDimZ);
  configuration.dynamicShared = sharedMemBytes;
  configuration.stream = hStream;
  return launch(f, configuration, kernelParams, extra);
}

Status cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra) {
  if (!config) return cudaErrorInvalidValue;
  if (!f) return cudaErrorInvalidResourceHandle;
  auto arguments = ArgumentList::of(f, kernelParams, extra);
  if (!arguments.ok()) return arguments.status();
  const cudaLaunchConfig_t runtime = runtimeConfig(*config);
  return api::cudaLaunchKernelExC(&runtime, f, const_cast<void **>(arguments->pointers()));
}

Status cuLaunchCooperativeKernel(CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ,
                                 unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes,
                                 CUstream hStream, void **kernelParams) {
  LaunchConfiguration configuration;
  configuration.grid = dim3(gridDimX, gridDimY, gridDimZ);
  configuration.block = dim3(blockDimX, blockDimY, blockDimZ);
  configuration.dynamicShared = sharedMemBytes;
  configuration.stream = hStream;
  configuration.cooperative = true;
  return launch(f, configuration, kernelParams, nullptr);
}

Status cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData) {
  return api::cudaLaunchHostFunc(hStream, fn, userData);
}

Status cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z) {
  if (x <= 0 || y <= 0 || z <= 0) return cudaErrorInvalidValue;
  auto kernel = execution::kernelOf(hfunc);
  if (!kernel.ok()) return kernel.status();
  MutexLock lock(legacyMutex);
  legacyOf(hfunc).block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
  return {};
}

Status cuFuncSetSharedSize(CUfunction hfunc, unsigned bytes) {
  auto kernel = execution::kernelOf(hfunc);
  if (!kernel.ok()) return kernel.status();
  MutexLock lock(legacyMutex);
  legacyOf(hfunc).shared = bytes;
  return {};
}

Status cuParamSetSize(CUfunction hfunc, unsigned numbytes) {
  if (numbytes > device_model::maxParameterBytesLarge) return cudaErrorInvalidValue;
  auto kernel = execution::kernelOf(hfunc);
  if (!kernel.ok()) return kernel.status();
  MutexLock lock(legacyMutex);
  legacyOf(hfunc).parameters.resize(numbytes);
  return {};
}

Status cuParamSeti(CUfunction hfunc, int offset, unsigned value) {
  return setParameter(hfunc, offset, &value, sizeof(value));
}
Status cuParamSetf(CUfunction hfunc, int offset, float value) {
  return setParameter(hfunc, offset, &value, sizeof(value));
}
Status cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned numbytes) {
  return setParameter(hfunc, offset, ptr, numbytes);
}

Status cuLaunch(CUfunction f) { return launchLegacy(f, 1, 1, nullptr); }
Status cuLaunchGrid(CUfunction f, int grid_width, int grid_height) {
  return launchLegacy(f, grid_width, grid_height, nullptr);
}
Status cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream) {
  return launchLegacy(f, grid_width, grid_height, hStream);
}

Status cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList, unsigned numDevices, unsigned flags) {
  if (!launchParamsList) return cudaErrorInvalidValue;
  std::vector<cudaLaunchParams> list;
  for (unsigned i = 0; i < numDevices; ++i) {
    const CUDA_LAUNCH_PARAMS &p = launchParamsList[i];
    list.push_back({p.function, dim3(p.gridDimX, p.gridDimY, p.gridDimZ), dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
                    p.kernelParams, p.sharedMemBytes, p.hStream});
  }
  return api::cudaLaunchCooperativeKernelMultiDevice(list.data(), numDevices, flags);
}

// A module's code is there from the moment that the module is.
Status cuFuncLoad(CUfunction function) { return execution::kernelOf(function).status(); }
Status cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  if (!state) return cudaErrorInvalidValue;
  const bool waits = modules::Registry::process().onDemand(function) != nullptr;
  if (!waits) HOSTWARP_TRY(execution::kernelOf(function).status());
  *state = waits ? CU_FUNCTION_LOADING_STATE_UNLOADED : CU_FUNCTION_LOADING_STATE_LOADED;
  return {};
}

Status cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                   size_t dynamicSMemSize) {
  return api::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize);
}

Status cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction func, int blockSize,
                                                            size_t dynamicSMemSize, unsigned flags) {
  return api::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize,
                                                                     flags);
}

Status cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
                                        CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
                                        int blockSizeLimit) {
  return driver_api::cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, blockSizeToDynamicSMemSize,
                                                               dynamicSMemSize, blockSizeLimit, CU_OCCUPANCY_DEFAULT);
}

// As CUDA's own template: whole warps, from the largest size down, until an SM is full.
Status cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
                                                 CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
                                                 int blockSizeLimit, unsigned flags) {
  if (!minGridSize || !blockSize) return cudaErrorInvalidValue;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  cudaFuncAttributes attributes;
  HOSTWARP_TRY(api::cudaFuncGetAttributes(&attributes, func));
  constexpr int warp = 32;
  int largest = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < largest) largest = blockSizeLimit;
  int bestThreads = 0, bestBlocks = 0;
  for (int rounded = (largest + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    const int size = rounded < largest ? rounded : largest;
    const size_t shared = blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize;
    int blocks = 0;
    HOSTWARP_TRY(api::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, func, size, shared, flags));
    if (blocks * size <= bestThreads) continue;
    bestThreads = blocks * size;
    bestBlocks = blocks;
    *blockSize = size;
  }
  *minGridSize = bestBlocks * (*context)->model().sms;
  return bestBlocks ? Status() : Status(cudaErrorInvalidValue);
}

Status cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func, int numBlocks, int blockSize) {
  return api::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, func, numBlocks, blockSize);
}

Status cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func, const CUlaunchConfig *config) {
  if (!config) return cudaErrorInvalidValue;
  const cudaLaunchConfig_t runtime = runtimeConfig(*config);
  return api::cudaOccupancyMaxPotentialClusterSize(clusterSize, func, &runtime);
}

Status cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func, const CUlaunchConfig *config) {
  if (!config) return cudaErrorInvalidValue;
  const cudaLaunchConfig_t runtime = runtimeConfig(*config);
  return api::cudaOccupancyMaxActiveClusters(numClusters, func, &runtime);
}

}  // namespace hostwarp::driver_api
