// HOSTWARP_TRACE=1: one line per API call, e.g. `cudaMalloc(devPtr=0x7ffc1c60 -> 0x200000000000, size=1024) =
// cudaSuccess`.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_TRACE_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_TRACE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "include/driver_types.h"

namespace hostwarp {

bool traceEnabled();

// appendValue() writes a value as a person reads it: names of enumerators, quoted strings, extents, hexadecimal
// pointers. Structures that have no form of their own become {...}.
void appendValue(std::string &line, long long value);
void appendValue(std::string &line, unsigned long long value);
void appendValue(std::string &line, double value);
void appendValue(std::string &line, const void *value);
void appendValue(std::string &line, const char *value);
void appendValue(std::string &line, const dim3 &value);
void appendValue(std::string &line, const cudaExtent &value);
void appendValue(std::string &line, const cudaPitchedPtr &value);
void appendValue(std::string &line, const cudaMemLocation &value);
void appendValue(std::string &line, cudaError_t value);
// appendEnumerator() writes the enumerator's name where trace_enums.def has it, else the number. `type` tells enums
// apart.
void appendEnumerator(std::string &line, std::string_view type, int value);

// enumName() is the name of an enum type, "" for those without names in trace_enums.def.
template <typename Enum>
constexpr std::string_view enumName() {
#define HOSTWARP_TRACE_ENUM(type) \
  if (std::is_same_v<Enum, type>) return #type;
#define HOSTWARP_TRACE_ENUMERATOR(type, enumerator)
#include "emu_runtime/support/trace_enums.def"
#undef HOSTWARP_TRACE_ENUMERATOR
#undef HOSTWARP_TRACE_ENUM
  return "";
}

// traceValue() picks the form for a parameter of any type.
template <typename T>
void traceValue(std::string &line, const T &value) {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Plain, cudaError_t> || std::is_same_v<Plain, const char *> ||
                std::is_same_v<Plain, dim3> || std::is_same_v<Plain, cudaExtent> ||
                std::is_same_v<Plain, cudaPitchedPtr> || std::is_same_v<Plain, cudaMemLocation>)
    appendValue(line, value);
  else if constexpr (std::is_enum_v<Plain>)
    appendEnumerator(line, enumName<Plain>(), static_cast<int>(value));
  else if constexpr (std::is_pointer_v<Plain> && std::is_function_v<std::remove_pointer_t<Plain>>)
    appendValue(line, reinterpret_cast<const void *>(value));
  else if constexpr (std::is_pointer_v<Plain>)
    appendValue(line, static_cast<const void *>(value));
  else if constexpr (std::is_floating_point_v<Plain>)
    appendValue(line, static_cast<double>(value));
  else if constexpr (std::is_integral_v<Plain> && std::is_signed_v<Plain>)
    appendValue(line, static_cast<long long>(value));
  else if constexpr (std::is_integral_v<Plain>)
    appendValue(line, static_cast<unsigned long long>(value));
  else
    line += "{...}";
}

// isResult is true for the types through which functions hand back a number or handle in their first parameter.
template <typename T>
constexpr bool isResult = false;
template <typename T>
constexpr bool isResult<T *> =
    !std::is_const_v<T> && !std::is_same_v<T, char> && (std::is_arithmetic_v<T> || std::is_pointer_v<T>);

void writeTrace(std::string_view line);

// ValueWriter appends an argument of some type; what it points at, too, where the call has handed back a result there.
using ValueWriter = void (*)(std::string &line, const void *value, bool hasResult);

template <typename T>
void writeValue(std::string &line, const void *place, bool hasResult) {
  const T &value = *static_cast<const T *>(place);
  traceValue(line, value);
  if constexpr (isResult<T>) {
    if (hasResult && value) traceValue(line += " -> ", *value);
  }
}

// TracedValues is the arguments of a call: where they are, and how they are written.
struct TracedValues {
  const void *const *places;
  const ValueWriter *writers;
  size_t count;
};

// describeCall() is the line of one finished call; `names` is the list of parameters in parentheses.
std::string describeCall(const char *function, std::string_view names, bool succeeded, std::string_view result,
                         const TracedValues &values);

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_TRACE_H
