// How many blocks and clusters of a kernel a GPU holds at a time [CUDA 2.2.7, occupancy API].
#ifndef HOSTWARP_DEVICE_MODEL_OCCUPANCY_H
#define HOSTWARP_DEVICE_MODEL_OCCUPANCY_H

#include <cstddef>
#include <optional>

#include "device_model/gpu.h"

namespace hostwarp::device_model {

// KernelResources is what one kernel needs of an SM.
struct KernelResources {
  int registers = 32;  // per thread
  size_t staticSharedBytes = 0;
  int maxThreadsPerBlock = device_model::maxThreadsPerBlock;
  // cudaFuncAttributeMaxDynamicSharedMemorySize, when the program has set it.
  std::optional<size_t> dynamicSharedOptin = std::nullopt;
  int carveoutPercent = -1;  // cudaFuncAttributePreferredSharedMemoryCarveout
  bool nonPortableClusters = false;

  bool operator==(const KernelResources &) const = default;
};

enum class OccupancyLimit { None, Warps, Blocks, Registers, SharedMemory };

// Occupancy says how many blocks fit an SM and what prevents one more.
struct Occupancy {
  int blocksPerSm = 0;
  OccupancyLimit limit = OccupancyLimit::None;
};

// BlockLimits are how many blocks each resource of an SM lets it hold, and what one block takes of it.
struct BlockLimits {
  int warps = 0, blocks = 0, registers = 0, sharedMemory = 0;
  int registersOfBlock = 0;
  size_t sharedOfBlock = 0;
};

// blockLimits() is what occupancy() takes the smallest of. pre: blockSize > 0.
[[nodiscard]] BlockLimits blockLimits(const Gpu &gpu, const KernelResources &kernel, int blockSize,
                                      size_t dynamicShared);

// occupancy() computes how many blocks of `blockSize` threads with this much dynamic shared memory fit one SM. None
// fits (0) when the block breaks a limit by itself. pre: blockSize > 0.
[[nodiscard]] Occupancy occupancy(const Gpu &gpu, const KernelResources &kernel, int blockSize, size_t dynamicShared);

// mostRegistersPerThread() is how many registers each thread of a block may have for the block to run at all, as
// compilers round it down: a multiple of 8. pre: blockSize > 0.
[[nodiscard]] int mostRegistersPerThread(int blockSize);

// maxActiveBlocksPerMultiprocessor() is occupancy().blocksPerSm.
[[nodiscard]] int maxActiveBlocksPerMultiprocessor(const Gpu &gpu, const KernelResources &kernel, int blockSize,
                                                   size_t dynamicShared);

// dynamicSharedLimit() returns the most dynamic shared memory that a launch of this kernel may ask for; nothing when
// its static shared memory alone is too large.
[[nodiscard]] std::optional<size_t> dynamicSharedLimit(const Gpu &gpu, const KernelResources &kernel);
// dynamicSharedOptinLimit() returns the largest value that the opt-in attribute can be set to.
[[nodiscard]] size_t dynamicSharedOptinLimit(const Gpu &gpu, const KernelResources &kernel);

// availableDynamicSharedMemory() returns how much dynamic shared memory each of `blocks` blocks on one SM can have, or
// nothing when so many do not fit.
[[nodiscard]] std::optional<size_t> availableDynamicSharedMemory(const Gpu &gpu, const KernelResources &kernel,
                                                                 int blocks, int blockSize);

// maxActiveClusters() returns how many clusters of `clusterBlocks` blocks the whole GPU holds at a time; 0 when the
// size is not allowed for the kernel or the GPU.
[[nodiscard]] int maxActiveClusters(const Gpu &gpu, const KernelResources &kernel, int clusterBlocks, int blockSize,
                                    size_t dynamicShared);
// maxPotentialClusterSize() returns the largest cluster of which at least one fits; 0 when the GPU has no clusters.
[[nodiscard]] int maxPotentialClusterSize(const Gpu &gpu, const KernelResources &kernel, int blockSize,
                                          size_t dynamicShared);
// allowedClusterSize() returns the largest cluster that a launch of this kernel may ask for.
[[nodiscard]] int allowedClusterSize(const Gpu &gpu, const KernelResources &kernel);

}  // namespace hostwarp::device_model

#endif  // HOSTWARP_DEVICE_MODEL_OCCUPANCY_H
