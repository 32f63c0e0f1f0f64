// Surface objects [CUDA 5.5 surface functions].
#ifndef HOSTWARP_SURFACE_TYPES_H
#define HOSTWARP_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__

#include "driver_types.h"

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

typedef unsigned long long cudaSurfaceObject_t;

// surfaceReference is the untyped part of a surface<> reference, which CUDA 12 dropped.
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

#endif  // HOSTWARP_SURFACE_TYPES_H
