// Asynchronous copies of 4, 8 or 16 bytes to shared memory, as functions [CUDA 5.6 pipeline primitives]. A copy is done
// when __pipeline_memcpy_async() returns, which leaves nothing to commit or to wait for; where checks follow such
// copies (hw_check_async_mode()) these are the instructions.
#ifndef HOSTWARP_CUDA_PIPELINE_PRIMITIVES_H
#define HOSTWARP_CUDA_PIPELINE_PRIMITIVES_H

#include <string.h>

#include "cuda_awbarrier_primitives.h"
#include "hostwarp/check_abi.h"

#if HOSTWARP_CUDA_MODE

namespace hostwarp {
namespace detail {
template <unsigned Size>
HOSTWARP_DEVICE void copyAsync(void *shared, const void *global, unsigned bytes) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
      "l"(global), "n"(Size), "r"(bytes)
      : "memory");
}
}  // namespace detail
}  // namespace hostwarp

// The last `zfill` bytes become zeros and are not read.
HOSTWARP_DEVICE void __pipeline_memcpy_async(void *__restrict__ dst_shared, const void *__restrict__ src_global,
                                             size_t size_and_align, size_t zfill = 0) {
  const bool sized = size_and_align == 4 || size_and_align == 8 || size_and_align == 16;
  if (!sized || zfill > size_and_align) hw_trap();
  if (hw_check_async_mode() == 0) {
    memcpy(dst_shared, src_global, size_and_align - zfill);
    memset(static_cast<char *>(dst_shared) + size_and_align - zfill, 0, zfill);
    return;
  }
  const unsigned bytes = static_cast<unsigned>(size_and_align - zfill);
  if (size_and_align == 16) return hostwarp::detail::copyAsync<16>(dst_shared, src_global, bytes);
  if (size_and_align == 8) return hostwarp::detail::copyAsync<8>(dst_shared, src_global, bytes);
  hostwarp::detail::copyAsync<4>(dst_shared, src_global, bytes);
}
HOSTWARP_DEVICE void __pipeline_commit() {
  if (hw_check_async_mode() != 0) asm volatile("cp.async.commit_group;" ::: "memory");
}
HOSTWARP_DEVICE void __pipeline_wait_prior(size_t count) {
  if (hw_check_async_mode() == 0) return;
  asm volatile("cp.async.wait_group %0;" ::"r"(static_cast<unsigned>(count)) : "memory");
}
// The barrier, which has counted this arrival among those that it expects, learns of the copies before it.
HOSTWARP_DEVICE void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(hostwarp::detail::mbarrierAddress(barrier))
               : "memory");
}

#endif  // HOSTWARP_CUDA_MODE

#endif  // HOSTWARP_CUDA_PIPELINE_PRIMITIVES_H
