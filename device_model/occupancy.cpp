#include "device_model/occupancy.h"

#include <algorithm>
#include <climits>

namespace hostwarp::device_model {
namespace {

template <typename T>
T roundUp(T value, T granularity) {
  return (value + granularity - 1) / granularity * granularity;
}

int warpsOf(int threads) { return (threads + warpSize - 1) / warpSize; }

int warpLimit(const ComputeCapability &cc, int blockSize) { return cc.warpsPerSm() / warpsOf(blockSize); }

int registersPerWarp(const KernelResources &kernel) {
  return roundUp(kernel.registers * warpSize, registerGranularity);
}

// Registers belong to a scheduler's part of the SM, so a warp cannot use what another part has left over. A single
// block is checked as if its warps were spread over four parts, also on GP100, which has two: what does not run on one
// Pascal GPU does not run on another.
constexpr int partsInBlockCheck = 4;

int registerLimit(const ComputeCapability &cc, const KernelResources &kernel, int blockSize) {
  if (kernel.registers > maxRegistersPerThread) return 0;
  const int perWarp = registersPerWarp(kernel);
  if (perWarp == 0) return INT_MAX;
  const int warps = warpsOf(blockSize);
  if (perWarp * roundUp(warps, partsInBlockCheck) > cc.registersPerBlock) return 0;
  const int warpsPerPart = registersPerSm / cc.subPartitions / perWarp;
  return warpsPerPart * cc.subPartitions / warps;
}

// preferredShared() is the SM's shared memory as the program prefers it; without a preference, all there is.
size_t preferredShared(const ComputeCapability &cc, int carveoutPercent) {
  if (carveoutPercent < 0 || cc.carveoutsKiB.empty()) return cc.sharedPerSm;
  return sharedConfiguration(cc, cc.sharedPerSm * static_cast<size_t>(carveoutPercent) / 100);
}

size_t sharedOfBlock(const ComputeCapability &cc, const KernelResources &kernel, size_t dynamicShared) {
  return roundUp(kernel.staticSharedBytes + dynamicShared + cc.reservedShared, cc.sharedGranularity);
}

// A preference is a hint: an SM takes the next larger setting when a block does not fit otherwise.
int sharedLimit(const Gpu &gpu, const KernelResources &kernel, size_t dynamicShared) {
  const ComputeCapability &cc = *gpu.capability;
  const std::optional<size_t> most = dynamicSharedLimit(gpu, kernel);
  if (!most || dynamicShared > *most) return 0;
  const size_t block = sharedOfBlock(cc, kernel, dynamicShared);
  if (block == 0) return INT_MAX;
  const size_t preferred = preferredShared(cc, kernel.carveoutPercent);
  const size_t perSm = preferred >= block ? preferred : sharedConfiguration(cc, block);
  return static_cast<int>(perSm / block);
}

}  // namespace

std::optional<size_t> dynamicSharedLimit(const Gpu &gpu, const KernelResources &kernel) {
  if (kernel.staticSharedBytes > sharedPerBlock) return std::nullopt;
  if (!kernel.dynamicSharedOptin) return sharedPerBlock - kernel.staticSharedBytes;
  return std::min(*kernel.dynamicSharedOptin, dynamicSharedOptinLimit(gpu, kernel));
}

size_t dynamicSharedOptinLimit(const Gpu &gpu, const KernelResources &kernel) {
  const size_t most = gpu.capability->sharedOptin;
  return most - std::min(most, kernel.staticSharedBytes);
}

BlockLimits blockLimits(const Gpu &gpu, const KernelResources &kernel, int blockSize, size_t dynamicShared) {
  const ComputeCapability &cc = *gpu.capability;
  return {warpLimit(cc, blockSize),
          cc.blocksPerSm,
          registerLimit(cc, kernel, blockSize),
          sharedLimit(gpu, kernel, dynamicShared),
          registersPerWarp(kernel) * warpsOf(blockSize),
          sharedOfBlock(cc, kernel, dynamicShared)};
}

Occupancy occupancy(const Gpu &gpu, const KernelResources &kernel, int blockSize, size_t dynamicShared) {
  // CUDA counts blocks larger than the kernel's __launch_bounds__ too, though it refuses to launch them.
  if (blockSize > maxThreadsPerBlock) return {0, OccupancyLimit::Warps};
  const BlockLimits limits = blockLimits(gpu, kernel, blockSize, dynamicShared);
  const Occupancy candidates[] = {
      {limits.warps, OccupancyLimit::Warps},
      {limits.blocks, OccupancyLimit::Blocks},
      {limits.registers, OccupancyLimit::Registers},
      {limits.sharedMemory, OccupancyLimit::SharedMemory},
  };
  return *std::ranges::min_element(candidates, {}, &Occupancy::blocksPerSm);
}

int mostRegistersPerThread(int blockSize) {
  const int perWarp = registersPerSm / roundUp(warpsOf(blockSize), partsInBlockCheck);
  return std::min(perWarp / registerGranularity * registerGranularity / warpSize, maxRegistersPerThread);
}

int maxActiveBlocksPerMultiprocessor(const Gpu &gpu, const KernelResources &kernel, int blockSize,
                                     size_t dynamicShared) {
  return occupancy(gpu, kernel, blockSize, dynamicShared).blocksPerSm;
}

std::optional<size_t> availableDynamicSharedMemory(const Gpu &gpu, const KernelResources &kernel, int blocks,
                                                   int blockSize) {
  const ComputeCapability &cc = *gpu.capability;
  const std::optional<size_t> most = dynamicSharedLimit(gpu, kernel);
  if (!most || blocks <= 0 || maxActiveBlocksPerMultiprocessor(gpu, kernel, blockSize, 0) < blocks) return std::nullopt;
  // One block may have everything it is allowed; several share what the preference leaves them.
  if (blocks == 1) return most;
  const size_t perSm = std::max(preferredShared(cc, kernel.carveoutPercent), sharedConfiguration(cc, 1));
  const size_t perBlock = perSm / static_cast<size_t>(blocks) / cc.sharedGranularity * cc.sharedGranularity;
  const size_t taken = kernel.staticSharedBytes + cc.reservedShared;
  return perBlock < taken ? 0 : std::min(*most, perBlock - taken);
}

int allowedClusterSize(const Gpu &gpu, const KernelResources &kernel) {
  return kernel.nonPortableClusters ? gpu.capability->largestCluster : gpu.capability->portableCluster;
}

int maxActiveClusters(const Gpu &gpu, const KernelResources &kernel, int clusterBlocks, int blockSize,
                      size_t dynamicShared) {
  if (clusterBlocks <= 0 || clusterBlocks > allowedClusterSize(gpu, kernel)) return 0;
  constexpr int mostPerSm = 8;  // however small they are, says an H100
  const int blocksPerSm = std::min(mostPerSm, maxActiveBlocksPerMultiprocessor(gpu, kernel, blockSize, dynamicShared));
  int clusters = 0;
  for (int gpc = 0; gpc < gpu.gpcs; gpc++)
    if (const int sms = gpu.smsOfGpc(gpc); sms >= clusterBlocks) clusters += sms * blocksPerSm / clusterBlocks;
  return clusters;
}

int maxPotentialClusterSize(const Gpu &gpu, const KernelResources &kernel, int blockSize, size_t dynamicShared) {
  for (int size = allowedClusterSize(gpu, kernel); size > 0; size /= 2)
    if (maxActiveClusters(gpu, kernel, size, blockSize, dynamicShared) > 0) return size;
  return 0;
}

}  // namespace hostwarp::device_model
