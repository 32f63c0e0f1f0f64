#include <gtest/gtest.h>

#include "device_model/properties.h"

namespace hostwarp::device_model {
namespace {

// The numbers between 1 and cudaDevAttrMax that CUDA 13 leaves unused.
bool isGap(int value) {
  const int gaps[] = {44, 102, 103, 104, 105, 107, 110, 136, 137, 146};
  for (int gap : gaps)
    if (gap == value) return true;
  return false;
}

TEST(Attributes, EveryEnumeratorHasAValueOnEveryModel) {
  for (const Gpu &gpu : all())
    for (int i = 1; i < cudaDevAttrMax; i++)
      EXPECT_EQ(attribute(gpu, static_cast<cudaDeviceAttr>(i)).has_value(), !isGap(i)) << gpu.id << " " << i;
}

TEST(Attributes, OutsideOfTheEnumerationThereIsNone) {
  EXPECT_FALSE(attribute(defaultGpu(), static_cast<cudaDeviceAttr>(0)));
  EXPECT_FALSE(attribute(defaultGpu(), static_cast<cudaDeviceAttr>(-1)));
  EXPECT_FALSE(attribute(defaultGpu(), cudaDevAttrMax));
}

TEST(Attributes, AgreeWithTheProperties) {
  const Gpu &gpu = *find("rtx3090");
  const cudaDeviceProp p = properties(gpu);
  EXPECT_EQ(attribute(gpu, cudaDevAttrMultiProcessorCount), 82);
  EXPECT_EQ(attribute(gpu, cudaDevAttrComputeCapabilityMajor), 8);
  EXPECT_EQ(attribute(gpu, cudaDevAttrComputeCapabilityMinor), 6);
  EXPECT_EQ(attribute(gpu, cudaDevAttrMaxSharedMemoryPerBlockOptin), 101376);
  EXPECT_EQ(attribute(gpu, cudaDevAttrMaxTexture2DLinearPitch), p.maxTexture2DLinear[2]);
  EXPECT_EQ(attribute(gpu, cudaDevAttrMaxSurface2DLayeredLayers), p.maxSurface2DLayered[2]);
  EXPECT_EQ(attribute(gpu, cudaDevAttrMaxGridDimX), 2147483647);
}

TEST(Attributes, MemorySyncDomainsCameWithHopper) {
  EXPECT_EQ(attribute(*find("h100"), cudaDevAttrMemSyncDomainCount), 4);
  EXPECT_EQ(attribute(*find("a100"), cudaDevAttrMemSyncDomainCount), 1);
}

}  // namespace
}  // namespace hostwarp::device_model
