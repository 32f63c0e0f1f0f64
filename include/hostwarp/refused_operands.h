// What hwcc puts around operands that clang refuses and nvcc takes, to compile again (compiler/clang_plugin,
// second_run.h).
#ifndef HOSTWARP_REFUSED_OPERANDS_H
#define HOSTWARP_REFUSED_OPERANDS_H

#include "device_qualifiers.h"

#if HOSTWARP_CUDA_MODE

#if !defined(__CUDACC_RTC__)
#include <initializer_list>
#endif

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
  template <class Count>
  HOSTWARP_HOST_DEVICE T *operator+(Count count) const {
    return (T *)((char *)value + count);
  }
  template <class Count>
  HOSTWARP_HOST_DEVICE T *operator-(Count count) const {
    return (T *)((char *)value - count);
  }
};

// BytePlace is a pointer that can change.
template <class T>
struct BytePlace : BytePointer<T> {
  T *&place;
  HOSTWARP_HOST_DEVICE explicit BytePlace(T *&pointer) : BytePointer<T>(pointer), place(pointer) {}
  template <class Count>
  HOSTWARP_HOST_DEVICE T *&operator+=(Count count) const {
    return place = *this + count;
  }
  template <class Count>
  HOSTWARP_HOST_DEVICE T *&operator-=(Count count) const {
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

// Arithmetic on a pointer to void or a function counts bytes.
template <class T>
HOSTWARP_HOST_DEVICE typename hostwarp::ByteOperand<T>::Type __hostwarp_bytes(T &&operand) {
  return static_cast<typename hostwarp::ByteOperand<T>::Type>(static_cast<T &&>(operand));
}

// A pointer compared with 0, or made a smaller integer, is its address. The other operands stay what they are.
template <class T>
HOSTWARP_HOST_DEVICE T __hostwarp_address(T operand) {
  return operand;
}
template <class T>
HOSTWARP_HOST_DEVICE unsigned long __hostwarp_address(T *operand) {
  return (unsigned long)operand;
}
HOSTWARP_HOST_DEVICE unsigned long __hostwarp_address(decltype(nullptr)) { return 0; }

namespace hostwarp {

template <class To, bool = __is_integral(To)>
struct Reinterpreted {
  template <class From>
  HOSTWARP_HOST_DEVICE static To of(From &&operand) {
    return (To)operand;
  }
};
template <class To>
struct Reinterpreted<To, true> {
  template <class From>
  HOSTWARP_HOST_DEVICE static To of(From &&operand) {
    return (To)__hostwarp_address(operand);
  }
};

}  // namespace hostwarp

// Stands for a reinterpret_cast from a pointer to a smaller integer, and for what it is in other instances of a
// template.
template <class To, class From>
HOSTWARP_HOST_DEVICE To __hostwarp_reinterpret(From &&operand) {
  return hostwarp::Reinterpreted<To>::of(static_cast<From &&>(operand));
}

#if !defined(__CUDACC_RTC__)

namespace hostwarp {

// VariableArray gives an array of variable length its initial values; those without one are zero.
template <class T>
class VariableArray {
 public:
  VariableArray(T *elements, __SIZE_TYPE__ count) : elements_(elements), count_(count) {}
  VariableArray(const VariableArray &) = delete;
  void operator=(std::initializer_list<T> values) const { fill(values.begin(), values.size()); }
  template <__SIZE_TYPE__ length>
  void operator=(const T (&text)[length]) const {
    fill(text, length);
  }

 private:
  void fill(const T *values, __SIZE_TYPE__ given) const {
    for (__SIZE_TYPE__ i = 0; i < count_; ++i) elements_[i] = i < given ? values[i] : T();
  }

  T *const elements_;
  const __SIZE_TYPE__ count_;
};

}  // namespace hostwarp

template <class T>
hostwarp::VariableArray<__remove_const(T)> __hostwarp_variable_array(T *elements, __SIZE_TYPE__ bytes) {
  return {const_cast<__remove_const(T) *>(elements), bytes / sizeof(T)};
}

#endif

#endif

#endif  // HOSTWARP_REFUSED_OPERANDS_H
