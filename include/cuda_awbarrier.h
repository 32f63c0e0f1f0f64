// nvcuda::experimental::awbarrier, the class that came before cuda::barrier.
#ifndef HOSTWARP_CUDA_AWBARRIER_H
#define HOSTWARP_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

#if HOSTWARP_CUDA_MODE

namespace nvcuda {
namespace experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    HOSTWARP_DEVICE uint32_t pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    friend class awbarrier;
    explicit HOSTWARP_DEVICE arrival_token(__mbarrier_token_t token) : token_(token) {}
    __mbarrier_token_t token_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  HOSTWARP_DEVICE arrival_token arrive() { return arrival_token(__mbarrier_arrive(&barrier_)); }
  HOSTWARP_DEVICE arrival_token arrive_and_drop() { return arrival_token(__mbarrier_arrive_and_drop(&barrier_)); }
  HOSTWARP_DEVICE bool try_wait(arrival_token token, uint32_t maxSleepNanosec) {
    return __mbarrier_try_wait(&barrier_, token.token_, maxSleepNanosec);
  }
  HOSTWARP_DEVICE bool try_wait_parity(bool phase, uint32_t maxSleepNanosec) {
    return __mbarrier_try_wait_parity(&barrier_, phase, maxSleepNanosec);
  }
  HOSTWARP_DEVICE bool timed_wait(arrival_token token, uint32_t cycles) { return try_wait(token, cycles); }
  HOSTWARP_DEVICE bool timed_wait_parity(bool phase, uint32_t cycles) { return try_wait_parity(phase, cycles); }
  HOSTWARP_DEVICE void wait(arrival_token token) {
    while (!try_wait(token, ~0u)) {
    }
  }
  HOSTWARP_DEVICE void arrive_and_wait() { wait(arrive()); }

  friend HOSTWARP_DEVICE void init(awbarrier *barrier, uint32_t expected_count) {
    __mbarrier_init(&barrier->barrier_, expected_count);
  }
  friend HOSTWARP_DEVICE void inval(awbarrier *barrier) { __mbarrier_inval(&barrier->barrier_); }

 private:
  friend class pipeline;
  __mbarrier_t barrier_;
};

}  // namespace experimental
}  // namespace nvcuda

#endif  // HOSTWARP_CUDA_MODE

#endif  // HOSTWARP_CUDA_AWBARRIER_H
