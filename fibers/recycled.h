// Memory of objects that come and go with each launch.
#ifndef HOSTWARP_FIBERS_RECYCLED_H
#define HOSTWARP_FIBERS_RECYCLED_H

#include <tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "fibers/sanitizers.h"

namespace hostwarp::fibers {

// makeRecycled() is std::make_shared() for objects that one thread makes and another gives up, thousands in a row: what
// the C library's allocator is slow at. The sanitizers watch over each object instead.
template <class T, class... Arguments>
std::shared_ptr<T> makeRecycled(Arguments &&...arguments) {
#if defined(HOSTWARP_ASAN) || defined(HOSTWARP_TSAN)
  return std::make_shared<T>(std::forward<Arguments>(arguments)...);
#else
  return std::allocate_shared<T>(tbb::cache_aligned_allocator<std::remove_const_t<T> >(),
                                 std::forward<Arguments>(arguments)...);
#endif
}

// RecycledBytes is such memory without a type, aligned to two cache lines.
struct RecycledBytes {
  static constexpr std::size_t alignment = 128;  // what TBB aligns to
  static void *allocate(std::size_t bytes) {
#if defined(HOSTWARP_ASAN) || defined(HOSTWARP_TSAN)
    return ::operator new(bytes, std::align_val_t(alignment));
#else
    return tbb::cache_aligned_allocator<char>().allocate(bytes);
#endif
  }
  static void release(void *storage) {
#if defined(HOSTWARP_ASAN) || defined(HOSTWARP_TSAN)
    ::operator delete(storage, std::align_val_t(alignment));
#else
    tbb::cache_aligned_allocator<char>().deallocate(static_cast<char *>(storage), 0);  // asks for no size
#endif
  }
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_RECYCLED_H
