// The functions of <cuda_occupancy.h>: the device model's arithmetic for properties that the program gives.
#include <cuda_occupancy.h>

#include <algorithm>
#include <climits>
#include <optional>

#include "device_model/compute_capability.h"
#include "device_model/occupancy.h"
#include "emu_runtime/abi/exports.h"

namespace {

namespace model = hostwarp::device_model;

// Question is a GPU of the program's making, and its kernel.
struct Question {
  model::ComputeCapability capability;
  model::Gpu gpu{};
  model::KernelResources kernel;

  Question(const model::ComputeCapability &known, const cudaOccDeviceProp &properties,
           const cudaOccFuncAttributes &attributes, const cudaOccDeviceState &state)
      : capability(known) {
    capability.threadsPerSm = properties.maxThreadsPerMultiprocessor;
    capability.registersPerBlock = properties.regsPerBlock;
    capability.sharedPerSm = properties.sharedMemPerMultiprocessor;
    capability.sharedOptin = properties.sharedMemPerBlockOptin;
    capability.reservedShared = properties.reservedSharedMemPerBlock;
    gpu.capability = &capability;
    gpu.sms = properties.numSms;
    kernel.registers = attributes.numRegs;
    kernel.staticSharedBytes = attributes.sharedSizeBytes;
    kernel.maxThreadsPerBlock = attributes.maxThreadsPerBlock;
    if (attributes.shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN)
      kernel.dynamicSharedOptin = attributes.maxDynamicSharedSizeBytes;
    kernel.carveoutPercent = state.carveoutConfig;
  }
  Question(const Question &) = delete;
  Question &operator=(const Question &) = delete;
};

cudaOccError check(const cudaOccDeviceProp *properties, const cudaOccFuncAttributes *attributes,
                   const cudaOccDeviceState *state) {
  if (!properties || !attributes || !state) return CUDA_OCC_ERROR_INVALID_INPUT;
  const bool device = properties->maxThreadsPerBlock > 0 && properties->maxThreadsPerMultiprocessor > 0 &&
                      properties->regsPerBlock > 0 && properties->regsPerMultiprocessor > 0 &&
                      properties->warpSize == model::warpSize && properties->sharedMemPerMultiprocessor > 0 &&
                      properties->numSms > 0;
  if (!device || attributes->maxThreadsPerBlock <= 0 || attributes->numRegs < 0) return CUDA_OCC_ERROR_INVALID_INPUT;
  const bool known = model::computeCapability(properties->computeMajor, properties->computeMinor) != nullptr;
  return known ? CUDA_OCC_SUCCESS : CUDA_OCC_ERROR_UNKNOWN_DEVICE;
}

const model::ComputeCapability &capabilityOf(const cudaOccDeviceProp &properties) {
  return *model::computeCapability(properties.computeMajor, properties.computeMinor);
}

size_t constantBytes(int, void *bytes) { return *static_cast<size_t *>(bytes); }
size_t bytesByFunction(int size, void *function) { return (*static_cast<size_t (**)(int)>(function))(size); }

}  // namespace

HOSTWARP_ABI cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult *result,
                                                                  const cudaOccDeviceProp *properties,
                                                                  const cudaOccFuncAttributes *attributes,
                                                                  const cudaOccDeviceState *state, int blockSize,
                                                                  size_t dynamicSmemSize) {
  if (!result || blockSize <= 0) return CUDA_OCC_ERROR_INVALID_INPUT;
  if (const cudaOccError error = check(properties, attributes, state)) return error;
  const Question question(capabilityOf(*properties), *properties, *attributes, *state);
  const model::BlockLimits limits = model::blockLimits(question.gpu, question.kernel, blockSize, dynamicSmemSize);
  const int most = std::min(properties->maxThreadsPerBlock, attributes->maxThreadsPerBlock);
  *result = {};
  result->blockLimitWarps = blockSize <= most ? limits.warps : 0;
  result->blockLimitBlocks = limits.blocks;
  result->blockLimitRegs = limits.registers;
  result->blockLimitSharedMem = limits.sharedMemory;
  result->blockLimitBarriers = result->blockLimitVirtual = INT_MAX;
  result->allocatedRegistersPerBlock = limits.registersOfBlock;
  result->allocatedSharedMemPerBlock = limits.sharedOfBlock;
  const int blocks = std::min({result->blockLimitWarps, limits.blocks, limits.registers, limits.sharedMemory});
  result->activeBlocksPerMultiprocessor = blocks;
  if (result->blockLimitWarps == blocks) result->limitingFactors |= OCC_LIMIT_WARPS;
  if (limits.blocks == blocks) result->limitingFactors |= OCC_LIMIT_BLOCKS;
  if (limits.registers == blocks) result->limitingFactors |= OCC_LIMIT_REGISTERS;
  if (limits.sharedMemory == blocks) result->limitingFactors |= OCC_LIMIT_SHARED_MEMORY;
  return CUDA_OCC_SUCCESS;
}

HOSTWARP_ABI cudaOccError cudaOccAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                              const cudaOccDeviceProp *properties,
                                                              const cudaOccFuncAttributes *attributes,
                                                              const cudaOccDeviceState *state, int numBlocks,
                                                              int blockSize) {
  if (!dynamicSmemSize || numBlocks <= 0 || blockSize <= 0) return CUDA_OCC_ERROR_INVALID_INPUT;
  if (const cudaOccError error = check(properties, attributes, state)) return error;
  const Question question(capabilityOf(*properties), *properties, *attributes, *state);
  const std::optional<size_t> bytes =
      model::availableDynamicSharedMemory(question.gpu, question.kernel, numBlocks, blockSize);
  if (!bytes) return CUDA_OCC_ERROR_INVALID_INPUT;
  *dynamicSmemSize = *bytes;
  return CUDA_OCC_SUCCESS;
}

// Tries every whole number of warps, largest first, and keeps the size that puts most threads on a multiprocessor.
HOSTWARP_ABI cudaOccError hw_occ_block_size(int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
                                            const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
                                            size_t (*sharedBytes)(int blockSize, void *context), void *context) {
  if (!minGridSize || !blockSize || !sharedBytes) return CUDA_OCC_ERROR_INVALID_INPUT;
  if (const cudaOccError error = check(properties, attributes, state)) return error;
  const int most = std::min(properties->maxThreadsPerBlock, attributes->maxThreadsPerBlock);
  int best = 0;
  *minGridSize = *blockSize = 0;
  for (int warps = (most + model::warpSize - 1) / model::warpSize; warps > 0; --warps) {
    const int size = std::min(most, warps * model::warpSize);
    cudaOccResult result;
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, size,
                                                                       sharedBytes(size, context));
    if (error) return error;
    const int threads = result.activeBlocksPerMultiprocessor * size;
    if (threads <= best) continue;
    best = threads;
    *blockSize = size;
    *minGridSize = result.activeBlocksPerMultiprocessor * properties->numSms;
    if (best >= properties->maxThreadsPerMultiprocessor) break;
  }
  return CUDA_OCC_SUCCESS;
}

HOSTWARP_ABI cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties, const cudaOccFuncAttributes *attributes,
    const cudaOccDeviceState *state, size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize) {
  void *const context = blockSizeToDynamicSMemSize ? static_cast<void *>(&blockSizeToDynamicSMemSize)
                                                   : static_cast<void *>(&dynamicSMemSize);
  return hw_occ_block_size(minGridSize, blockSize, properties, attributes, state,
                           blockSizeToDynamicSMemSize ? bytesByFunction : constantBytes, context);
}
