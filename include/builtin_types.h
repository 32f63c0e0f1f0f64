// All types of the runtime API under one name.
#ifndef HOSTWARP_BUILTIN_TYPES_H
#define HOSTWARP_BUILTIN_TYPES_H
#define __BUILTIN_TYPES_H__

#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif  // HOSTWARP_BUILTIN_TYPES_H
