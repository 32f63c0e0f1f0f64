// The OpenCL form of a group: BENCH_CASES is its host side, BENCH_KERNELS its kernels.
#include "opencl.h"

#include BENCH_CASES
