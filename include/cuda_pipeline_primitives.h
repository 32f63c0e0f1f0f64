// Asynchronous copies of 4, 8 or 16 bytes to shared memory, as functions [CUDA 5.6 pipeline primitives]. A copy is done
// when __pipeline_memcpy_async() returns, which leaves nothing to commit or to wait for.
#ifndef HOSTWARP_CUDA_PIPELINE_PRIMITIVES_H
#define HOSTWARP_CUDA_PIPELINE_PRIMITIVES_H

#include <string.h>

#include "cuda_awbarrier_primitives.h"

#if HOSTWARP_CUDA_MODE

// The last `zfill` bytes become zeros and are not read.
HOSTWARP_DEVICE void __pipeline_memcpy_async(void *__restrict__ dst_shared, const void *__restrict__ src_global,
                                             size_t size_and_align, size_t zfill = 0) {
  const bool sized = size_and_align == 4 || size_and_align == 8 || size_and_align == 16;
  if (!sized || zfill > size_and_align) hw_trap();
  memcpy(dst_shared, src_global, size_and_align - zfill);
  memset(static_cast<char *>(dst_shared) + size_and_align - zfill, 0, zfill);
}
HOSTWARP_DEVICE void __pipeline_commit() {}
HOSTWARP_DEVICE void __pipeline_wait_prior(size_t) {}
// The barrier, which has counted this arrival among those that it expects, learns of the copies before it.
HOSTWARP_DEVICE void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(hostwarp::detail::mbarrierAddress(barrier))
               : "memory");
}

#endif  // HOSTWARP_CUDA_MODE

#endif  // HOSTWARP_CUDA_PIPELINE_PRIMITIVES_H
