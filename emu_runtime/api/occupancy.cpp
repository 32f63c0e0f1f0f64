// Chapter "occupancy": questions to the device model.
#include "device_model/occupancy.h"

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/launch.h"

namespace hostwarp::api {

namespace {

// Question is what the calculators need to know of a kernel on the current device.
struct Question {
  device_model::Gpu gpu;
  device_model::KernelResources kernel;
};

Expected<Question> questionOf(const void *func) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto kernel = execution::kernelOf(func);
  if (!kernel.ok()) return kernel.status();
  return Question{(*context)->model(), execution::resourcesOf(**kernel)};
}

dim3 clusterIn(const cudaLaunchConfig_t &config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto &d = config.attrs[i].val.clusterDim;
    return {d.x, d.y, d.z};
  }
  return {1, 1, 1};
}

int volume(const dim3 &d) { return static_cast<int>(d.x * d.y * d.z); }

}  // namespace

Status cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
                                                     size_t dynamicSMemSize) {
  return api::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize,
                                                                     cudaOccupancyDefault);
}

Status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned flags) {
  if (!numBlocks || blockSize <= 0 || (flags & ~unsigned{cudaOccupancyDisableCachingOverride})) {
    return cudaErrorInvalidValue;
  }
  auto question = questionOf(func);
  if (!question.ok()) return question.status();
  *numBlocks =
      device_model::maxActiveBlocksPerMultiprocessor(question->gpu, question->kernel, blockSize, dynamicSMemSize);
  return {};
}

Status cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func, int numBlocks,
                                                 int blockSize) {
  if (!dynamicSmemSize || blockSize <= 0 || numBlocks <= 0) return cudaErrorInvalidValue;
  auto question = questionOf(func);
  if (!question.ok()) return question.status();
  auto bytes = device_model::availableDynamicSharedMemory(question->gpu, question->kernel, numBlocks, blockSize);
  if (!bytes) return cudaErrorInvalidValue;
  *dynamicSmemSize = *bytes;
  return {};
}

Status cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func, const cudaLaunchConfig_t *config) {
  if (!clusterSize || !config || volume(config->blockDim) <= 0) return cudaErrorInvalidValue;
  auto question = questionOf(func);
  if (!question.ok()) return question.status();
  *clusterSize = device_model::maxPotentialClusterSize(question->gpu, question->kernel, volume(config->blockDim),
                                                       config->dynamicSmemBytes);
  return *clusterSize ? Status() : Status(cudaErrorNotSupported);
}

Status cudaOccupancyMaxActiveClusters(int *numClusters, const void *func, const cudaLaunchConfig_t *config) {
  if (!numClusters || !config || volume(config->blockDim) <= 0) return cudaErrorInvalidValue;
  auto question = questionOf(func);
  if (!question.ok()) return question.status();
  *numClusters = device_model::maxActiveClusters(question->gpu, question->kernel, volume(clusterIn(*config)),
                                                 volume(config->blockDim), config->dynamicSmemBytes);
  return {};
}

}  // namespace hostwarp::api
