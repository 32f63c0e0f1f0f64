#include "device_model/properties.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace hostwarp::device_model {
namespace {

constexpr int accessPolicyWindow = 128 << 20;
constexpr unsigned nvidiaPciVendor = 0x10de;

template <size_t N>
void fill(int (&to)[N], const int (&from)[N]) {
  std::copy(std::begin(from), std::end(from), to);
}

void fillName(cudaDeviceProp &p, const Gpu &gpu) {
  const size_t length = std::min(gpu.name.size(), sizeof(p.name) - 1);
  std::copy_n(gpu.name.data(), length, p.name);
}

// The uuid is a hash (FNV-1a) of model and ordinal: the same in every run, different between devices.
void fillUuid(cudaDeviceProp &p, const Gpu &gpu, int ordinal) {
  uint64_t hash = 14695981039346656037u;
  auto mix = [&hash](unsigned char c) { hash = (hash ^ c) * 1099511628211u; };
  for (char c : gpu.id) mix(static_cast<unsigned char>(c));
  for (size_t i = 0; i < sizeof(p.uuid.bytes); i++) {
    mix(static_cast<unsigned char>(ordinal + static_cast<int>(i)));
    p.uuid.bytes[i] = static_cast<char>(hash >> 56);
  }
}

void fillIdentity(cudaDeviceProp &p, const Gpu &gpu, int ordinal) {
  fillName(p, gpu);
  fillUuid(p, gpu, ordinal);
  p.major = gpu.capability->major;
  p.minor = gpu.capability->minor;
  p.pciBusID = gpu.kind == GpuKind::Tegra ? 0 : ordinal + 1;
  p.gpuPciDeviceID = gpu.pciDevice != 0 ? gpu.pciDevice << 16 | nvidiaPciVendor : 0;
  p.multiGpuBoardGroupID = ordinal;
  p.deviceNumaId = -1;
}

void fillExecution(cudaDeviceProp &p, const Gpu &gpu) {
  const ComputeCapability &cc = *gpu.capability;
  p.warpSize = warpSize;
  p.maxThreadsPerBlock = maxThreadsPerBlock;
  fill(p.maxThreadsDim, maxBlockDim);
  fill(p.maxGridSize, maxGridDim);
  p.multiProcessorCount = gpu.sms;
  p.maxThreadsPerMultiProcessor = cc.threadsPerSm;
  p.maxBlocksPerMultiProcessor = cc.blocksPerSm;
  p.regsPerBlock = cc.registersPerBlock;
  p.regsPerMultiprocessor = registersPerSm;
  p.sharedMemPerBlock = sharedPerBlock;
  p.sharedMemPerBlockOptin = cc.sharedOptin;
  p.sharedMemPerMultiprocessor = cc.sharedPerSm;
  p.reservedSharedMemPerBlock = cc.reservedShared;
  p.concurrentKernels = 1;
  p.asyncEngineCount = gpu.copyEngines;
  p.streamPrioritiesSupported = 1;
  p.computePreemptionSupported = cc.atLeast(6, 0);
  p.cooperativeLaunch = cc.atLeast(6, 0);
  p.clusterLaunch = cc.hasClusters();
}

void fillMemory(cudaDeviceProp &p, const Gpu &gpu) {
  const ComputeCapability &cc = *gpu.capability;
  p.totalGlobalMem = gpu.memoryBytes;
  p.totalConstMem = constantBytes;
  p.memPitch = 2147483647;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.memoryBusWidth = gpu.busBits;
  p.l2CacheSize = gpu.l2Bytes;
  p.persistingL2CacheMaxSize = gpu.l2Bytes / 16 * cc.persistingL2Sixteenths;
  p.accessPolicyMaxWindowSize = cc.atLeast(8, 0) ? accessPolicyWindow : 0;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.ECCEnabled = gpu.kind != GpuKind::Geforce && gpu.kind != GpuKind::Tegra;
}

// Unified memory as on Linux with the open kernel modules: Turing and later reach pageable memory too.
void fillUnifiedMemory(cudaDeviceProp &p, const Gpu &gpu) {
  const bool coherent = gpu.kind == GpuKind::Coherent;
  const bool integrated = gpu.kind == GpuKind::Tegra;
  const bool paging = gpu.capability->atLeast(6, 0) && !integrated;
  p.integrated = integrated;
  p.canMapHostMemory = 1;
  p.unifiedAddressing = 1;
  p.ipcEventSupported = 1;
  p.managedMemory = 1;
  p.hostRegisterSupported = 1;
  p.concurrentManagedAccess = paging;
  p.pageableMemoryAccess = paging && gpu.capability->atLeast(7, 5);
  p.canUseHostPointerForRegisteredMem = paging;
  p.pageableMemoryAccessUsesHostPageTables = coherent;
  p.hostNativeAtomicSupported = coherent;
  p.directManagedMemAccessFromHost = coherent;
  p.memoryPoolsSupported = 1;
  p.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
}

void fillTextures(cudaDeviceProp &p, const TextureLimits &t) {
  p.maxTexture1D = t.texture1D;
  p.maxTexture1DMipmap = t.texture1DMipmap;
  fill(p.maxTexture2D, t.texture2D);
  fill(p.maxTexture2DMipmap, t.texture2DMipmap);
  fill(p.maxTexture2DLinear, t.texture2DLinear);
  fill(p.maxTexture2DGather, t.texture2DGather);
  fill(p.maxTexture3D, t.texture3D);
  fill(p.maxTexture3DAlt, t.texture3DAlt);
  p.maxTextureCubemap = t.cubemap;
  fill(p.maxTexture1DLayered, t.layered1D);
  fill(p.maxTexture2DLayered, t.layered2D);
  fill(p.maxTextureCubemapLayered, t.cubemapLayered);
}

void fillSurfaces(cudaDeviceProp &p, const TextureLimits &t) {
  p.maxSurface1D = t.surface1D;
  fill(p.maxSurface2D, t.surface2D);
  fill(p.maxSurface3D, t.surface3D);
  fill(p.maxSurface1DLayered, t.surfaceLayered1D);
  fill(p.maxSurface2DLayered, t.surfaceLayered2D);
  p.maxSurfaceCubemap = t.surfaceCubemap;
  fill(p.maxSurfaceCubemapLayered, t.surfaceCubemapLayered);
}

// Members that CUDA 13 no longer has and older programs read.
void fillOldMembers(cudaDeviceProp &p, const Gpu &gpu) {
  p.clockRate = gpu.coreKHz;
  p.memoryClockRate = gpu.memoryKHz;
  p.deviceOverlap = gpu.copyEngines > 0;
  p.computeMode = cudaComputeModeDefault;
  p.singleToDoublePrecisionPerfRatio = gpu.capability->singleToDouble;
  p.maxTexture1DLinear = gpu.capability->texture1DLinear;
}

}  // namespace

cudaDeviceProp properties(const Gpu &gpu, int ordinal) {
  cudaDeviceProp p{};
  fillIdentity(p, gpu, ordinal);
  fillExecution(p, gpu);
  fillMemory(p, gpu);
  fillUnifiedMemory(p, gpu);
  fillTextures(p, *gpu.capability->textures);
  fillSurfaces(p, *gpu.capability->textures);
  fillOldMembers(p, gpu);
  return p;
}

}  // namespace hostwarp::device_model
