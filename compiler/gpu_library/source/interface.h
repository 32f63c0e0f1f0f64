// What the files of this folder have in common. They are CUDA device code without any header of CUDA's: clang's
// builtins and inline PTX.
#ifndef HOSTWARP_COMPILER_GPU_LIBRARY_INTERFACE_H
#define HOSTWARP_COMPILER_GPU_LIBRARY_INTERFACE_H

#include "include/hostwarp/device_abi.h"

#define GPU_FUNCTION extern "C" __attribute__((device))
#define GPU_INLINE static inline __attribute__((device, always_inline))

// hw_gpu_architecture is 90 for sm_90. hwcc-device makes it a constant, so that what other architectures need goes.
extern "C" __attribute__((device)) const unsigned hw_gpu_architecture;

GPU_INLINE unsigned low(uint64_t value) { return static_cast<unsigned>(value); }
GPU_INLINE unsigned high(uint64_t value) { return static_cast<unsigned>(value >> 32); }
GPU_INLINE uint64_t join(unsigned low, unsigned high) { return static_cast<uint64_t>(high) << 32 | low; }

#endif  // HOSTWARP_COMPILER_GPU_LIBRARY_INTERFACE_H
