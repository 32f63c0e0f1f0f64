// Memory of objects that come and go with each launch.
#ifndef HOSTWARP_FIBERS_RECYCLED_H
#define HOSTWARP_FIBERS_RECYCLED_H

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace hostwarp::fibers {

// RecycledBytes is memory that one thread takes and another gives back, thousands of times in a row: what the C
// library's allocator is slow at. It is aligned to two cache lines, of which processors fetch both. Thread-safe.
struct RecycledBytes {
  static constexpr std::size_t alignment = 128;
  // allocate() throws std::bad_alloc where there is none.
  static void *allocate(std::size_t bytes);
  // release() gives back what allocate() gave for as many bytes.
  static void release(void *storage, std::size_t bytes) noexcept;
};

// Recycled is an allocator of such memory.
template <class T>
struct Recycled {
  using value_type = T;
  Recycled() = default;
  template <class U>
  Recycled(const Recycled<U> &) {}
  T *allocate(std::size_t count) { return static_cast<T *>(RecycledBytes::allocate(count * sizeof(T))); }
  void deallocate(T *storage, std::size_t count) noexcept { RecycledBytes::release(storage, count * sizeof(T)); }
  friend bool operator==(const Recycled &, const Recycled &) { return true; }
};

// makeRecycled() is std::make_shared() in such memory.
template <class T, class... Arguments>
std::shared_ptr<T> makeRecycled(Arguments &&...arguments) {
  return std::allocate_shared<T>(Recycled<std::remove_const_t<T>>(), std::forward<Arguments>(arguments)...);
}

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_RECYCLED_H
