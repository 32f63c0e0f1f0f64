// nvstd::function of <nvfunctional>: a callable of any kind, as one type.
#ifndef HOSTWARP_POLYMORPHIC_FUNCTION_H
#define HOSTWARP_POLYMORPHIC_FUNCTION_H

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"

namespace nvstd {

template <class>
class function;

namespace hostwarp_detail {

template <class T>
struct IsFunction : std::false_type {};
template <class T>
struct IsFunction<function<T>> : std::true_type {};

template <class T>
__host__ __device__ bool isNothing(const T &) {
  return false;
}
template <class R, class... A>
__host__ __device__ bool isNothing(R (*pointer)(A...)) {
  return pointer == nullptr;
}
template <class T>
__host__ __device__ bool isNothing(const function<T> &other) {
  return !other;
}

}  // namespace hostwarp_detail

// function<R(A...)> holds a copy of what it is made of, in itself where that is small, else on the heap of where it
// runs, or nothing. Host and device cannot call what the other has made. Calling one that holds nothing is an error:
// the host aborts, a kernel traps.
template <class R, class... A>
class function<R(A...)> {
 public:
  using result_type = R;

  __host__ __device__ function() noexcept {}
  __host__ __device__ function(std::nullptr_t) noexcept {}
  __host__ __device__ function(const function &other) {
    if (other.manage_) other.manage_(Task::Copy, *this, const_cast<function &>(other));
  }
  __host__ __device__ function(function &&other) noexcept { take(other); }
  template <class F,
            class = std::enable_if_t<
                !std::is_same<std::decay_t<F>, function>::value &&
                std::is_convertible<
                    decltype(std::declval<std::decay_t<F> &>()(std::declval<A>()...)),
                    std::conditional_t<std::is_void<R>::value,
                                       decltype(std::declval<std::decay_t<F> &>()(std::declval<A>()...)), R>>::value>>
  __host__ __device__ function(F callable) {
    if (hostwarp_detail::isNothing(callable)) return;
    Holder<F>::make(*this, static_cast<F &&>(callable));
  }
  __host__ __device__ ~function() { clear(); }

  __host__ __device__ function &operator=(const function &other) {
    if (this != &other) function(other).swap(*this);
    return *this;
  }
  __host__ __device__ function &operator=(function &&other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  __host__ __device__ function &operator=(std::nullptr_t) noexcept {
    clear();
    return *this;
  }
  template <class F, class = std::enable_if_t<!std::is_same<std::decay_t<F>, function>::value &&
                                              !std::is_same<std::decay_t<F>, std::nullptr_t>::value>>
  __host__ __device__ function &operator=(F &&callable) {
    function(static_cast<F &&>(callable)).swap(*this);
    return *this;
  }

  __host__ __device__ void swap(function &other) noexcept {
    function kept(static_cast<function &&>(other));
    other.take(*this);
    take(kept);
  }

  __host__ __device__ explicit operator bool() const noexcept { return call_ != nullptr; }

  __host__ __device__ R operator()(A... arguments) const {
    if (!call_) __builtin_trap();
    return call_(const_cast<function &>(*this), static_cast<A &&>(arguments)...);
  }

 private:
  enum class Task { Copy, Move, Destroy };

  // Holder knows the callable's type: it lies in `room_`, or that has its address.
  template <class F>
  struct Holder {
    static constexpr bool isSmall = sizeof(F) <= 3 * sizeof(void *) && alignof(F) <= alignof(void *);

    __host__ __device__ static F &of(function &from) {
      return *static_cast<F *>(isSmall ? static_cast<void *>(from.room_) : *reinterpret_cast<void **>(from.room_));
    }
    template <class From>
    __host__ __device__ static void make(function &to, From &&from) {
      if (isSmall)
        ::new (static_cast<void *>(to.room_)) F(static_cast<From &&>(from));
      else
        *reinterpret_cast<void **>(to.room_) = new F(static_cast<From &&>(from));
      to.call_ = &call;
      to.manage_ = &manage;
    }
    __host__ __device__ static R call(function &from, A... arguments) {
      return static_cast<R>(of(from)(static_cast<A &&>(arguments)...));
    }
    __host__ __device__ static void manage(Task task, function &to, function &from) {
      if (task == Task::Copy) return make(to, static_cast<const F &>(of(from)));
      if (task == Task::Destroy) return destroy(to);
      if (isSmall) {
        make(to, static_cast<F &&>(of(from)));
        return destroy(from);
      }
      *reinterpret_cast<void **>(to.room_) = *reinterpret_cast<void **>(from.room_);
    }
    __host__ __device__ static void destroy(function &held) {
      if (isSmall)
        of(held).~F();
      else
        delete &of(held);
    }
  };

  __host__ __device__ void take(function &other) noexcept {
    if (!other.manage_) return;
    other.manage_(Task::Move, *this, other);
    call_ = other.call_;
    manage_ = other.manage_;
    other.call_ = nullptr;
    other.manage_ = nullptr;
  }
  __host__ __device__ void clear() noexcept {
    if (manage_) manage_(Task::Destroy, *this, *this);
    call_ = nullptr;
    manage_ = nullptr;
  }

  R (*call_)(function &, A...) = nullptr;
  void (*manage_)(Task, function &, function &) = nullptr;
  alignas(void *) unsigned char room_[3 * sizeof(void *)];
};

template <class R, class... A>
__host__ __device__ void swap(function<R(A...)> &one, function<R(A...)> &other) noexcept {
  one.swap(other);
}
template <class R, class... A>
__host__ __device__ bool operator==(const function<R(A...)> &one, std::nullptr_t) noexcept {
  return !one;
}
template <class R, class... A>
__host__ __device__ bool operator==(std::nullptr_t, const function<R(A...)> &one) noexcept {
  return !one;
}
template <class R, class... A>
__host__ __device__ bool operator!=(const function<R(A...)> &one, std::nullptr_t) noexcept {
  return static_cast<bool>(one);
}
template <class R, class... A>
__host__ __device__ bool operator!=(std::nullptr_t, const function<R(A...)> &one) noexcept {
  return static_cast<bool>(one);
}

}  // namespace nvstd

#endif  // HOSTWARP_POLYMORPHIC_FUNCTION_H
