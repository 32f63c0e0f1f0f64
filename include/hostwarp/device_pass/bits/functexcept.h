// The functions by which libstdc++ throws, for its constexpr functions in device code (`array.at(i)`): nothing can be
// thrown there, so they end the grid.
#ifndef HOSTWARP_DEVICE_PASS_FUNCTEXCEPT_H
#define HOSTWARP_DEVICE_PASS_FUNCTEXCEPT_H

#pragma GCC system_header

#include_next <bits/functexcept.h>

#define HOSTWARP_THROWS(NAME, ...) \
  [[noreturn]] __attribute__((device)) inline void NAME(__VA_ARGS__) { __builtin_trap(); }

namespace std {

HOSTWARP_THROWS(__throw_bad_exception)
HOSTWARP_THROWS(__throw_bad_alloc)
HOSTWARP_THROWS(__throw_bad_array_new_length)
HOSTWARP_THROWS(__throw_bad_cast)
HOSTWARP_THROWS(__throw_bad_typeid)
HOSTWARP_THROWS(__throw_logic_error, const char *)
HOSTWARP_THROWS(__throw_domain_error, const char *)
HOSTWARP_THROWS(__throw_invalid_argument, const char *)
HOSTWARP_THROWS(__throw_length_error, const char *)
HOSTWARP_THROWS(__throw_out_of_range, const char *)
HOSTWARP_THROWS(__throw_out_of_range_fmt, const char *, ...)
HOSTWARP_THROWS(__throw_runtime_error, const char *)
HOSTWARP_THROWS(__throw_range_error, const char *)
HOSTWARP_THROWS(__throw_overflow_error, const char *)
HOSTWARP_THROWS(__throw_underflow_error, const char *)
HOSTWARP_THROWS(__throw_bad_function_call)
// Of <optional>.
HOSTWARP_THROWS(__throw_bad_optional_access)

}  // namespace std

#undef HOSTWARP_THROWS

#endif  // HOSTWARP_DEVICE_PASS_FUNCTEXCEPT_H
