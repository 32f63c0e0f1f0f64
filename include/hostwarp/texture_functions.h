// Texture and surface functions over texture objects [CUDA 5.5 texture functions, surface functions].
#ifndef HOSTWARP_TEXTURE_FUNCTIONS_H
#define HOSTWARP_TEXTURE_FUNCTIONS_H

#include <string.h>

#include "../surface_types.h"
#include "../texture_types.h"
#include "../vector_types.h"
#include "device_abi.h"
#include "device_qualifiers.h"
#include "texture_view.h"

namespace hostwarp {
namespace texture_detail {

// Convert<Channel> reads one channel, Unpack<T> turns the four channels of a fetch into a scalar or a vector of CUDA's.
template <class Channel>
struct Convert {
  static HOSTWARP_DEVICE Channel from(unsigned bits) { return static_cast<Channel>(bits); }
};
template <>
struct Convert<float> {
  static HOSTWARP_DEVICE float from(unsigned bits) { return __builtin_bit_cast(float, bits); }
};

// FormOf says which form of texels a type is read from as they are.
template <class Channel>
struct FormOf {
  static const unsigned form = sizeof(Channel) == 4 ? HW_TEXEL_32 : sizeof(Channel) == 2 ? HW_TEXEL_16 : HW_TEXEL_8;
  static const bool isFloat = false;
};
template <>
struct FormOf<float> {
  static const unsigned form = HW_TEXEL_32;
  static const bool isFloat = true;
};

template <class T>
struct Unpack;
#define HOSTWARP_UNPACK_SCALAR(type)                                                               \
  template <>                                                                                      \
  struct Unpack<type> : FormOf<type> {                                                             \
    static const unsigned channels = 1;                                                            \
    static HOSTWARP_DEVICE type from(const hw_texel &t) { return Convert<type>::from(t.bits[0]); } \
  };
#define HOSTWARP_UNPACK(name, channel)                       \
  template <>                                                \
  struct Unpack<name##1> : FormOf<channel> {                 \
    static const unsigned channels = 1;                      \
    static HOSTWARP_DEVICE name##1 from(const hw_texel &t) { \
      name##1 v;                                             \
      v.x = Convert<channel>::from(t.bits[0]);               \
      return v;                                              \
    }                                                        \
  };                                                         \
  template <>                                                \
  struct Unpack<name##2> : FormOf<channel> {                 \
    static const unsigned channels = 2;                      \
    static HOSTWARP_DEVICE name##2 from(const hw_texel &t) { \
      name##2 v;                                             \
      v.x = Convert<channel>::from(t.bits[0]);               \
      v.y = Convert<channel>::from(t.bits[1]);               \
      return v;                                              \
    }                                                        \
  };                                                         \
  template <>                                                \
  struct Unpack<name##4> : FormOf<channel> {                 \
    static const unsigned channels = 4;                      \
    static HOSTWARP_DEVICE name##4 from(const hw_texel &t) { \
      name##4 v;                                             \
      v.x = Convert<channel>::from(t.bits[0]);               \
      v.y = Convert<channel>::from(t.bits[1]);               \
      v.z = Convert<channel>::from(t.bits[2]);               \
      v.w = Convert<channel>::from(t.bits[3]);               \
      return v;                                              \
    }                                                        \
  };
HOSTWARP_UNPACK_SCALAR(char)
HOSTWARP_UNPACK_SCALAR(signed char)
HOSTWARP_UNPACK_SCALAR(unsigned char)
HOSTWARP_UNPACK_SCALAR(short)
HOSTWARP_UNPACK_SCALAR(unsigned short)
HOSTWARP_UNPACK_SCALAR(int)
HOSTWARP_UNPACK_SCALAR(unsigned)
HOSTWARP_UNPACK_SCALAR(float)
HOSTWARP_UNPACK(char, signed char)
HOSTWARP_UNPACK(uchar, unsigned char)
HOSTWARP_UNPACK(short, short)
HOSTWARP_UNPACK(ushort, unsigned short)
HOSTWARP_UNPACK(int, int)
HOSTWARP_UNPACK(uint, unsigned)
HOSTWARP_UNPACK(float, float)
#undef HOSTWARP_UNPACK
#undef HOSTWARP_UNPACK_SCALAR

