#include "device_model/properties.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace hostwarp::device_model {
namespace {

TEST(Properties, H100) {
  const cudaDeviceProp p = properties(*find("h100"));
  EXPECT_STREQ(p.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(p.major, 9);
  EXPECT_EQ(p.minor, 0);
  EXPECT_EQ(p.multiProcessorCount, 132);
  EXPECT_EQ(p.maxThreadsPerMultiProcessor, 2048);
  EXPECT_EQ(p.maxBlocksPerMultiProcessor, 32);
  EXPECT_EQ(p.sharedMemPerMultiprocessor, 233472u);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 232448u);
  EXPECT_EQ(p.sharedMemPerBlock, 49152u);
  EXPECT_EQ(p.reservedSharedMemPerBlock, 1024u);
  EXPECT_EQ(p.regsPerMultiprocessor, 65536);
  EXPECT_EQ(p.regsPerBlock, 65536);
  EXPECT_EQ(p.l2CacheSize, 52428800);
  EXPECT_EQ(p.memoryBusWidth, 5120);
  EXPECT_EQ(p.clockRate, 1980000);
  EXPECT_EQ(p.clusterLaunch, 1);
  EXPECT_EQ(p.ECCEnabled, 1);
  EXPECT_EQ(p.persistingL2CacheMaxSize, 32768000);
}

TEST(Properties, T4HasNoClustersAndHalfTheThreads) {
  const cudaDeviceProp p = properties(*find("t4"));
  EXPECT_EQ(p.maxThreadsPerMultiProcessor, 1024);
  EXPECT_EQ(p.maxBlocksPerMultiProcessor, 16);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 65536u);
  EXPECT_EQ(p.clusterLaunch, 0);
  EXPECT_EQ(p.cooperativeLaunch, 1);
}

TEST(Properties, OrinIsIntegrated) {
  const cudaDeviceProp p = properties(*find("orin"));
  EXPECT_EQ(p.integrated, 1);
  EXPECT_EQ(p.concurrentManagedAccess, 0);
  EXPECT_EQ(p.ECCEnabled, 0);
}

TEST(Properties, MaxwellHasSmallerTextures) {
  EXPECT_EQ(properties(*find("gtx960")).maxTexture3D[2], 4096);
  EXPECT_EQ(properties(*find("v100")).maxTexture3D[2], 16384);
}

TEST(Properties, OrdinalsDifferInBusAndUuid) {
  const cudaDeviceProp first = properties(*find("a100"), 0);
  const cudaDeviceProp second = properties(*find("a100"), 1);
  EXPECT_NE(first.pciBusID, second.pciBusID);
  EXPECT_NE(std::memcmp(&first.uuid, &second.uuid, sizeof first.uuid), 0);
  const cudaDeviceProp again = properties(*find("a100"), 0);
  EXPECT_EQ(std::memcmp(&first.uuid, &again.uuid, sizeof first.uuid), 0);
}

TEST(Properties, EveryModelIsUsable) {
  for (const Gpu &gpu : all()) {
    SCOPED_TRACE(std::string(gpu.id));
    const cudaDeviceProp p = properties(gpu);
    EXPECT_GT(std::strlen(p.name), 3u);
    EXPECT_EQ(p.warpSize, 32);
    EXPECT_GT(p.totalGlobalMem, size_t{1} << 30);
    EXPECT_GT(p.clockRate, 500000);
    EXPECT_GT(p.memoryClockRate, 500000);
    EXPECT_GT(p.l2CacheSize, 0);
    EXPECT_GT(p.memoryBusWidth, 0);
    EXPECT_LE(p.sharedMemPerBlockOptin + p.reservedSharedMemPerBlock, p.sharedMemPerMultiprocessor);
    EXPECT_GE(p.maxThreadsPerMultiProcessor, p.maxThreadsPerBlock);
    EXPECT_GT(p.maxTexture2D[1], 0);
    EXPECT_GT(p.maxSurfaceCubemapLayered[1], 0);
  }
}

TEST(Limits, CudasDefaults) {
  const Gpu &gpu = *find("h200");
  EXPECT_EQ(defaultLimit(gpu, cudaLimitStackSize), 1024u);
  EXPECT_EQ(defaultLimit(gpu, cudaLimitPrintfFifoSize), 132u * 65536);
  EXPECT_EQ(defaultLimit(*find("orin"), cudaLimitPrintfFifoSize), 1048576u);
  EXPECT_EQ(defaultLimit(gpu, cudaLimitMallocHeapSize), 8388608u);
  EXPECT_EQ(defaultLimit(gpu, cudaLimitDevRuntimePendingLaunchCount), 2048u);
  EXPECT_EQ(defaultLimit(*find("h100"), cudaLimitPersistingL2CacheSize), 9830400u);
}

TEST(Limits, AreRoundedUpAsAGpuDoes) {
  const Gpu &gpu = *find("h100");
  EXPECT_EQ(settledLimit(gpu, cudaLimitPersistingL2CacheSize, 1048577), 3276800u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitPersistingL2CacheSize, 32768000), 32768000u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitPersistingL2CacheSize, 0), 0u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitStackSize, 1025), 1040u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitMallocHeapSize, 8388609), 8454144u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitMallocHeapSize, 1), 4194304u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitPrintfFifoSize, 1024), 524288u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitPrintfFifoSize, 1000000), 1000192u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitStackSize, 0), 0u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitDevRuntimePendingLaunchCount, 1), 32u);
  EXPECT_EQ(settledLimit(gpu, cudaLimitDevRuntimePendingLaunchCount, 1 << 30), 599186u);
}

TEST(Limits, UnknownLimitHasNoValue) {
  EXPECT_FALSE(defaultLimit(*find("h200"), static_cast<cudaLimit>(99)).has_value());
  EXPECT_FALSE(largestLimit(*find("t4"), cudaLimitPersistingL2CacheSize).has_value());
}

TEST(Limits, LargestIsBoundedByMemory) {
  const Gpu &gpu = *find("t4");
  EXPECT_EQ(largestLimit(gpu, cudaLimitMallocHeapSize), gpu.memoryBytes);
  EXPECT_GE(*largestLimit(gpu, cudaLimitStackSize), 65536u);
}

}  // namespace
}  // namespace hostwarp::device_model
