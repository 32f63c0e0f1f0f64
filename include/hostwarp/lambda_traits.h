// What nvcc answers about closure types [CUDA 5.3.12.1 extended lambda type traits]. hwcc's plugin gives those of
// extended lambdas types as members that say what they are.
#ifndef HOSTWARP_LAMBDA_TRAITS_H
#define HOSTWARP_LAMBDA_TRAITS_H

namespace hostwarp {

template <class T>
struct LambdaTraits {
  struct No {};
  template <class Closure>
  static No isDevice(...);
  template <class Closure>
  static int isDevice(typename Closure::hostwarp_device_lambda *);
  template <class Closure>
  static No isHostDevice(...);
  template <class Closure>
  static int isHostDevice(typename Closure::hostwarp_host_device_lambda *);
  template <class Closure>
  static No preservesReturnType(...);
  template <class Closure>
  static int preservesReturnType(typename Closure::hostwarp_preserved_return_type *);
  static constexpr bool device = !__is_same(decltype(isDevice<T>(nullptr)), No);
  static constexpr bool hostDevice = !__is_same(decltype(isHostDevice<T>(nullptr)), No);
  static constexpr bool preservedReturnType = !__is_same(decltype(preservesReturnType<T>(nullptr)), No);
};

// libcu++ refuses calls in host code whose type nvcc would not know there. The host pass knows all types, and comes to
// more calls than nvcc does: to those in kernels. Its files are told by their names.
constexpr bool fileNameBegins(const char *text, const char *start) {
  return *start == '\0' || (*text == *start && fileNameBegins(text + 1, start + 1));
}
constexpr bool fileNameHas(const char *text, const char *what) {
  return fileNameBegins(text, what) || (*text != '\0' && fileNameHas(text + 1, what));
}

}  // namespace hostwarp

#endif  // HOSTWARP_LAMBDA_TRAITS_H
