// The driver API as programs see it, with the names of older forms that the library has too.
#ifndef HOSTWARP_EMU_RUNTIME_DRIVER_DECLARATIONS_H
#define HOSTWARP_EMU_RUNTIME_DRIVER_DECLARATIONS_H

#include <cuda.h>
#include <cudaProfiler.h>

// cuda.h makes these names stand for today's forms.
#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuEventElapsedTime
#undef cuGetProcAddress
#undef cuMemAdvise
#undef cuMemcpy3DBatchAsync
#undef cuMemcpyBatchAsync
#undef cuMemPrefetchAsync

#endif  // HOSTWARP_EMU_RUNTIME_DRIVER_DECLARATIONS_H
