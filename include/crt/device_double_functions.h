// One of CUDA's names for the device functions, all of which <cuda_runtime.h> brings.
#ifndef HOSTWARP_CRT_DEVICE_DOUBLE_FUNCTIONS_H
#define HOSTWARP_CRT_DEVICE_DOUBLE_FUNCTIONS_H
#include "../host_defines.h"
#include "../hostwarp/device.h"
#endif  // HOSTWARP_CRT_DEVICE_DOUBLE_FUNCTIONS_H
