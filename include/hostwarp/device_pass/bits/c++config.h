// libstdc++'s checks of its preconditions, for its constexpr functions in device code: from version 13 on they call a
// function of the host, which is nothing unless the program asks for the checks. A clang from 20 on brings its own.
#ifndef HOSTWARP_DEVICE_PASS_CXXCONFIG_H
#define HOSTWARP_DEVICE_PASS_CXXCONFIG_H

#pragma GCC system_header

#include_next <bits/c++config.h>

#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE >= 13 && !defined(__CLANG_CUDA_WRAPPERS_BITS_CPP_CONFIG)
#ifdef _GLIBCXX_ASSERTIONS
extern "C" __attribute__((host, device, noreturn)) void __assert_fail(const char *, const char *, unsigned,
                                                                      const char *) noexcept;
namespace std {
[[noreturn]] __attribute__((device)) inline void __glibcxx_assert_fail(const char *file, int line, const char *function,
                                                                       const char *condition) noexcept {
  __assert_fail(condition, file, static_cast<unsigned>(line), function);
}
}  // namespace std
#else
namespace std {
__attribute__((device)) inline void __glibcxx_assert_fail() {}
}  // namespace std
#endif
#endif

#endif  // HOSTWARP_DEVICE_PASS_CXXCONFIG_H