// sample2D() is large, and kernels fetch in many places.
template <class T>
HOSTWARP_DEVICE_FUNCTION __attribute__((noinline)) T sample2D(cudaTextureObject_t object, const hw_texture_view *view,
                                                              const hw_texture_point &point) {
  typedef Unpack<T> Texel;
  hw_texel texel;
  const bool counts = view->channels == Texel::channels;
  if (counts && view->form == Texel::form) {
    if (sampleView<Texel::form, Texel::channels>(*view, point.x, point.y, texel)) return Texel::from(texel);
  } else if (counts && Texel::isFloat && view->form == HW_TEXEL_UNORM_8) {
    if (sampleView<HW_TEXEL_UNORM_8, Texel::channels>(*view, point.x, point.y, texel)) return Texel::from(texel);
  }
  hw_texture_sample(object, &point, &texel);
  return Texel::from(texel);
}

template <class T>
HOSTWARP_DEVICE T sample(cudaTextureObject_t object, int shape, float x, float y, float z, float lod) {
  const hw_texture_point point = {shape, 0, x, y, z, lod};
  if (shape == HW_TEXTURE_2D) return sample2D<T>(object, hw_texture_view_of(object), point);
  hw_texel texel;
  hw_texture_sample(object, &point, &texel);
  return Unpack<T>::from(texel);
}

template <class T>
HOSTWARP_DEVICE T fetch(cudaTextureObject_t object, int index) {
  typedef Unpack<T> Texel;
  const hw_texture_view &view = *hw_texture_view_of(object);
  hw_texel texel;
  if (view.form == Texel::form && view.channels == Texel::channels && static_cast<unsigned>(index) < view.width) {
    const char *from = view.data + static_cast<uint64_t>(index) * bytesOf<Texel::form>(Texel::channels);
    for (unsigned i = 0; i < Texel::channels; ++i) texel.bits[i] = channelOf<Texel::form>(from, i);
  } else {
    hw_texture_fetch(object, index, &texel);
  }
  return Texel::from(texel);
}

// --- What a GPU has an instruction for: compiler/gpu_library has other definitions of these functions ---

// sampleLayer() fetches from a layered texture.
HOSTWARP_DEVICE void sampleLayer(cudaTextureObject_t object, const hw_texture_point &point, hw_texel &texel) {
  hw_texture_sample(object, &point, &texel);
}

// Derivatives are those of the coordinates from a thread to its neighbours.
struct Derivatives {
  float dx[3], dy[3];
};
HOSTWARP_DEVICE float lodOf(cudaTextureObject_t object, float xdx, float ydx, float zdx, float xdy, float ydy,
                            float zdy) {
  const float derivatives[6] = {xdx, ydx, zdx, xdy, ydy, zdy};
  return hw_texture_lod(object, derivatives);
}

// halfQuotient() is the derivative of a / (2 |m|), a coordinate on the face of a cube.
HOSTWARP_DEVICE float halfQuotient(float a, float m, float da, float dm) {
  return (da * __builtin_fabsf(m) - a * (m < 0 ? -dm : dm)) / (2 * m * m);
}
// cubeLodOf(): the derivatives are those of the direction; the face is that of its longest component.
HOSTWARP_DEVICE float cubeLodOf(cudaTextureObject_t object, float x, float y, float z, const Derivatives &d) {
  const float *const dx = d.dx, *const dy = d.dy;
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  if (ax >= ay && ax >= az)
    return lodOf(object, halfQuotient(z, x, dx[2], dx[0]), halfQuotient(y, x, dx[1], dx[0]), 0,
                 halfQuotient(z, x, dy[2], dy[0]), halfQuotient(y, x, dy[1], dy[0]), 0);
  if (ay >= az)
    return lodOf(object, halfQuotient(x, y, dx[0], dx[1]), halfQuotient(z, y, dx[2], dx[1]), 0,
                 halfQuotient(x, y, dy[0], dy[1]), halfQuotient(z, y, dy[2], dy[1]), 0);
  return lodOf(object, halfQuotient(x, z, dx[0], dx[2]), halfQuotient(y, z, dx[1], dx[2]), 0,
               halfQuotient(x, z, dy[0], dy[2]), halfQuotient(y, z, dy[1], dy[2]), 0);
}

