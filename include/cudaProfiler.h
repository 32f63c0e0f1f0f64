// The profiler control of the driver API.
#ifndef HOSTWARP_CUDA_PROFILER_H
#define HOSTWARP_CUDA_PROFILER_H
#include "cuda.h"
#if defined(__cplusplus)
extern "C" {
#endif
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#if defined(__cplusplus)
}
#endif
#endif  // HOSTWARP_CUDA_PROFILER_H
