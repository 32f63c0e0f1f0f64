// nvcuda::experimental::pipeline, the class that came before cuda::pipeline: batches of asynchronous copies.
#ifndef HOSTWARP_CUDA_PIPELINE_H
#define HOSTWARP_CUDA_PIPELINE_H

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if HOSTWARP_CUDA_MODE

namespace nvcuda {
namespace experimental {

class pipeline {
 public:
  HOSTWARP_DEVICE pipeline() : batch_(0) {}
  pipeline(const pipeline &) = delete;
  pipeline(pipeline &&) = delete;
  pipeline &operator=(const pipeline &) = delete;
  pipeline &operator=(pipeline &&) = delete;

  // commit() ends a batch and gives its number.
  HOSTWARP_DEVICE size_t commit() {
    __pipeline_commit();
    return batch_++;
  }
  HOSTWARP_DEVICE void commit_and_wait() { wait(commit()); }
  HOSTWARP_DEVICE void wait(size_t batch) { __pipeline_wait_prior(batch_ - batch - 1); }
  template <unsigned count>
  HOSTWARP_DEVICE void wait_prior() {
    __pipeline_wait_prior(count);
  }
  HOSTWARP_DEVICE void arrive_on(awbarrier &barrier) { __pipeline_arrive_on(&barrier.barrier_); }

 private:
  size_t batch_;
};

// memcpy_async() copies one object, and the elements that `segment` points at; at once, if it has not the alignment of
// a piece.
template <class T>
HOSTWARP_DEVICE void memcpy_async(T &destination, const T &source, pipeline &) {
  constexpr size_t piece = alignof(T) < 16 ? alignof(T) : 16;
  if (piece < 4 || hw_check_async_mode() == 0) {
    memcpy(&destination, &source, sizeof(T));
    return;
  }
  for (size_t at = 0; at < sizeof(T); at += piece)
    __pipeline_memcpy_async(reinterpret_cast<char *>(&destination) + at, reinterpret_cast<const char *>(&source) + at,
                            piece);
}
template <size_t count, class T>
HOSTWARP_DEVICE auto segment(T *pointer) -> T (*)[count] {
  return reinterpret_cast<T(*)[count]>(pointer);
}

}  // namespace experimental
}  // namespace nvcuda

#endif  // HOSTWARP_CUDA_MODE

#endif  // HOSTWARP_CUDA_PIPELINE_H