// sampleGradient() samples at the level that the derivatives ask for, sampleLayerGradient() from a layered texture.
HOSTWARP_DEVICE void sampleGradient(cudaTextureObject_t object, const hw_texture_point &point, const Derivatives &d,
                                    hw_texel &texel) {
  hw_texture_point place = point;
  place.lod = point.shape == HW_TEXTURE_CUBE ? cubeLodOf(object, point.x, point.y, point.z, d)
                                             : lodOf(object, d.dx[0], d.dx[1], d.dx[2], d.dy[0], d.dy[1], d.dy[2]);
  hw_texture_sample(object, &place, &texel);
}
HOSTWARP_DEVICE void sampleLayerGradient(cudaTextureObject_t object, const hw_texture_point &point,
                                         const Derivatives &d, hw_texel &texel) {
  sampleGradient(object, point, d, texel);
}

// SurfacePlace says where to read or write: x in bytes, what lies further as the shape has it, cudaSurfaceBoundaryMode.
// A layer, or a face of a cube, is z.
enum SurfaceShape { Surface1D, Surface2D, Surface3D, Surface1DLayered, Surface2DLayered };
struct SurfacePlace {
  int shape, x, y, z, boundary;
};
// loadSurface() leaves the value where the boundary mode says that nothing is read.
HOSTWARP_DEVICE void loadSurface(cudaSurfaceObject_t object, const SurfacePlace &place, unsigned bytes, void *value) {
  if (const void *address = hw_surface_address(object, place.x, place.y, place.z, bytes, place.boundary))
    memcpy(value, address, bytes);
}
HOSTWARP_DEVICE void storeSurface(cudaSurfaceObject_t object, const SurfacePlace &place, unsigned bytes,
                                  const void *value) {
  if (void *address = hw_surface_address(object, place.x, place.y, place.z, bytes, place.boundary))
    memcpy(address, value, bytes);
}

// --- The functions' templates ---

template <class T>
HOSTWARP_DEVICE T sampleOfLayer(cudaTextureObject_t object, int shape, float x, float y, float z, int layer,
                                float lod) {
  const hw_texture_point point = {shape, layer, x, y, z, lod};
  hw_texel texel;
  sampleLayer(object, point, texel);
  return Unpack<T>::from(texel);
}

HOSTWARP_DEVICE Derivatives derivatives(float xdx, float ydx, float zdx, float xdy, float ydy, float zdy) {
  const Derivatives result = {{xdx, ydx, zdx}, {xdy, ydy, zdy}};
  return result;
}
template <class T>
HOSTWARP_DEVICE T sampleByGradient(cudaTextureObject_t object, int shape, float x, float y, float z,
                                   const Derivatives &d) {
  const hw_texture_point point = {shape, 0, x, y, z, 0};
  hw_texel texel;
  sampleGradient(object, point, d, texel);
  return Unpack<T>::from(texel);
}
template <class T>
HOSTWARP_DEVICE T sampleLayerByGradient(cudaTextureObject_t object, int shape, float x, float y, float z, int layer,
                                        const Derivatives &d) {
  const hw_texture_point point = {shape, layer, x, y, z, 0};
  hw_texel texel;
  sampleLayerGradient(object, point, d, texel);
  return Unpack<T>::from(texel);
}

}  // namespace texture_detail
}  // namespace hostwarp

// Each function exists in two forms: returning T, and storing it through a pointer.
#define HOSTWARP_ARGS(...) __VA_ARGS__
#define HOSTWARP_TEXTURE_FORMS(name, parameters, arguments, expression)                        \
  template <class T>                                                                           \
  HOSTWARP_DEVICE T name(cudaTextureObject_t object, HOSTWARP_ARGS parameters) {               \
    return hostwarp::texture_detail::expression;                                               \
  }                                                                                            \
  template <class T>                                                                           \
  HOSTWARP_DEVICE void name(T *result, cudaTextureObject_t object, HOSTWARP_ARGS parameters) { \
    *result = name<T>(object, HOSTWARP_ARGS arguments);                                        \
  }
HOSTWARP_TEXTURE_FORMS(tex1D, (float x), (x), sample<T>(object, HW_TEXTURE_1D, x, 0, 0, 0))
HOSTWARP_TEXTURE_FORMS(tex2D, (float x, float y), (x, y), sample<T>(object, HW_TEXTURE_2D, x, y, 0, 0))
HOSTWARP_TEXTURE_FORMS(tex3D, (float x, float y, float z), (x, y, z), sample<T>(object, HW_TEXTURE_3D, x, y, z, 0))
HOSTWARP_TEXTURE_FORMS(texCubemap, (float x, float y, float z), (x, y, z),
                       sample<T>(object, HW_TEXTURE_CUBE, x, y, z, 0))
