// threadIdx, blockIdx, blockDim, gridDim and warpSize [CUDA 5.4.9 built-in variables].
#ifndef HOSTWARP_BUILTIN_VARIABLES_H
#define HOSTWARP_BUILTIN_VARIABLES_H

#include "../vector_types.h"
#include "device_abi.h"
#include "device_qualifiers.h"

#if HOSTWARP_CUDA_MODE

// A built-in variable has no storage: reading a member reads a special register. Copying one (`auto t = threadIdx`)
// copies nothing and reads the same registers, which a thread cannot tell from a copy.
#define HOSTWARP_REGISTER(member, builtin)                         \
  __declspec(property(get = hw_get_##member)) unsigned int member; \
  static inline __attribute__((device, always_inline, nodebug)) unsigned int hw_get_##member() { return builtin(); }
#define HOSTWARP_BUILTIN_VARIABLE(name, type, builtin)                       \
  struct hw_##name##_t {                                                     \
    HOSTWARP_REGISTER(x, builtin##_x)                                        \
    HOSTWARP_REGISTER(y, builtin##_y)                                        \
    HOSTWARP_REGISTER(z, builtin##_z)                                        \
    __attribute__((device, always_inline, nodebug)) operator uint3() const { \
      return uint3{hw_get_x(), hw_get_y(), hw_get_z()};                      \
    }                                                                        \
    __attribute__((device, always_inline, nodebug)) operator dim3() const {  \
      return dim3(hw_get_x(), hw_get_y(), hw_get_z());                       \
    }                                                                        \
  };                                                                         \
  extern const __attribute__((device)) __attribute__((weak)) hw_##name##_t name;

HOSTWARP_BUILTIN_VARIABLE(threadIdx, uint3, __nvvm_read_ptx_sreg_tid)
HOSTWARP_BUILTIN_VARIABLE(blockIdx, uint3, __nvvm_read_ptx_sreg_ctaid)
HOSTWARP_BUILTIN_VARIABLE(blockDim, dim3, __nvvm_read_ptx_sreg_ntid)
HOSTWARP_BUILTIN_VARIABLE(gridDim, dim3, __nvvm_read_ptx_sreg_nctaid)
#undef HOSTWARP_BUILTIN_VARIABLE
#undef HOSTWARP_REGISTER

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
