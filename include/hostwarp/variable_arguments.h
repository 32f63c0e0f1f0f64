// va_arg in device code, which clang refuses. hwcc-device puts the variable arguments of a call side by side, each at
// its natural alignment, and va_list is the address of the next one.
#ifndef HOSTWARP_VARIABLE_ARGUMENTS_H
#define HOSTWARP_VARIABLE_ARGUMENTS_H

#if defined(__clang__) && defined(__CUDA__) && defined(__CUDA_ARCH__)

template <class T, bool isClass = __is_class(T) || __is_union(T)>
struct hostwarp_argument {
  __host__ __device__ static T next(__builtin_va_list &list) {
    const __UINTPTR_TYPE__ at = (reinterpret_cast<__UINTPTR_TYPE__>(list) + alignof(T) - 1) & -alignof(T);
    list = reinterpret_cast<__builtin_va_list>(at + sizeof(T));
    return *reinterpret_cast<T *>(at);
  }
};

// Instead of a class comes the address of a copy (compiler/clang_plugin, variadic_classes.cpp).
template <class T>
struct hostwarp_argument<T, true> {
  static_assert(__is_trivially_copyable(T), "a class type that cannot be trivially copied cannot be fetched by va_arg");
  __host__ __device__ static T next(__builtin_va_list &list) { return *hostwarp_argument<T *>::next(list); }
};

#define __builtin_va_arg(list, ...) (hostwarp_argument<__VA_ARGS__>::next(list))

#endif

#endif  // HOSTWARP_VARIABLE_ARGUMENTS_H
