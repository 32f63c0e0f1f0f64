// Memory that grows and is never given back before its owner ends.
#ifndef HOSTWARP_FIBERS_ALIGNED_BUFFER_H
#define HOSTWARP_FIBERS_ALIGNED_BUFFER_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace hostwarp::fibers {

class AlignedBuffer {
 public:
  static constexpr size_t kAlignment = 4096;  // the strictest of which a variable in local memory is sure

  // reserve() makes the buffer hold at least `bytes`; what it held is lost. False when there is no memory.
  [[nodiscard]] bool reserve(size_t bytes) {
    if (bytes <= bytes_) return true;
    bytes_ = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    memory_.reset(static_cast<char *>(std::aligned_alloc(kAlignment, bytes_)));
    if (memory_ == nullptr) bytes_ = 0;
    return memory_ != nullptr;
  }
  void *data() const { return memory_.get(); }
  bool contains(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(memory_.get()) < bytes_;
  }

 private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> memory_;
  size_t bytes_ = 0;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_ALIGNED_BUFFER_H
