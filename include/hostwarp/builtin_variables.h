// threadIdx, blockIdx, blockDim, gridDim and warpSize [CUDA 5.4.9 built-in variables].
#ifndef HOSTWARP_BUILTIN_VARIABLES_H
#define HOSTWARP_BUILTIN_VARIABLES_H

#include "../vector_types.h"
#include "device_abi.h"
#include "device_qualifiers.h"

#if HOSTWARP_CUDA_MODE

// hwcc-device makes reads of special registers of what device code does with them. On the host nobody defines them.
extern const __attribute__((device)) uint3 threadIdx, blockIdx;
extern const __attribute__((device)) dim3 blockDim, gridDim;

// Constant in host code as well: programs size host arrays with it.
constexpr int warpSize = 32;

#else

// In plain C++ the variables are copies that belong to the OS thread; plainRefresh() (plain_cpp.h) sets them whenever
// another CUDA thread may have run. Real variables rather than macros, so that a host function may have a local
// `dim3 blockDim`.
extern __thread const uint3 threadIdx __asm__("hw_plain_thread_idx");
extern __thread const uint3 blockIdx __asm__("hw_plain_block_idx");
extern __thread const dim3 blockDim __asm__("hw_plain_block_dim");
extern __thread const dim3 gridDim __asm__("hw_plain_grid_dim");
constexpr int warpSize = 32;

// hw_plain_refresh() makes the variables above those of the running CUDA thread. pre: called inside a kernel.
extern "C" void hw_plain_refresh(void) HW_NOEXCEPT;

#endif

// hw_lane_id() is the calling thread's lane [PTX %laneid], hw_warp_id() its warp's number in the block, and
// hw_linear_thread() its own, x + y*Dx + z*Dx*Dy.
#if HOSTWARP_CUDA_MODE
// The compiler knows these by name (thread_fields.h there): nothing defines them.
HW_DEVICE_API unsigned hw_read_linear_thread(void) HW_NOEXCEPT;
HW_DEVICE_API unsigned hw_read_warpid(void) HW_NOEXCEPT;
HOSTWARP_DEVICE unsigned hw_lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
HOSTWARP_DEVICE unsigned hw_warp_id() { return hw_read_warpid(); }
HOSTWARP_DEVICE unsigned hw_linear_thread() { return hw_read_linear_thread(); }
#else
HOSTWARP_DEVICE unsigned hw_lane_id() { return hw_self()->laneId; }
HOSTWARP_DEVICE unsigned hw_warp_id() { return hw_self()->warpId; }
HOSTWARP_DEVICE unsigned hw_linear_thread() { return hw_self()->linearThread; }
#endif

#endif  // HOSTWARP_BUILTIN_VARIABLES_H
