// Arithmetic on pointers to void and to functions counts bytes, as g++ and nvcc have it. Clang has that in C only: hwcc
// puts such a left operand into __hostwarp_bytes() and compiles again (compiler/clang_plugin, void_arithmetic.cpp).
#ifndef HOSTWARP_VOID_ARITHMETIC_H
#define HOSTWARP_VOID_ARITHMETIC_H

#include "device_qualifiers.h"

#if HOSTWARP_CUDA_MODE

namespace hostwarp {

template <class T, bool = __is_void(T) || __is_function(T)>
struct OfBytes {};
template <class T>
struct OfBytes<T, true> {
  typedef void Type;
};

// BytePointer is the value of a pointer.
template <class T>
struct BytePointer {
  T *value;
  HOSTWARP_HOST_DEVICE explicit BytePointer(T *pointer) : value(pointer) {}
  template <class N>
  HOSTWARP_HOST_DEVICE T *operator+(N count) const {
    return (T *)((char *)value + count);
  }
  template <class N>
  HOSTWARP_HOST_DEVICE T *operator-(N count) const {
    return (T *)((char *)value - count);
  }
};

// BytePlace is a pointer that can change.
template <class T>
struct BytePlace : BytePointer<T> {
  T *&place;
  HOSTWARP_HOST_DEVICE explicit BytePlace(T *&pointer) : BytePointer<T>(pointer), place(pointer) {}
  template <class N>
  HOSTWARP_HOST_DEVICE T *&operator+=(N count) const {
    return place = *this + count;
  }
  template <class N>
  HOSTWARP_HOST_DEVICE T *&operator-=(N count) const {
    return place = *this - count;
  }
};

// ByteOperand is what stands for an operand: for all but such pointers itself, because a template has many instances.
template <class T, class = void>
struct ByteOperand {
  typedef T &&Type;
};
template <class T>
struct ByteOperand<T *, typename OfBytes<T>::Type> {
  typedef BytePointer<T> Type;
};
template <class T>
struct ByteOperand<T *const, typename OfBytes<T>::Type> {
  typedef BytePointer<T> Type;
};
template <class T>
struct ByteOperand<T *const &, typename OfBytes<T>::Type> {
  typedef BytePointer<T> Type;
};
template <class T>
struct ByteOperand<T *&, typename OfBytes<T>::Type> {
  typedef BytePlace<T> Type;
};

}  // namespace hostwarp

template <class T>
HOSTWARP_HOST_DEVICE typename hostwarp::ByteOperand<T>::Type __hostwarp_bytes(T &&operand) {
  return static_cast<typename hostwarp::ByteOperand<T>::Type>(static_cast<T &&>(operand));
}

#endif

#endif  // HOSTWARP_VOID_ARITHMETIC_H
