// What a compute capability fixes: how much one SM holds, and how large textures and clusters may be.
#ifndef HOSTWARP_DEVICE_MODEL_COMPUTE_CAPABILITY_H
#define HOSTWARP_DEVICE_MODEL_COMPUTE_CAPABILITY_H

#include <cstddef>
#include <span>

namespace hostwarp::device_model {

// Limits that have been the same since compute capability 5.0.
inline constexpr int warpSize = 32;
inline constexpr int maxThreadsPerBlock = 1024;
inline constexpr int maxBlockDim[3] = {1024, 1024, 64};
inline constexpr int maxGridDim[3] = {2147483647, 65535, 65535};
inline constexpr int registersPerSm = 65536;
inline constexpr int maxRegistersPerThread = 255;
inline constexpr int registerGranularity = 256;  // per warp
inline constexpr size_t sharedPerBlock = 48 * 1024;
inline constexpr size_t constantBytes = 64 * 1024;
inline constexpr size_t maxParameterBytes = 4096;        // kernel parameters before compute capability 7.0
inline constexpr size_t maxParameterBytesLarge = 32764;  // and from it on

// TextureLimits are the largest extents of textures and surfaces, in texels, grouped as in cudaDeviceProp.
struct TextureLimits {
  int texture1D, texture1DMipmap;
  int texture2D[2], texture2DMipmap[2], texture2DLinear[3], texture2DGather[2];
  int texture3D[3], texture3DAlt[3];
  int cubemap, layered1D[2], layered2D[3], cubemapLayered[2];
  int surface1D, surface2D[2], surface3D[3], surfaceLayered1D[2], surfaceLayered2D[3];
  int surfaceCubemap, surfaceCubemapLayered[2];
};

// ComputeCapability is one row of compute_capabilities.def.
struct ComputeCapability {
  int major, minor;
  int threadsPerSm, blocksPerSm;
  int registersPerBlock;
  size_t sharedPerSm;
  size_t sharedOptin;     // most per block after opting in
  size_t reservedShared;  // of each block, kept by the system
  size_t sharedGranularity;
  int subPartitions;
  std::span<const int> carveoutsKiB;  // ascending sizes the shared memory of an SM can be set to; empty: fixed
  const TextureLimits *textures;
  int texture1DLinear;
  int portableCluster, largestCluster;  // 0: no clusters
  int singleToDouble;
  int persistingL2Sixteenths;

  [[nodiscard]] int warpsPerSm() const { return threadsPerSm / warpSize; }
  // atLeast() compares versions.
  [[nodiscard]] bool atLeast(int otherMajor, int otherMinor) const {
    return major > otherMajor || (major == otherMajor && minor >= otherMinor);
  }
  [[nodiscard]] bool hasClusters() const { return largestCluster > 0; }
  [[nodiscard]] size_t parameterBytes() const { return atLeast(7, 0) ? maxParameterBytesLarge : maxParameterBytes; }
};

// computeCapability() returns the row for major.minor, or null when no such GPU is known.
[[nodiscard]] const ComputeCapability *computeCapability(int major, int minor);
// computeCapabilities() returns every row, oldest first.
[[nodiscard]] std::span<const ComputeCapability> computeCapabilities();

// sharedConfiguration() returns the smallest shared memory size of an SM that holds `bytes`; 0 when none does.
[[nodiscard]] size_t sharedConfiguration(const ComputeCapability &capability, size_t bytes);

}  // namespace hostwarp::device_model

#endif  // HOSTWARP_DEVICE_MODEL_COMPUTE_CAPABILITY_H
