// Functions that CUDA 13 no longer has and older programs call. Included by cuda_runtime_api.h, inside of its
// extern "C". Where today's function does the same, the old name is an inline function here; the others are entry
// points of their own.
#ifndef HOSTWARP_RUNTIME_RETIRED_API_H
#define HOSTWARP_RUNTIME_RETIRED_API_H

// --- The cudaThread* names of CUDA 3 ---

static __inline__ cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
static __inline__ cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
static __inline__ cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
static __inline__ cudaError_t cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit) {
  return cudaDeviceGetLimit(pValue, limit);
}
static __inline__ cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig) {
  return cudaDeviceGetCacheConfig(pCacheConfig);
}
static __inline__ cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig) {
  return cudaDeviceSetCacheConfig(cacheConfig);
}

// --- Launches, the way of CUDA 7 and before, and over several devices ---

cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem HOSTWARP_DEFAULT(0),
                              cudaStream_t stream HOSTWARP_DEFAULT(0));
cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset);
cudaError_t cudaLaunch(const void *func);
cudaError_t cudaSetDoubleForDevice(double *d);
cudaError_t cudaSetDoubleForHost(double *d);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launchParamsList, unsigned int numDevices,
                                                   unsigned int flags HOSTWARP_DEFAULT(0));

// --- Profiler ---

typedef enum cudaOutputMode { cudaKeyValuePair = 0, cudaCSV = 1 } cudaOutputMode_t;
cudaError_t cudaProfilerInitialize(const char *configFile, const char *outputFile, cudaOutputMode_t outputMode);

// --- Texture and surface references ---

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref, const void *devPtr,
                            const struct cudaChannelFormatDesc *desc, size_t size HOSTWARP_DEFAULT(UINT_MAX));
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref, const void *devPtr,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc);
cudaError_t cudaUnbindTexture(const struct textureReference *texref);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref);
cudaError_t cudaGetTextureReference(const struct textureReference **texref, const void *symbol);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol);

#endif  // HOSTWARP_RUNTIME_RETIRED_API_H
