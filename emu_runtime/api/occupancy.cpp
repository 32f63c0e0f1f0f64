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
  std::shared_ptr<modules::Kernel> asked;
};

Expected<Question> questionOf(const void *func) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto kernel = execution::kernelOf(func);
  if (!kernel.ok()) return kernel.status();
  return Question{(*context)->model(), execution::resourcesOf(**kernel), *kernel};
}

// questionOf() is about the SMs that the configuration's stream has.
Expected<Question> questionOf(const void *func, const cudaLaunchConfig_t &config) {
  auto question = questionOf(func);
  if (!question.ok() || !config.stream) return question;
  auto stream = device::streamOf(config.stream, device::InCapture::Ignore);
  if (!stream.ok()) return stream.status();
  question->gpu = stream->context->model();
  return question;
}

// volume() is the product, 0 where it is none that a block or cluster can have.
int volume(const dim3 &d) {
  constexpr unsigned most = 1 << 20;
  if (d.x > most || d.y > most || d.z > most) return 0;
  const uint64_t product = uint64_t{d.x} * d.y * d.z;
  return product <= most ? static_cast<int>(product) : 0;
}

// threadsIn() checks the configuration and gives the threads of a block.
Expected<int> threadsIn(const cudaLaunchConfig_t *config) {
  if (!config || (config->numAttrs && !config->attrs)) return cudaErrorInvalidValue;
  const int threads = volume(config->blockDim);
  if (!threads) return cudaErrorInvalidValue;
  return threads;
}

const cudaLaunchAttributeValue *attributeOf(const cudaLaunchConfig_t &config, cudaLaunchAttributeID id) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == id) return &config.attrs[i].val;
  return nullptr;
}

// checkPreferred(): a launch with this configuration could have the preferred cluster that it asks for.
Status checkPreferred(const cudaLaunchConfig_t &config) {
  const auto *preferred = attributeOf(config, cudaLaunchAttributePreferredClusterDimension);
  if (!preferred) return {};
  const auto *cluster = attributeOf(config, cudaLaunchAttributeClusterDimension);
  const auto &[x, y, z] = preferred->preferredClusterDim;
  if (!cluster || !volume({x, y, z})) return cudaErrorInvalidClusterSize;
  const auto &part = cluster->clusterDim;
  const bool fits = volume({part.x, part.y, part.z}) && execution::isMultiple({x, y, z}, {part.x, part.y, part.z}) &&
                    execution::isMultiple(config.gridDim, {x, y, z});
  return fits ? Status() : Status(cudaErrorInvalidClusterSize);
}

// clusterIn() gives the blocks of a cluster that a launch with this configuration could have, 0 for no cluster.
Expected<int> clusterIn(const cudaLaunchConfig_t &config, const Question &question) {
  HOSTWARP_TRY(checkPreferred(config));
  std::optional<dim3> asked;
  if (const auto *attribute = attributeOf(config, cudaLaunchAttributeClusterDimension)) {
    const auto &[x, y, z] = attribute->clusterDim;
    asked = dim3(x, y, z);
  }
  auto cluster = execution::clusterOf(*question.asked, asked);
  if (!cluster.ok()) return cluster.status();
  if (!*cluster) return 0;
  const int blocks = volume(**cluster);
  // Kernels that may have any cluster get the answer that none of this size is active.
  const bool allowed = blocks == 1 || question.kernel.nonPortableClusters ||
                       (blocks && blocks <= device_model::allowedClusterSize(question.gpu, question.kernel));
  if (!execution::isMultiple(config.gridDim, **cluster) || !allowed) return cudaErrorInvalidClusterSize;
  return blocks;
}

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
  if (!clusterSize) return cudaErrorInvalidValue;
  auto threads = threadsIn(config);
  if (!threads.ok()) return threads.status();
  auto question = questionOf(func, *config);
  if (!question.ok()) return question.status();
  HOSTWARP_TRY(clusterIn(*config, *question).status());
  *clusterSize =
      device_model::maxPotentialClusterSize(question->gpu, question->kernel, *threads, config->dynamicSmemBytes);
  return *clusterSize ? Status() : Status(cudaErrorNotSupported);
}

Status cudaOccupancyMaxActiveClusters(int *numClusters, const void *func, const cudaLaunchConfig_t *config) {
  if (!numClusters) return cudaErrorInvalidValue;
  auto threads = threadsIn(config);
  if (!threads.ok()) return threads.status();
  auto question = questionOf(func, *config);
  if (!question.ok()) return question.status();
  auto blocks = clusterIn(*config, *question);
  if (!blocks.ok()) return blocks.status();
  *numClusters = 0;
  if (*blocks) {
    *numClusters =
        device_model::maxActiveClusters(question->gpu, question->kernel, *blocks, *threads, config->dynamicSmemBytes);
  }
  return {};
}

}  // namespace hostwarp::api
