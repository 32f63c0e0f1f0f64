#include "device_model/compute_capability.h"

namespace hostwarp::device_model {
namespace {

constexpr int carveoutVolta[] = {0, 8, 16, 32, 64, 96};
constexpr int carveoutTuring[] = {32, 64};
constexpr int carveoutSmall[] = {0, 8, 16, 32, 64, 100};
constexpr int carveoutLarge[] = {0, 8, 16, 32, 64, 100, 132, 164};
constexpr int carveoutLargest[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
constexpr std::span<const int> carveoutFixed{};

constexpr TextureLimits texturesMaxwell = {
    .texture1D = 65536,
    .texture1DMipmap = 16384,
    .texture2D = {65536, 65536},
    .texture2DMipmap = {16384, 16384},
    .texture2DLinear = {65000, 65000, 1048544},
    .texture2DGather = {16384, 16384},
    .texture3D = {4096, 4096, 4096},
    .texture3DAlt = {2048, 2048, 16384},
    .cubemap = 16384,
    .layered1D = {16384, 2048},
    .layered2D = {16384, 16384, 2048},
    .cubemapLayered = {16384, 2046},
    .surface1D = 16384,
    .surface2D = {65536, 65536},
    .surface3D = {4096, 4096, 4096},
    .surfaceLayered1D = {16384, 2048},
    .surfaceLayered2D = {16384, 16384, 2048},
    .surfaceCubemap = 16384,
    .surfaceCubemapLayered = {16384, 2046},
};

constexpr TextureLimits texturesPascal = {
    .texture1D = 131072,
    .texture1DMipmap = 32768,
    .texture2D = {131072, 65536},
    .texture2DMipmap = {32768, 32768},
    .texture2DLinear = {131072, 65000, 2097120},
    .texture2DGather = {32768, 32768},
    .texture3D = {16384, 16384, 16384},
    .texture3DAlt = {8192, 8192, 32768},
    .cubemap = 32768,
    .layered1D = {32768, 2048},
    .layered2D = {32768, 32768, 2048},
    .cubemapLayered = {32768, 2046},
    .surface1D = 32768,
    .surface2D = {131072, 65536},
    .surface3D = {16384, 16384, 16384},
    .surfaceLayered1D = {32768, 2048},
    .surfaceLayered2D = {32768, 32768, 2048},
    .surfaceCubemap = 32768,
    .surfaceCubemapLayered = {32768, 2046},
};

constexpr size_t inBytes(size_t n) { return n * 1024; }

constexpr ComputeCapability capabilities[] = {
#define HW_COMPUTE_CAPABILITY(major, minor, threads, blocks, registers, sharedKiB, optinKiB, reserved, granularity,    \
                              partitions, carveoutSet, textureSet, linear1dLog2, portable, largest, ratio, persisting) \
  {major,                                                                                                              \
   minor,                                                                                                              \
   threads,                                                                                                            \
   blocks,                                                                                                             \
   registers,                                                                                                          \
   inBytes(sharedKiB),                                                                                                     \
   inBytes(optinKiB),                                                                                                      \
   reserved,                                                                                                           \
   granularity,                                                                                                        \
   partitions,                                                                                                         \
   carveout##carveoutSet,                                                                                              \
   &textures##textureSet,                                                                                              \
   1 << linear1dLog2,                                                                                                  \
   portable,                                                                                                           \
   largest,                                                                                                            \
   ratio,                                                                                                              \
   persisting},
#include "device_model/compute_capabilities.def"
};

}  // namespace

std::span<const ComputeCapability> computeCapabilities() { return capabilities; }

const ComputeCapability *computeCapability(int major, int minor) {
  for (const ComputeCapability &row : capabilities)
    if (row.major == major && row.minor == minor) return &row;
  return nullptr;
}

size_t sharedConfiguration(const ComputeCapability &capability, size_t bytes) {
  if (capability.carveoutsKiB.empty()) return bytes <= capability.sharedPerSm ? capability.sharedPerSm : 0;
  for (int size : capability.carveoutsKiB)
    if (bytes <= inBytes(size)) return inBytes(size);
  return 0;
}

}  // namespace hostwarp::device_model