HOSTWARP_TEXTURE_FORMS(tex1DLod, (float x, float lod), (x, lod), sample<T>(object, HW_TEXTURE_1D, x, 0, 0, lod))
HOSTWARP_TEXTURE_FORMS(tex2DLod, (float x, float y, float lod), (x, y, lod),
                       sample<T>(object, HW_TEXTURE_2D, x, y, 0, lod))
HOSTWARP_TEXTURE_FORMS(tex3DLod, (float x, float y, float z, float lod), (x, y, z, lod),
                       sample<T>(object, HW_TEXTURE_3D, x, y, z, lod))
HOSTWARP_TEXTURE_FORMS(texCubemapLod, (float x, float y, float z, float lod), (x, y, z, lod),
                       sample<T>(object, HW_TEXTURE_CUBE, x, y, z, lod))
HOSTWARP_TEXTURE_FORMS(tex1DLayered, (float x, int layer), (x, layer),
                       sampleOfLayer<T>(object, HW_TEXTURE_1D, x, 0, 0, layer, 0))
HOSTWARP_TEXTURE_FORMS(tex2DLayered, (float x, float y, int layer), (x, y, layer),
                       sampleOfLayer<T>(object, HW_TEXTURE_2D, x, y, 0, layer, 0))
HOSTWARP_TEXTURE_FORMS(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
                       sampleOfLayer<T>(object, HW_TEXTURE_CUBE, x, y, z, layer, 0))
HOSTWARP_TEXTURE_FORMS(tex1DLayeredLod, (float x, int layer, float lod), (x, layer, lod),
                       sampleOfLayer<T>(object, HW_TEXTURE_1D, x, 0, 0, layer, lod))
HOSTWARP_TEXTURE_FORMS(tex2DLayeredLod, (float x, float y, int layer, float lod), (x, y, layer, lod),
                       sampleOfLayer<T>(object, HW_TEXTURE_2D, x, y, 0, layer, lod))
HOSTWARP_TEXTURE_FORMS(texCubemapLayeredLod, (float x, float y, float z, int layer, float lod), (x, y, z, layer, lod),
                       sampleOfLayer<T>(object, HW_TEXTURE_CUBE, x, y, z, layer, lod))
HOSTWARP_TEXTURE_FORMS(tex1DGrad, (float x, float dx, float dy), (x, dx, dy),
                       sampleByGradient<T>(object, HW_TEXTURE_1D, x, 0, 0,
                                           hostwarp::texture_detail::derivatives(dx, 0, 0, dy, 0, 0)))
HOSTWARP_TEXTURE_FORMS(tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
                       sampleByGradient<T>(object, HW_TEXTURE_2D, x, y, 0,
                                           hostwarp::texture_detail::derivatives(dx.x, dx.y, 0, dy.x, dy.y, 0)))
HOSTWARP_TEXTURE_FORMS(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                       sampleByGradient<T>(object, HW_TEXTURE_3D, x, y, z,
                                           hostwarp::texture_detail::derivatives(dx.x, dx.y, dx.z, dy.x, dy.y, dy.z)))
HOSTWARP_TEXTURE_FORMS(texCubemapGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                       sampleByGradient<T>(object, HW_TEXTURE_CUBE, x, y, z,
                                           hostwarp::texture_detail::derivatives(dx.x, dx.y, dx.z, dy.x, dy.y, dy.z)))
HOSTWARP_TEXTURE_FORMS(tex1DLayeredGrad, (float x, int layer, float dx, float dy), (x, layer, dx, dy),
                       sampleLayerByGradient<T>(object, HW_TEXTURE_1D, x, 0, 0, layer,
                                                hostwarp::texture_detail::derivatives(dx, 0, 0, dy, 0, 0)))
HOSTWARP_TEXTURE_FORMS(tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
                       sampleLayerByGradient<T>(object, HW_TEXTURE_2D, x, y, 0, layer,
                                                hostwarp::texture_detail::derivatives(dx.x, dx.y, 0, dy.x, dy.y, 0)))
