// threadIdx and its kin for plain C++ kernels: copies of the running CUDA thread's, one set per OS thread.
#include <cstdint>

#include "emu_runtime/abi/exports.h"
#include "include/hostwarp/device_abi.h"

#define HOSTWARP_PLAIN_VARIABLE(name) \
  HOSTWARP_ABI __thread hw_dim3 name; \
  __thread hw_dim3 name

HOSTWARP_PLAIN_VARIABLE(hw_plain_thread_idx);
HOSTWARP_PLAIN_VARIABLE(hw_plain_block_idx);
HOSTWARP_PLAIN_VARIABLE(hw_plain_block_dim);
HOSTWARP_PLAIN_VARIABLE(hw_plain_grid_dim);

HOSTWARP_ABI void hw_plain_refresh(void) noexcept {
  const hw_thread *self = hw_self();
  hw_plain_thread_idx = self->threadIdx;
  hw_plain_block_idx = self->blockIdx;
  hw_plain_block_dim = self->blockDim;
  hw_plain_grid_dim = self->gridDim;
}
