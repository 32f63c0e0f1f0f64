// The runtime API's types. Each group has its own header; this is the name by which programs include them all.
#ifndef HOSTWARP_DRIVER_TYPES_H
#define HOSTWARP_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__

#include <limits.h>
#include <stddef.h>

#include "host_defines.h"
#include "hostwarp/runtime/device_types.h"
#include "hostwarp/runtime/errors.h"
#include "hostwarp/runtime/execution_context_types.h"
#include "hostwarp/runtime/graph_types.h"
#include "hostwarp/runtime/interop_types.h"
#include "hostwarp/runtime/launch_types.h"
#include "hostwarp/runtime/memory_types.h"
#include "hostwarp/runtime/resource_types.h"
#include "vector_types.h"

#endif  // HOSTWARP_DRIVER_TYPES_H
