// Barriers in shared memory that count arrivals, as functions [CUDA 5.6 asynchronous barriers, primitives].
#ifndef HOSTWARP_CUDA_AWBARRIER_PRIMITIVES_H
#define HOSTWARP_CUDA_AWBARRIER_PRIMITIVES_H

#include <stdint.h>

#include "cuda_runtime.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#if HOSTWARP_CUDA_MODE

namespace hostwarp {
namespace detail {
HOSTWARP_DEVICE unsigned mbarrierAddress(const __mbarrier_t *barrier) {
  return static_cast<unsigned>(__cvta_generic_to_shared(barrier));
}
}  // namespace detail
}  // namespace hostwarp

HOSTWARP_HOST_DEVICE uint32_t __mbarrier_maximum_count() { return (1u << 14) - 1; }
HOSTWARP_DEVICE void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected_count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(hostwarp::detail::mbarrierAddress(barrier)),
               "r"(expected_count)
               : "memory");
}
HOSTWARP_DEVICE void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(hostwarp::detail::mbarrierAddress(barrier)) : "memory");
}
HOSTWARP_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(hostwarp::detail::mbarrierAddress(barrier))
               : "memory");
  return token;
}
HOSTWARP_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(hostwarp::detail::mbarrierAddress(barrier))
               : "memory");
  return token;
}
HOSTWARP_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

// The waits tell whether the phase of the token, or of that parity, is over; the try_ forms may sleep before they do.
#define HOSTWARP_MBARRIER_WAIT(name, instruction, Phase, constraint)                                        \
  HOSTWARP_DEVICE bool name(__mbarrier_t *barrier, Phase phase) {                                           \
    uint32_t done;                                                                                          \
    asm volatile("{ .reg .pred p; mbarrier." instruction ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" \
                 : "=r"(done)                                                                               \
                 : "r"(hostwarp::detail::mbarrierAddress(barrier)), constraint(phase)                       \
                 : "memory");                                                                               \
    return done != 0;                                                                                       \
  }
HOSTWARP_MBARRIER_WAIT(__mbarrier_test_wait, "test_wait", __mbarrier_token_t, "l")
HOSTWARP_MBARRIER_WAIT(__mbarrier_test_wait_parity, "test_wait.parity", unsigned, "r")
namespace hostwarp {
namespace detail {
HOSTWARP_MBARRIER_WAIT(mbarrierTryWait, "try_wait", __mbarrier_token_t, "l")
HOSTWARP_MBARRIER_WAIT(mbarrierTryWaitParity, "try_wait.parity", unsigned, "r")
}  // namespace detail
}  // namespace hostwarp
#undef HOSTWARP_MBARRIER_WAIT
HOSTWARP_DEVICE bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t) {
  return hostwarp::detail::mbarrierTryWait(barrier, token);
}
HOSTWARP_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool phase_parity, uint32_t) {
  return hostwarp::detail::mbarrierTryWaitParity(barrier, phase_parity);
}

#endif  // HOSTWARP_CUDA_MODE

#endif  // HOSTWARP_CUDA_AWBARRIER_PRIMITIVES_H
