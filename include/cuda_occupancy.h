// The occupancy calculator that programs feed themselves: with a device's properties and a kernel's attributes, theirs
// or changed [CUDA 3.5 occupancy]. The arithmetic is libcudart's. For host code.
#ifndef HOSTWARP_CUDA_OCCUPANCY_H
#define HOSTWARP_CUDA_OCCUPANCY_H
#define __cuda_occupancy_h__

#include <limits.h>
#include <stddef.h>

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;
typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;
typedef enum cudaOccFuncShmemConfig_enum { FUNC_SHMEM_LIMIT_DEFAULT, FUNC_SHMEM_LIMIT_OPTIN } cudaOccFuncShmemConfig;
typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;
typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50
} cudaOccCarveoutConfig;
// Bits of cudaOccResult::limitingFactors.
typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10,
  OCC_LIMIT_VIRTUAL_RESOURCES = 0x20
} cudaOccLimitingFactor;

// cudaOccDeviceProp is made from a cudaDeviceProp, or from any structure with fields of those names.
typedef struct cudaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;

#if defined(__cplusplus)
  template <typename DeviceProp>
  cudaOccDeviceProp(const DeviceProp &p)
      : computeMajor(p.major),
        computeMinor(p.minor),
        maxThreadsPerBlock(p.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor),
        regsPerBlock(p.regsPerBlock),
        regsPerMultiprocessor(p.regsPerMultiprocessor),
        warpSize(p.warpSize),
        sharedMemPerBlock(p.sharedMemPerBlock),
        sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor),
        numSms(p.multiProcessorCount),
        sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(p.reservedSharedMemPerBlock) {}
  cudaOccDeviceProp()
      : computeMajor(0),
        computeMinor(0),
        maxThreadsPerBlock(0),
        maxThreadsPerMultiprocessor(0),
        regsPerBlock(0),
        regsPerMultiprocessor(0),
        warpSize(0),
        sharedMemPerBlock(0),
        sharedMemPerMultiprocessor(0),
        numSms(0),
        sharedMemPerBlockOptin(0),
        reservedSharedMemPerBlock(0) {}
#endif
} cudaOccDeviceProp;

// cudaOccFuncAttributes is made from a cudaFuncAttributes.
typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock;
  int numRegs;
  size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
  int virtualResourceCount;

#if defined(__cplusplus)
  template <typename FuncAttributes>
  cudaOccFuncAttributes(const FuncAttributes &a)
      : maxThreadsPerBlock(a.maxThreadsPerBlock),
        numRegs(a.numRegs),
        sharedSizeBytes(a.sharedSizeBytes),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(a.maxDynamicSharedSizeBytes),
        numBlockBarriers(1),
        virtualResourceCount(0) {}
  cudaOccFuncAttributes()
      : maxThreadsPerBlock(0),
        numRegs(0),
        sharedSizeBytes(0),
        partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_DEFAULT),
        maxDynamicSharedSizeBytes(0),
        numBlockBarriers(0),
        virtualResourceCount(0) {}
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig;
#if defined(__cplusplus)
  cudaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

// cudaOccResult: a limit is INT_MAX where the kernel takes nothing of the resource.
typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors;
  int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers, blockLimitVirtual;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

#if defined(__cplusplus)
extern "C" {
#endif

cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult *result, const cudaOccDeviceProp *properties,
                                                     const cudaOccFuncAttributes *attributes,
                                                     const cudaOccDeviceState *state, int blockSize,
                                                     size_t dynamicSmemSize);
cudaOccError cudaOccAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const cudaOccDeviceProp *properties,
                                                 const cudaOccFuncAttributes *attributes,
                                                 const cudaOccDeviceState *state, int numBlocks, int blockSize);
// blockSizeToDynamicSMemSize may be null: every block has dynamicSMemSize bytes.
cudaOccError cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize,
                                                   const cudaOccDeviceProp *properties,
                                                   const cudaOccFuncAttributes *attributes,
                                                   const cudaOccDeviceState *state,
                                                   size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize);
// hw_occ_block_size() is the same for a function with a context.
cudaOccError hw_occ_block_size(int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
                               const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
                               size_t (*sharedBytes)(int blockSize, void *context), void *context);

#if defined(__cplusplus)
}

static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(int *minGridSize, int *blockSize,
                                                                 const cudaOccDeviceProp *properties,
                                                                 const cudaOccFuncAttributes *attributes,
                                                                 const cudaOccDeviceState *state,
                                                                 size_t dynamicSMemSize = 0) {
  return cudaOccMaxPotentialOccupancyBlockSize(minGridSize, blockSize, properties, attributes, state, NULL,
                                               dynamicSMemSize);
}

template <typename UnaryFunction>
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(int *minGridSize, int *blockSize,
                                                                             const cudaOccDeviceProp *properties,
                                                                             const cudaOccFuncAttributes *attributes,
                                                                             const cudaOccDeviceState *state,
                                                                             UnaryFunction blockSizeToDynamicSMemSize) {
  struct Caller {
    static size_t call(int size, void *function) { return (*static_cast<UnaryFunction *>(function))(size); }
  };
  return hw_occ_block_size(minGridSize, blockSize, properties, attributes, state, Caller::call,
                           &blockSizeToDynamicSMemSize);
}
#endif

#endif  // HOSTWARP_CUDA_OCCUPANCY_H
