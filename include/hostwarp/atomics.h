// Atomic functions [CUDA 5.5 atomics]: relaxed order, and one implementation for the device, _block and _system forms,
// because the CPU's atomics reach everybody.
#ifndef HOSTWARP_ATOMICS_H
#define HOSTWARP_ATOMICS_H

#include "../vector_types.h"
#include "device_abi.h"
#include "device_qualifiers.h"
#include "scopes.h"

// hw_atomic_*() are what the CPU or the compiler has no instruction for. They never block.
HW_DEVICE_API uint32_t hw_atomic_inc_u32(uint32_t *address, uint32_t limit) HW_NOEXCEPT;
HW_DEVICE_API uint32_t hw_atomic_dec_u32(uint32_t *address, uint32_t limit) HW_NOEXCEPT;
// Both store the 16 bytes found at `address`, which must be aligned to 16, in *old.
HW_DEVICE_API void hw_atomic_exchange_128(void *address, const void *value, void *old) HW_NOEXCEPT;
HW_DEVICE_API void hw_atomic_cas_128(void *address, const void *expected, const void *value, void *old) HW_NOEXCEPT;

// --- Primitives ---

#if defined(__clang__)
#define HOSTWARP_FETCH(operation) __atomic_fetch_##operation
#else
// gcc has no atomic minimum or maximum and no atomic arithmetic on floating point.
#define HOSTWARP_ATOMIC_PRIMITIVE(name, expression)                                               \
  template <class T>                                                                              \
  HOSTWARP_DEVICE T name(T *address, T value, int order) {                                        \
    T old;                                                                                        \
    __atomic_load(address, &old, __ATOMIC_RELAXED);                                               \
    T desired;                                                                                    \
    do {                                                                                          \
      desired = expression;                                                                       \
    } while (!__atomic_compare_exchange(address, &old, &desired, true, order, __ATOMIC_RELAXED)); \
    return old;                                                                                   \
  }
HOSTWARP_ATOMIC_PRIMITIVE(hw_atomic_fetch_add, old + value)
HOSTWARP_ATOMIC_PRIMITIVE(hw_atomic_fetch_sub, old - value)
HOSTWARP_ATOMIC_PRIMITIVE(hw_atomic_fetch_min, old < value ? old : value)
HOSTWARP_ATOMIC_PRIMITIVE(hw_atomic_fetch_max, old > value ? old : value)
#undef HOSTWARP_ATOMIC_PRIMITIVE
#define HOSTWARP_FETCH(operation) hw_atomic_fetch_##operation
#endif

// --- CUDA's functions, each with its scopes ---

#define HOSTWARP_ATOMIC_1(name, type, scope, expression)                   \
  HOSTWARP_OWN_NAME HOSTWARP_DEVICE type name(type *address, type value) { \
    scope;                                                                 \
    return expression;                                                     \
  }
