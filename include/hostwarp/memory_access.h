// Loads and stores with cache hints, and questions about addresses [CUDA 5.6 load and store functions].
#ifndef HOSTWARP_MEMORY_ACCESS_H
#define HOSTWARP_MEMORY_ACCESS_H

#include "builtin_variables.h"

// Cache hints mean nothing here. Templates accept CUDA's types, the vectors among them, and the 16-bit float types.
#define HOSTWARP_LOAD(name)                  \
  template <class T>                         \
  HOSTWARP_DEVICE T name(const T *address) { \
    return *address;                         \
  }
#define HOSTWARP_STORE(name)                       \
  template <class T>                               \
  HOSTWARP_DEVICE void name(T *address, T value) { \
    *address = value;                              \
  }
HOSTWARP_LOAD(__ldg)
HOSTWARP_LOAD(__ldca)
HOSTWARP_LOAD(__ldcg)
HOSTWARP_LOAD(__ldcs)
HOSTWARP_LOAD(__ldlu)
HOSTWARP_STORE(__stwb)
HOSTWARP_STORE(__stcg)
HOSTWARP_STORE(__stcs)
HOSTWARP_STORE(__stwt)
#undef HOSTWARP_LOAD
#undef HOSTWARP_STORE

// __ldcv() fetches again at each call: what another thread writes meanwhile shows.
template <class T>
HOSTWARP_DEVICE T __ldcv(const T *address) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  T value = *address;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return value;
}

HOSTWARP_DEVICE unsigned __isShared(const void *address) {
  const hw_thread *self = hw_self();
  return static_cast<const char *>(address) - self->sharedBase >= 0 &&
         static_cast<uint64_t>(static_cast<const char *>(address) - self->sharedBase) < self->sharedBytes;
}

HOSTWARP_DEVICE unsigned __isCtaShared(const void *address) { return __isShared(address); }
// A block has no addresses of another block's shared memory.
HOSTWARP_DEVICE unsigned __isClusterShared(const void *address) { return __isShared(address); }

HOSTWARP_DEVICE unsigned __isLocal(const void *address) { return hw_is_local(address); }

HOSTWARP_DEVICE unsigned __isConstant(const void *address) { return hw_is_constant(address); }
HOSTWARP_DEVICE unsigned __isGlobal(const void *address) {
  return !__isShared(address) && !__isLocal(address) && !__isConstant(address);
}
HOSTWARP_DEVICE unsigned __isGridConstant(const void *address) { return hw_is_grid_constant(address); }

// A shared address is an offset into the block's storage, as small as PTX's 32-bit ones; the other spaces are part of
// the generic one.
HOSTWARP_DEVICE size_t __cvta_generic_to_shared(const void *address) {
  return static_cast<size_t>(static_cast<const char *>(address) - hw_self()->sharedBase);
}
HOSTWARP_DEVICE void *__cvta_shared_to_generic(size_t address) { return hw_self()->sharedBase + address; }
HOSTWARP_DEVICE size_t __cvta_generic_to_global(const void *address) { return reinterpret_cast<size_t>(address); }
HOSTWARP_DEVICE size_t __cvta_generic_to_local(const void *address) { return reinterpret_cast<size_t>(address); }
HOSTWARP_DEVICE size_t __cvta_generic_to_constant(const void *address) { return reinterpret_cast<size_t>(address); }
HOSTWARP_DEVICE size_t __cvta_generic_to_grid_constant(const void *address) {
  return reinterpret_cast<size_t>(address);
}
HOSTWARP_DEVICE void *__cvta_global_to_generic(size_t address) { return reinterpret_cast<void *>(address); }
HOSTWARP_DEVICE void *__cvta_local_to_generic(size_t address) { return reinterpret_cast<void *>(address); }
HOSTWARP_DEVICE void *__cvta_constant_to_generic(size_t address) { return reinterpret_cast<void *>(address); }
HOSTWARP_DEVICE void *__cvta_grid_constant_to_generic(size_t address) { return reinterpret_cast<void *>(address); }

// Memory of malloc()'s heap, for free().
HOSTWARP_DEVICE void *__nv_aligned_device_malloc(size_t size, size_t align) { return hw_malloc_aligned(size, align); }

// Access properties are hints for a cache. cuda::annotated_ptr calls this by name.
HOSTWARP_DEVICE void *__nv_associate_access_property(const void *address, unsigned long long) {
  return const_cast<void *>(address);
}

#if defined(__clang__)
#define __assume(condition) __builtin_assume(condition)
#else
#define __assume(condition) ((condition) ? static_cast<void>(0) : __builtin_unreachable())
#if !defined(__builtin_assume)
#define __builtin_assume(condition) __assume(condition)
#endif
#endif

#endif  // HOSTWARP_MEMORY_ACCESS_H
