// The profiler control of the driver API.
#ifndef HOSTWARP_CUDA_PROFILER_H
#define HOSTWARP_CUDA_PROFILER_H
#include "cuda.h"
#if defined(__cplusplus)
extern "C" {
#endif

// CUoutput_mode is the form of a profile's file, of CUDA before 11.
typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

// cuProfilerInitialize() is there for old sources. Returns CUDA_ERROR_NOT_SUPPORTED.
CUresult cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#if defined(__cplusplus)
}
#endif
#endif  // HOSTWARP_CUDA_PROFILER_H
