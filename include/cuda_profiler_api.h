// cudaProfilerStart() and cudaProfilerStop() are part of the runtime API here.
#ifndef HOSTWARP_CUDA_PROFILER_API_H
#define HOSTWARP_CUDA_PROFILER_API_H
#define __CUDA_PROFILER_API_H__
#include "cuda_runtime_api.h"
#endif  // HOSTWARP_CUDA_PROFILER_API_H
