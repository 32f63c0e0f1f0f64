// CCCL's header, with the names that CCCL 3 has dropped: programs of CUDA 12 and older use them.
#pragma once

#include_next <thrust/functional.h>
#include <thrust/version.h>

#if THRUST_VERSION >= 300000
THRUST_NAMESPACE_BEGIN

template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};

template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};

template <class T = void>
struct identity {
  using argument_type = T;
  using result_type = T;
  __host__ __device__ constexpr const T &operator()(const T &value) const { return value; }
};

template <>
struct identity<void> {
  using is_transparent = void;
  template <class T>
  __host__ __device__ constexpr T &&operator()(T &&value) const {
    return static_cast<T &&>(value);
  }
};

template <class Predicate>
struct unary_negate {
  Predicate predicate;
  __host__ __device__ explicit unary_negate(Predicate p) : predicate(p) {}
  template <class T>
  __host__ __device__ bool operator()(const T &value) {
    return !predicate(value);
  }
};

template <class Predicate>
struct binary_negate {
  Predicate predicate;
  __host__ __device__ explicit binary_negate(Predicate p) : predicate(p) {}
  template <class First, class Second>
  __host__ __device__ bool operator()(const First &first, const Second &second) {
    return !predicate(first, second);
  }
};

template <class Predicate>
__host__ __device__ unary_negate<Predicate> not1(const Predicate &predicate) {
  return unary_negate<Predicate>(predicate);
}

template <class Predicate>
__host__ __device__ binary_negate<Predicate> not2(const Predicate &predicate) {
  return binary_negate<Predicate>(predicate);
}

THRUST_NAMESPACE_END
#endif
