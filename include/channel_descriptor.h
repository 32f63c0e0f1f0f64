// cudaCreateChannelDesc<T>(): the channel format of a texel type or of a named format [CUDA 3.1 texture memory].
#ifndef HOSTWARP_CHANNEL_DESCRIPTOR_H
#define HOSTWARP_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#if defined(__cplusplus)

// HostwarpTexel describes a type's channels: how many, how wide, of which kind. Types that are no texels have none.
template <class T>
struct HostwarpTexel {
  enum { bits = 0, channels = 0, kind = cudaChannelFormatKindNone };
};

#define HOSTWARP_TEXEL(type, width, count, kindName)                                 \
  template <>                                                                        \
  struct HostwarpTexel<type> {                                                       \
    enum { bits = width, channels = count, kind = cudaChannelFormatKind##kindName }; \
  };
#define HOSTWARP_TEXELS(family, element, width, kindName) \
  HOSTWARP_TEXEL(element, width, 1, kindName)             \
  HOSTWARP_TEXEL(family##1, width, 1, kindName)           \
  HOSTWARP_TEXEL(family##2, width, 2, kindName)           \
  HOSTWARP_TEXEL(family##4, width, 4, kindName)

HOSTWARP_TEXEL(char, 8, 1, Signed)
HOSTWARP_TEXELS(char, signed char, 8, Signed)
HOSTWARP_TEXELS(uchar, unsigned char, 8, Unsigned)
HOSTWARP_TEXELS(short, short, 16, Signed)
HOSTWARP_TEXELS(ushort, unsigned short, 16, Unsigned)
HOSTWARP_TEXELS(int, int, 32, Signed)
HOSTWARP_TEXELS(uint, unsigned int, 32, Unsigned)
HOSTWARP_TEXELS(float, float, 32, Float)

#undef HOSTWARP_TEXELS
#undef HOSTWARP_TEXEL

static __inline__ __host__ cudaChannelFormatDesc hostwarpChannels(int bits, int channels, cudaChannelFormatKind kind) {
  cudaChannelFormatDesc desc;
  desc.x = channels > 0 ? bits : 0;
  desc.y = channels > 1 ? bits : 0;
  desc.z = channels > 2 ? bits : 0;
  desc.w = channels > 3 ? bits : 0;
  desc.f = kind;
  return desc;
}

template <class T>
__inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef HostwarpTexel<T> Texel;
  return hostwarpChannels(Texel::bits, Texel::channels, (cudaChannelFormatKind)Texel::kind);
}

static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return hostwarpChannels(16, 1, cudaChannelFormatKindFloat);
}
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return hostwarpChannels(16, 2, cudaChannelFormatKindFloat);
}
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return hostwarpChannels(16, 4, cudaChannelFormatKindFloat);
}
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescNV12() {
  return cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindNV12);
}

// Formats that are named instead of following from a type.
template <cudaChannelFormatKind kind>
__inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc();

#define HOSTWARP_FORMAT(kindName, x, y, z, w)                                                          \
  template <>                                                                                          \
  __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc<cudaChannelFormatKind##kindName>() { \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kindName);                         \
  }
HOSTWARP_FORMAT(SignedNormalized8X1, 8, 0, 0, 0)
HOSTWARP_FORMAT(SignedNormalized8X2, 8, 8, 0, 0)
HOSTWARP_FORMAT(SignedNormalized8X4, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedNormalized8X1, 8, 0, 0, 0)
HOSTWARP_FORMAT(UnsignedNormalized8X2, 8, 8, 0, 0)
HOSTWARP_FORMAT(UnsignedNormalized8X4, 8, 8, 8, 8)
HOSTWARP_FORMAT(SignedNormalized16X1, 16, 0, 0, 0)
HOSTWARP_FORMAT(SignedNormalized16X2, 16, 16, 0, 0)
HOSTWARP_FORMAT(SignedNormalized16X4, 16, 16, 16, 16)
HOSTWARP_FORMAT(UnsignedNormalized16X1, 16, 0, 0, 0)
HOSTWARP_FORMAT(UnsignedNormalized16X2, 16, 16, 0, 0)
HOSTWARP_FORMAT(UnsignedNormalized16X4, 16, 16, 16, 16)
HOSTWARP_FORMAT(UnsignedNormalized1010102, 10, 10, 10, 2)
HOSTWARP_FORMAT(NV12, 8, 8, 8, 0)
HOSTWARP_FORMAT(UnsignedBlockCompressed1, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedBlockCompressed1SRGB, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedBlockCompressed2, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedBlockCompressed2SRGB, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedBlockCompressed3, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedBlockCompressed3SRGB, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedBlockCompressed4, 8, 0, 0, 0)
HOSTWARP_FORMAT(SignedBlockCompressed4, 8, 0, 0, 0)
HOSTWARP_FORMAT(UnsignedBlockCompressed5, 8, 8, 0, 0)
HOSTWARP_FORMAT(SignedBlockCompressed5, 8, 8, 0, 0)
HOSTWARP_FORMAT(UnsignedBlockCompressed6H, 16, 16, 16, 0)
HOSTWARP_FORMAT(SignedBlockCompressed6H, 16, 16, 16, 0)
HOSTWARP_FORMAT(UnsignedBlockCompressed7, 8, 8, 8, 8)
HOSTWARP_FORMAT(UnsignedBlockCompressed7SRGB, 8, 8, 8, 8)
#undef HOSTWARP_FORMAT

#endif

#endif  // HOSTWARP_CHANNEL_DESCRIPTOR_H
