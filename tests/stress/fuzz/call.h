// runEntry(): one call of any API function.
#ifndef HOSTWARP_TESTS_STRESS_FUZZ_CALL_H
#define HOSTWARP_TESTS_STRESS_FUZZ_CALL_H

#include <tuple>
#include <utility>

#include "tests/stress/fuzz/draw.h"
#include "tests/stress/fuzz/entries.h"

namespace hostwarp::stress {

// Signature is a function's parameters as text, one by one.
class Signature {
 public:
  explicit Signature(std::string_view parameters);

  const Parameter &operator[](size_t i) const { return parameters_[i]; }
  bool hasCounts() const;

 private:
  std::vector<Parameter> parameters_;
};

// exported() takes note of a file that an export gave out, and closes older ones.
void exported(Pools &pools, const void *handle);

// Result is what an output parameter held before the call.
template <typename T>
uint64_t outputOf(const T &argument) {
  if constexpr (std::is_pointer_v<T>) {
    using U = std::remove_pointer_t<T>;
    if constexpr (isComplete<U> && !std::is_const_v<U> && !std::is_void_v<U> && !std::is_function_v<U>) {
      if constexpr (sizeof(U) == 8) {
        uint64_t value = 0;
        if (argument) std::memcpy(&value, static_cast<const void *>(argument), 8);
        return value;
      }
    }
  }
  return 0;
}

// harvest() adds to the pools what a successful call wrote.
template <typename T>
void harvest(Pools &pools, const T &argument, uint64_t before, const Parameter &parameter) {
  if constexpr (std::is_pointer_v<T>) {
    using U = std::remove_pointer_t<T>;
    const uint64_t value = outputOf(argument);
    if (value == before || value == 0) return;
    const auto typeHas = [&](std::string_view part) { return parameter.type.find(part) != std::string_view::npos; };
    if constexpr (std::is_same_v<U, void *>) {
      for (const char *code : {"funcPtr", "pfn", "fptr", "cubinOut", "userData"})
        if (parameter.name == code) return;
      pools.add("address", value);
    } else if constexpr (std::is_pointer_v<U>) {
      if constexpr (!isComplete<std::remove_pointer_t<U>>) pools.add(handleKind<U>(), value);
    } else if constexpr (std::is_integral_v<U>) {
      if (typeHas("CUdeviceptr")) pools.add("address", value);
      if (typeHas("Tex")) pools.add("texture", value);
      if (typeHas("Surf")) pools.add("surface", value);
      if (typeHas("GenericAllocationHandle")) pools.add("memory", value);
      if (typeHas("ConditionalHandle")) pools.add("conditional", value);
    }
  }
}

// noteFile() is for exports, whose first argument is where the file goes.
template <size_t i, typename T>
void noteFile(Pools &pools, const T &argument) {
  if constexpr (i == 0 && std::is_same_v<T, void *>) exported(pools, argument);
}

template <typename Result>
bool succeeded(const Result &result) {
  if constexpr (std::is_enum_v<Result>) return static_cast<int>(result) == 0;
  return true;
}

template <auto function, typename Result, typename... Arguments, size_t... i>
bool callOnce(Result (*)(Arguments...), std::index_sequence<i...>, const Entry &entry, Random &random, Pools &pools) {
  const Signature signature(entry.parameters);
  Draw draw(random, pools, entry.name, signature.hasCounts());
  std::tuple<std::decay_t<Arguments>...> arguments{draw.value<std::decay_t<Arguments>>(signature[i])...};
  const uint64_t before[] = {outputOf(std::get<i>(arguments))..., 0};
  (void)before;
  if (!succeeded(function(std::get<i>(arguments)...))) return false;
  (harvest(pools, std::get<i>(arguments), before[i], signature[i]), ...);
  if (entry.name.find("ExportToShareable") != std::string_view::npos) (noteFile<i>(pools, std::get<i>(arguments)), ...);
  return true;
}

template <auto function>
bool runEntry(const Entry &entry, Random &random, Pools &pools) {
  constexpr auto indices = []<typename R, typename... A>(R (*)(A...)) { return std::index_sequence_for<A...>(); };
  return callOnce<function>(function, indices(function), entry, random, pools);
}

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_FUZZ_CALL_H