HOSTWARP_TEXTURE_FORMS(texCubemapLayeredGrad, (float x, float y, float z, int layer, float4 dx, float4 dy),
                       (x, y, z, layer, dx, dy),
                       sampleLayerByGradient<T>(object, HW_TEXTURE_CUBE, x, y, z, layer,
                                                hostwarp::texture_detail::derivatives(dx.x, dx.y, dx.z, dy.x, dy.y,
                                                                                      dy.z)))
#undef HOSTWARP_TEXTURE_FORMS
#undef HOSTWARP_ARGS

// tex1Dfetch() reads element `index` of linear memory without filtering; outside of it the result is 0.
template <class T>
HOSTWARP_DEVICE T tex1Dfetch(cudaTextureObject_t object, int index) {
  return hostwarp::texture_detail::fetch<T>(object, index);
}
template <class T>
HOSTWARP_DEVICE void tex1Dfetch(T *result, cudaTextureObject_t object, int index) {
  *result = tex1Dfetch<T>(object, index);
}
// tex2Dgather() returns one channel of the four texels that bilinear filtering would mix.
template <class T>
HOSTWARP_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  hw_texel texel;
  hw_texture_gather(object, x, y, static_cast<unsigned>(component), &texel);
  return hostwarp::texture_detail::Unpack<T>::from(texel);
}

namespace hostwarp {
namespace texture_detail {
template <class T>
HOSTWARP_DEVICE T readSurface(cudaSurfaceObject_t object, SurfaceShape shape, int x, int y, int z,
                              cudaSurfaceBoundaryMode mode) {
  const SurfacePlace place = {shape, x, y, z, mode};
  T value{};
  loadSurface(object, place, sizeof(T), &value);
  return value;
}
template <class T>
HOSTWARP_DEVICE void writeSurface(T value, cudaSurfaceObject_t object, SurfaceShape shape, int x, int y, int z,
                                  cudaSurfaceBoundaryMode mode) {
  const SurfacePlace place = {shape, x, y, z, mode};
  storeSurface(object, place, sizeof(T), &value);
}
}  // namespace texture_detail
}  // namespace hostwarp

// Surface functions take x in bytes. `y` and `z` are what the shape has: row, slice, layer, or layer * 6 + face.
#define HOSTWARP_ARGS(...) __VA_ARGS__
#define HOSTWARP_SURFACE(suffix, parameters, arguments, shape, y, z)                                             \
  template <class T>                                                                                             \
  HOSTWARP_DEVICE T surf##suffix##read(cudaSurfaceObject_t object, int x HOSTWARP_ARGS parameters,               \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    return hostwarp::texture_detail::readSurface<T>(object, hostwarp::texture_detail::shape, x, y, z, mode);     \
  }                                                                                                              \
  template <class T>                                                                                             \
  HOSTWARP_DEVICE void surf##suffix##read(T *result, cudaSurfaceObject_t object, int x HOSTWARP_ARGS parameters, \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                 \
    *result = hostwarp::texture_detail::readSurface<T>(object, hostwarp::texture_detail::shape, x, y, z, mode);  \
  }                                                                                                              \
  template <class T>                                                                                             \
  HOSTWARP_DEVICE void surf##suffix##write(T value, cudaSurfaceObject_t object, int x HOSTWARP_ARGS parameters,  \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    hostwarp::texture_detail::writeSurface(value, object, hostwarp::texture_detail::shape, x, y, z, mode);       \
  }
HOSTWARP_SURFACE(1D, (), (), Surface1D, 0, 0)
HOSTWARP_SURFACE(2D, (, int row), (, row), Surface2D, row, 0)
HOSTWARP_SURFACE(3D, (, int row, int slice), (, row, slice), Surface3D, row, slice)
HOSTWARP_SURFACE(1DLayered, (, int layer), (, layer), Surface1DLayered, 0, layer)
HOSTWARP_SURFACE(2DLayered, (, int row, int layer), (, row, layer), Surface2DLayered, row, layer)
HOSTWARP_SURFACE(Cubemap, (, int row, int face), (, row, face), Surface2DLayered, row, face)
HOSTWARP_SURFACE(CubemapLayered, (, int row, int layerFace), (, row, layerFace), Surface2DLayered, row, layerFace)
#undef HOSTWARP_SURFACE
#undef HOSTWARP_ARGS

#endif  // HOSTWARP_TEXTURE_FUNCTIONS_H