#define HOSTWARP_ATOMIC(name, type, expression)                                \
  HOSTWARP_ATOMIC_1(name, type, , expression)                                  \
  HOSTWARP_ATOMIC_1(name##_block, type, HOSTWARP_SCOPE_OF_BLOCK(), expression) \
  HOSTWARP_ATOMIC_1(name##_system, type, , expression)

#define HOSTWARP_ATOMIC_INTEGER(type)                                                      \
  HOSTWARP_ATOMIC(atomicAdd, type, __atomic_fetch_add(address, value, __ATOMIC_RELAXED))   \
  HOSTWARP_ATOMIC(atomicExch, type, __atomic_exchange_n(address, value, __ATOMIC_RELAXED)) \
  HOSTWARP_ATOMIC(atomicAnd, type, __atomic_fetch_and(address, value, __ATOMIC_RELAXED))   \
  HOSTWARP_ATOMIC(atomicOr, type, __atomic_fetch_or(address, value, __ATOMIC_RELAXED))     \
  HOSTWARP_ATOMIC(atomicXor, type, __atomic_fetch_xor(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC_INTEGER(int)
HOSTWARP_ATOMIC_INTEGER(unsigned int)
HOSTWARP_ATOMIC_INTEGER(unsigned long long)
#undef HOSTWARP_ATOMIC_INTEGER

HOSTWARP_ATOMIC(atomicAnd, long long, __atomic_fetch_and(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC(atomicOr, long long, __atomic_fetch_or(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC(atomicXor, long long, __atomic_fetch_xor(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC(atomicSub, int, __atomic_fetch_sub(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC(atomicSub, unsigned int, __atomic_fetch_sub(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC(atomicAdd, float, HOSTWARP_FETCH(add)(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC(atomicInc, unsigned int, hw_atomic_inc_u32(address, value))
HOSTWARP_ATOMIC(atomicDec, unsigned int, hw_atomic_dec_u32(address, value))

#define HOSTWARP_ATOMIC_ORDERED(type)                                                     \
  HOSTWARP_ATOMIC(atomicMin, type, HOSTWARP_FETCH(min)(address, value, __ATOMIC_RELAXED)) \
  HOSTWARP_ATOMIC(atomicMax, type, HOSTWARP_FETCH(max)(address, value, __ATOMIC_RELAXED))
HOSTWARP_ATOMIC_ORDERED(int)
HOSTWARP_ATOMIC_ORDERED(unsigned int)
HOSTWARP_ATOMIC_ORDERED(long long)
HOSTWARP_ATOMIC_ORDERED(unsigned long long)
#undef HOSTWARP_ATOMIC_ORDERED
#undef HOSTWARP_ATOMIC_1
#undef HOSTWARP_ATOMIC

#define HOSTWARP_CAS_1(name, type, scope)                                                             \
  HOSTWARP_OWN_NAME HOSTWARP_DEVICE type name(type *address, type expected, type value) {             \
    scope;                                                                                            \
    __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected;                                                                                  \
  }
#define HOSTWARP_CAS(type)                                         \
  HOSTWARP_CAS_1(atomicCAS, type, )                                \
  HOSTWARP_CAS_1(atomicCAS_block, type, HOSTWARP_SCOPE_OF_BLOCK()) \
  HOSTWARP_CAS_1(atomicCAS_system, type, )
HOSTWARP_CAS(int)
HOSTWARP_CAS(unsigned int)
HOSTWARP_CAS(unsigned long long)
HOSTWARP_CAS(unsigned short)
#undef HOSTWARP_CAS
#undef HOSTWARP_CAS_1

#define HOSTWARP_EXCHANGE(name, scope)                                        \
  HOSTWARP_OWN_NAME HOSTWARP_DEVICE float name(float *address, float value) { \
    scope;                                                                    \
    float old;                                                                \
    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);               \
    return old;                                                               \
  }
HOSTWARP_EXCHANGE(atomicExch, )
HOSTWARP_EXCHANGE(atomicExch_block, HOSTWARP_SCOPE_OF_BLOCK())
HOSTWARP_EXCHANGE(atomicExch_system, )
#undef HOSTWARP_EXCHANGE

// Programs written for devices before 6.0 define atomicAdd(double) themselves, often also where the host pass sees it;
// as a template ours gives way to theirs.
#define HOSTWARP_ATOMIC_WIDE(name, scope)                                        \
  template <class = void>                                                        \
  HOSTWARP_DEVICE double name(double *address, double value) {                   \
    scope;                                                                       \
    return HOSTWARP_FETCH(add)(address, value, __ATOMIC_RELAXED);                \
  }                                                                              \
  HOSTWARP_OWN_NAME HOSTWARP_DEVICE float2 name(float2 *address, float2 value) { \
    scope;                                                                       \
    float2 old;                                                                  \
    old.x = HOSTWARP_FETCH(add)(&address->x, value.x, __ATOMIC_RELAXED);         \
    old.y = HOSTWARP_FETCH(add)(&address->y, value.y, __ATOMIC_RELAXED);         \
    return old;                                                                  \
  }                                                                              \
  HOSTWARP_OWN_NAME HOSTWARP_DEVICE float4 name(float4 *address, float4 value) { \
    scope;                                                                       \
    float4 old;                                                                  \
    old.x = HOSTWARP_FETCH(add)(&address->x, value.x, __ATOMIC_RELAXED);         \
    old.y = HOSTWARP_FETCH(add)(&address->y, value.y, __ATOMIC_RELAXED);         \
    old.z = HOSTWARP_FETCH(add)(&address->z, value.z, __ATOMIC_RELAXED);         \
    old.w = HOSTWARP_FETCH(add)(&address->w, value.w, __ATOMIC_RELAXED);         \
    return old;                                                                  \
  }
HOSTWARP_ATOMIC_WIDE(atomicAdd, )
HOSTWARP_ATOMIC_WIDE(atomicAdd_block, HOSTWARP_SCOPE_OF_BLOCK())
HOSTWARP_ATOMIC_WIDE(atomicAdd_system, )
#undef HOSTWARP_ATOMIC_WIDE

// --- 128 bits: any trivially copyable type of 16 bytes aligned to 16 ---

template <bool condition, class T>
struct hw_enable_if {};
template <class T>
struct hw_enable_if<true, T> {
  typedef T type;
};
template <class T>
struct hw_atomic_16 : hw_enable_if<sizeof(T) == 16 && (alignof(T) >= 16) && __is_trivially_copyable(T), T> {};

#define HOSTWARP_ATOMIC_128(suffix)                                                                   \
  template <class T>                                                                                  \
  HOSTWARP_DEVICE typename hw_atomic_16<T>::type atomicExch##suffix(T *address, T value) {            \
    T old;                                                                                            \
    hw_atomic_exchange_128(address, &value, &old);                                                    \
    return old;                                                                                       \
  }                                                                                                   \
  template <class T>                                                                                  \
  HOSTWARP_DEVICE typename hw_atomic_16<T>::type atomicCAS##suffix(T *address, T expected, T value) { \
    T old;                                                                                            \
    hw_atomic_cas_128(address, &expected, &value, &old);                                              \
    return old;                                                                                       \
  }
HOSTWARP_ATOMIC_128()
HOSTWARP_ATOMIC_128(_block)
HOSTWARP_ATOMIC_128(_system)
#undef HOSTWARP_ATOMIC_128

#endif  // HOSTWARP_ATOMICS_H
