// libdevice for programs that make NVVM IR: each of its functions is what device code calls by CUDA's name, and PTX
// that calls mathematical functions leaves them to hwcc-device, which knows them for vectors, too.
#include <cuda_fp16.h>

#define FUNCTION(result, name, parameters, value) \
  extern "C" __device__ result __nv_##name parameters { return value; }
#include "compiler/nvvm/libdevice.def"
