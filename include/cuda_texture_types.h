// texture<> references, which CUDA 12 dropped [CUDA 3.2.14 in guides up to 11].
#ifndef HOSTWARP_CUDA_TEXTURE_TYPES_H
#define HOSTWARP_CUDA_TEXTURE_TYPES_H
#define __CUDA_TEXTURE_TYPES_H__

#if defined(__cplusplus)

#include "channel_descriptor.h"
#include "texture_types.h"

template <class T, int texType = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
  __host__ texture(int norm = 0, cudaTextureFilterMode fMode = cudaFilterModePoint,
                   cudaTextureAddressMode aMode = cudaAddressModeClamp) {
    set(norm, fMode, aMode, cudaCreateChannelDesc<T>());
  }
  __host__ texture(int norm, cudaTextureFilterMode fMode, cudaTextureAddressMode aMode, cudaChannelFormatDesc desc) {
    set(norm, fMode, aMode, desc);
  }

 private:
  __host__ void set(int norm, cudaTextureFilterMode fMode, cudaTextureAddressMode aMode, cudaChannelFormatDesc desc) {
    normalized = norm;
    filterMode = fMode;
    for (int i = 0; i < 3; ++i) addressMode[i] = aMode;
    channelDesc = desc;
    sRGB = 0;
    maxAnisotropy = 0;
    mipmapFilterMode = cudaFilterModePoint;
    mipmapLevelBias = minMipmapLevelClamp = maxMipmapLevelClamp = 0;
    disableTrilinearOptimization = 0;
  }
};

#define HOSTWARP_TEXTURE                                \
  template <class T, int dim, cudaTextureReadMode mode> \
  static __inline__ __host__ cudaError_t

HOSTWARP_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                                 const cudaChannelFormatDesc &desc, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, (const textureReference *)&tex, devPtr, &desc, size);
}
HOSTWARP_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                                 size_t size = UINT_MAX) {
  return cudaBindTexture(offset, tex, devPtr, tex.channelDesc, size);
}
HOSTWARP_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                                   const cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference *)&tex, devPtr, &desc, width, height, pitch);
}
HOSTWARP_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr, size_t width,
                                   size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, tex, devPtr, tex.channelDesc, width, height, pitch);
}
HOSTWARP_TEXTURE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array,
                                        const cudaChannelFormatDesc &desc) {
  return cudaBindTextureToArray((const textureReference *)&tex, array, &desc);
}
HOSTWARP_TEXTURE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  cudaError_t error = cudaGetChannelDesc(&desc, array);
  return error ? error : cudaBindTextureToArray(tex, array, desc);
}
HOSTWARP_TEXTURE cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                                 cudaMipmappedArray_const_t mipmappedArray,
                                                 const cudaChannelFormatDesc &desc) {
  return cudaBindTextureToMipmappedArray((const textureReference *)&tex, mipmappedArray, &desc);
}
HOSTWARP_TEXTURE cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                                 cudaMipmappedArray_const_t mipmappedArray) {
  cudaArray_t level;
  cudaChannelFormatDesc desc;
  cudaError_t error = cudaGetMipmappedArrayLevel(&level, mipmappedArray, 0);
  if (!error) error = cudaGetChannelDesc(&desc, level);
  return error ? error : cudaBindTextureToMipmappedArray(tex, mipmappedArray, desc);
}
HOSTWARP_TEXTURE cudaUnbindTexture(const texture<T, dim, mode> &tex) {
  return cudaUnbindTexture((const textureReference *)&tex);
}
HOSTWARP_TEXTURE cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &tex) {
  return cudaGetTextureAlignmentOffset(offset, (const textureReference *)&tex);
}
#undef HOSTWARP_TEXTURE

#endif

#endif  // HOSTWARP_CUDA_TEXTURE_TYPES_H
