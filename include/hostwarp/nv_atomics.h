// __nv_atomic_*: nvcc's atomic built-ins with an order and a scope [CUDA 5.5.6 atomic built-ins].
#ifndef HOSTWARP_NV_ATOMICS_H
#define HOSTWARP_NV_ATOMICS_H

#include "atomics.h"

// The orders have the values of __ATOMIC_*, so they are handed on.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

// The scope is accepted and not used: the CPU's atomics have the widest one.
#define HOSTWARP_SCOPE int = __NV_THREAD_SCOPE_SYSTEM

// hw_same keeps the value's type out of deduction: __nv_atomic_fetch_add(unsigned *, 1, ...) adds an unsigned 1.
template <class T>
struct hw_same {
  typedef T type;
};

template <class T>
HOSTWARP_DEVICE void __nv_atomic_load(const T *address, T *result, int order, HOSTWARP_SCOPE) {
  __atomic_load(const_cast<T *>(address), result, order);
}
template <class T>
HOSTWARP_DEVICE T __nv_atomic_load_n(const T *address, int order, HOSTWARP_SCOPE) {
  return __atomic_load_n(address, order);
}
template <class T>
HOSTWARP_DEVICE void __nv_atomic_store(T *address, T *value, int order, HOSTWARP_SCOPE) {
  __atomic_store(address, value, order);
}
template <class T>
HOSTWARP_DEVICE void __nv_atomic_store_n(T *address, typename hw_same<T>::type value, int order, HOSTWARP_SCOPE) {
  __atomic_store_n(address, value, order);
}
template <class T>
HOSTWARP_DEVICE void __nv_atomic_exchange(T *address, T *value, T *result, int order, HOSTWARP_SCOPE) {
  __atomic_exchange(address, value, result, order);
}
template <class T>
HOSTWARP_DEVICE T __nv_atomic_exchange_n(T *address, typename hw_same<T>::type value, int order, HOSTWARP_SCOPE) {
  return __atomic_exchange_n(address, value, order);
}
template <class T>
HOSTWARP_DEVICE bool __nv_atomic_compare_exchange(T *address, T *expected, T *desired, bool weak, int success,
                                                  int failure, HOSTWARP_SCOPE) {
  return __atomic_compare_exchange(address, expected, desired, weak, success, failure);
}
template <class T>
HOSTWARP_DEVICE bool __nv_atomic_compare_exchange_n(T *address, T *expected, typename hw_same<T>::type desired,
                                                    bool weak, int success, int failure, HOSTWARP_SCOPE) {
  return __atomic_compare_exchange_n(address, expected, desired, weak, success, failure);
}

#define HOSTWARP_NV_FETCH(operation, function)                                                            \
  template <class T>                                                                                      \
  HOSTWARP_DEVICE T __nv_atomic_fetch_##operation(T *address, typename hw_same<T>::type value, int order, \
                                                  HOSTWARP_SCOPE) {                                       \
    return function(address, value, order);                                                               \
  }                                                                                                       \
  template <class T>                                                                                      \
  HOSTWARP_DEVICE void __nv_atomic_##operation(T *address, typename hw_same<T>::type value, int order,    \
                                               HOSTWARP_SCOPE) {                                          \
    function(address, value, order);                                                                      \
  }
HOSTWARP_NV_FETCH(add, HOSTWARP_FETCH(add))
HOSTWARP_NV_FETCH(sub, HOSTWARP_FETCH(sub))
HOSTWARP_NV_FETCH(min, HOSTWARP_FETCH(min))
HOSTWARP_NV_FETCH(max, HOSTWARP_FETCH(max))
HOSTWARP_NV_FETCH(and, __atomic_fetch_and)
HOSTWARP_NV_FETCH(or, __atomic_fetch_or)
HOSTWARP_NV_FETCH(xor, __atomic_fetch_xor)
#undef HOSTWARP_NV_FETCH
#undef HOSTWARP_SCOPE

HOSTWARP_DEVICE void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_thread_fence(order);
}

#endif  // HOSTWARP_NV_ATOMICS_H
