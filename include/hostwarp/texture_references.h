// Texture and surface functions over texture<> and surface<> references, which CUDA 12 dropped. A reference is, for
// device code, the handle of the object that the host has bound it to; each function is the one for objects.
#ifndef HOSTWARP_TEXTURE_REFERENCES_H
#define HOSTWARP_TEXTURE_REFERENCES_H

#include "../cuda_surface_types.h"
#include "../cuda_texture_types.h"
#include "texture_functions.h"

namespace hostwarp {
namespace texture_detail {

// objectOf() takes the handle out of what clang passes for a reference; C++ has no conversion between the two.
template <class Reference>
HOSTWARP_DEVICE unsigned long long objectOf(Reference reference) {
  unsigned long long handle;
  asm("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
  return handle;
}

// Fetched<T, mode>::Type is what reading a texture of T gives: T, or floats in its place.
template <class T, cudaTextureReadMode mode>
struct Fetched {
  typedef T Type;
};
#define HOSTWARP_NORMALIZED(type, result)             \
  template <>                                         \
  struct Fetched<type, cudaReadModeNormalizedFloat> { \
    typedef result Type;                              \
  };
#define HOSTWARP_NORMALIZED_FAMILY(family) \
  HOSTWARP_NORMALIZED(family##1, float1)   \
  HOSTWARP_NORMALIZED(family##2, float2)   \
  HOSTWARP_NORMALIZED(family##4, float4)
HOSTWARP_NORMALIZED(char, float)
HOSTWARP_NORMALIZED(signed char, float)
HOSTWARP_NORMALIZED(unsigned char, float)
HOSTWARP_NORMALIZED(short, float)
HOSTWARP_NORMALIZED(unsigned short, float)
HOSTWARP_NORMALIZED_FAMILY(char)
HOSTWARP_NORMALIZED_FAMILY(uchar)
HOSTWARP_NORMALIZED_FAMILY(short)
HOSTWARP_NORMALIZED_FAMILY(ushort)
#undef HOSTWARP_NORMALIZED_FAMILY
#undef HOSTWARP_NORMALIZED

// Gathered<T>::Type holds one channel of four texels of T.
template <class Channel>
struct Four;
#define HOSTWARP_FOUR(channel, vector) \
  template <>                          \
  struct Four<channel> {               \
    typedef vector Type;               \
  };
HOSTWARP_FOUR(signed char, char4)
HOSTWARP_FOUR(char, char4)
HOSTWARP_FOUR(unsigned char, uchar4)
HOSTWARP_FOUR(short, short4)
HOSTWARP_FOUR(unsigned short, ushort4)
HOSTWARP_FOUR(int, int4)
HOSTWARP_FOUR(unsigned int, uint4)
HOSTWARP_FOUR(float, float4)
#undef HOSTWARP_FOUR
template <class T>
auto channelOf(T texel, int) -> decltype(texel.x);
template <class T>
T channelOf(T texel, long);
template <class T>
struct Gathered {
  typedef typename Four<decltype(channelOf(T(), 0))>::Type Type;
};

}  // namespace texture_detail
}  // namespace hostwarp

#define HOSTWARP_ARGS(...) __VA_ARGS__
#define HOSTWARP_TEXTURE(name, dimension, parameters, arguments)                                         \
  template <class T, cudaTextureReadMode mode>                                                           \
  HOSTWARP_DEVICE typename hostwarp::texture_detail::Fetched<T, mode>::Type name(                        \
      texture<T, dimension, mode> reference, HOSTWARP_ARGS parameters) {                                 \
    typedef typename hostwarp::texture_detail::Fetched<T, mode>::Type Result;                            \
    return name<Result>(static_cast<cudaTextureObject_t>(hostwarp::texture_detail::objectOf(reference)), \
                        HOSTWARP_ARGS arguments);                                                        \
  }
HOSTWARP_TEXTURE(tex1Dfetch, cudaTextureType1D, (int index), (index))
HOSTWARP_TEXTURE(tex1D, cudaTextureType1D, (float x), (x))
HOSTWARP_TEXTURE(tex2D, cudaTextureType2D, (float x, float y), (x, y))
HOSTWARP_TEXTURE(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
HOSTWARP_TEXTURE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
HOSTWARP_TEXTURE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
HOSTWARP_TEXTURE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
HOSTWARP_TEXTURE(texCubemapLayered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer),
                 (x, y, z, layer))
HOSTWARP_TEXTURE(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))
HOSTWARP_TEXTURE(tex2DLod, cudaTextureType2D, (float x, float y, float level), (x, y, level))
HOSTWARP_TEXTURE(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level), (x, y, z, level))
HOSTWARP_TEXTURE(tex1DLayeredLod, cudaTextureType1DLayered, (float x, int layer, float level), (x, layer, level))
HOSTWARP_TEXTURE(tex2DLayeredLod, cudaTextureType2DLayered, (float x, float y, int layer, float level),
                 (x, y, layer, level))
HOSTWARP_TEXTURE(texCubemapLod, cudaTextureTypeCubemap, (float x, float y, float z, float level), (x, y, z, level))
HOSTWARP_TEXTURE(texCubemapLayeredLod, cudaTextureTypeCubemapLayered,
                 (float x, float y, float z, int layer, float level), (x, y, z, layer, level))
HOSTWARP_TEXTURE(tex1DGrad, cudaTextureType1D, (float x, float dx, float dy), (x, dx, dy))
HOSTWARP_TEXTURE(tex2DGrad, cudaTextureType2D, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
HOSTWARP_TEXTURE(tex3DGrad, cudaTextureType3D, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy))
HOSTWARP_TEXTURE(tex2DLayeredGrad, cudaTextureType2DLayered, (float x, float y, int layer, float2 dx, float2 dy),
                 (x, y, layer, dx, dy))
#undef HOSTWARP_TEXTURE

template <class T>
HOSTWARP_DEVICE typename hostwarp::texture_detail::Gathered<T>::Type tex2Dgather(
    texture<T, cudaTextureType2D, cudaReadModeElementType> reference, float x, float y, int component = 0) {
  typedef typename hostwarp::texture_detail::Gathered<T>::Type Result;
  return tex2Dgather<Result>(static_cast<cudaTextureObject_t>(hostwarp::texture_detail::objectOf(reference)), x, y,
                             component);
}
template <class T>
HOSTWARP_DEVICE float4 tex2Dgather(texture<T, cudaTextureType2D, cudaReadModeNormalizedFloat> reference, float x,
                                   float y, int component = 0) {
  return tex2Dgather<float4>(static_cast<cudaTextureObject_t>(hostwarp::texture_detail::objectOf(reference)), x, y,
                             component);
}

#define HOSTWARP_SURFACE(suffix, dimension, parameters, arguments)                                                 \
  template <class T>                                                                                               \
  HOSTWARP_DEVICE T surf##suffix##read(surface<void, dimension> reference, HOSTWARP_ARGS parameters,               \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
    return surf##suffix##read<T>(static_cast<cudaSurfaceObject_t>(hostwarp::texture_detail::objectOf(reference)),  \
                                 HOSTWARP_ARGS arguments, mode);                                                   \
  }                                                                                                                \
  template <class T>                                                                                               \
  HOSTWARP_DEVICE void surf##suffix##read(T *result, surface<void, dimension> reference, HOSTWARP_ARGS parameters, \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    *result = surf##suffix##read<T>(reference, HOSTWARP_ARGS arguments, mode);                                     \
  }                                                                                                                \
  template <class T>                                                                                               \
  HOSTWARP_DEVICE void surf##suffix##write(T value, surface<void, dimension> reference, HOSTWARP_ARGS parameters,  \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    surf##suffix##write(value, static_cast<cudaSurfaceObject_t>(hostwarp::texture_detail::objectOf(reference)),    \
                        HOSTWARP_ARGS arguments, mode);                                                            \
  }
HOSTWARP_SURFACE(1D, cudaSurfaceType1D, (int x), (x))
HOSTWARP_SURFACE(2D, cudaSurfaceType2D, (int x, int row), (x, row))
HOSTWARP_SURFACE(3D, cudaSurfaceType3D, (int x, int row, int slice), (x, row, slice))
HOSTWARP_SURFACE(1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
HOSTWARP_SURFACE(2DLayered, cudaSurfaceType2DLayered, (int x, int row, int layer), (x, row, layer))
HOSTWARP_SURFACE(Cubemap, cudaSurfaceTypeCubemap, (int x, int row, int face), (x, row, face))
HOSTWARP_SURFACE(CubemapLayered, cudaSurfaceTypeCubemapLayered, (int x, int row, int layerFace), (x, row, layerFace))
#undef HOSTWARP_SURFACE
#undef HOSTWARP_ARGS

#endif  // HOSTWARP_TEXTURE_REFERENCES_H
