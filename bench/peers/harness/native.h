// What the plain C++ forms share: memory in huge pages, and vectors of 16 elements in the compilers' own notation.
#ifndef HOSTWARP_BENCH_NATIVE_H
#define HOSTWARP_BENCH_NATIVE_H

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace bench {

// Vectors are aligned as their elements, so that a pointer into an array may be read as one.
typedef float Floats __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint32_t Words __attribute__((vector_size(64), aligned(4), may_alias));

inline Floats load(const float *from) { return *reinterpret_cast<const Floats *>(from); }
inline void store(float *to, Floats value) { *reinterpret_cast<Floats *>(to) = value; }
inline Words load(const uint32_t *from) { return *reinterpret_cast<const Words *>(from); }
inline void store(uint32_t *to, Words value) { *reinterpret_cast<Words *>(to) = value; }

inline float sumOf(Floats value) {
  float sum = 0;
  for (int lane = 0; lane < 16; ++lane) sum += value[lane];
  return sum;
}

// Memory is zeroed, in pages of 2 MiB, and touched first by the threads that a static loop gives its parts to.
template <class T>
class Memory {
 public:
  explicit Memory(size_t count) : count_(count) {
    const size_t page = size_t{2} << 20, bytes = (count * sizeof(T) + page - 1) / page * page;
    void *memory = std::aligned_alloc(page, bytes);
    madvise(memory, bytes, MADV_HUGEPAGE);
    data_ = static_cast<T *>(memory);
#pragma omp parallel for schedule(static)
    for (size_t offset = 0; offset < bytes; offset += page) std::memset(static_cast<char *>(memory) + offset, 0, page);
  }
  explicit Memory(const std::vector<T> &values) : Memory(values.size()) { assign(values); }
  ~Memory() { std::free(data_); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  void assign(const std::vector<T> &values) { std::memcpy(data_, values.data(), values.size() * sizeof(T)); }
  [[nodiscard]] T *data() const { return data_; }
  [[nodiscard]] size_t size() const { return count_; }
  [[nodiscard]] T &operator[](size_t index) const { return data_[index]; }

 private:
  T *data_;
  size_t count_;
};

}  // namespace bench

#endif  // HOSTWARP_BENCH_NATIVE_H
