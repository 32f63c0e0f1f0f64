// Draw: arguments for one call, valid and wrong ones alike, chosen by type and name of the parameter.
#ifndef HOSTWARP_TESTS_STRESS_FUZZ_DRAW_H
#define HOSTWARP_TESTS_STRESS_FUZZ_DRAW_H

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tests/stress/fuzz/pools.h"

namespace hostwarp::stress {

// Parameter is one parameter or one field: how its type is written (empty for fields) and its name.
struct Parameter {
  std::string_view type;
  std::string_view name;
};

// Draw makes the arguments of one call. Memory that arguments point to is allocated for this call, in exactly the
// size that the callee may touch, and freed after it.
class Draw {
 public:
  // `function` is the name of the function, `hasCounts` that one of its parameters says how long an array is.
  Draw(Random &random, Pools &pools, std::string_view function, bool hasCounts);
  Draw(const Draw &) = delete;
  Draw &operator=(const Draw &) = delete;
  // A link writes into what its options point to until its end, so that memory is left to the pools.
  ~Draw();

  // value() draws an argument.
  template <typename T>
  T value(const Parameter &parameter) {
    T drawn;
    std::memset(static_cast<void *>(&drawn), 0, sizeof(drawn));
    fillOne(drawn, parameter);
    return drawn;
  }

  // each() draws the fields of a structure; `names` are theirs, with commas between.
  template <typename... Fields>
  void each(std::string_view names, Fields &...fields) {
    (fillOne(fields, Parameter{{}, nextName(names)}), ...);
  }

  // fillOne() draws one value in place.
  template <typename T>
  void fillOne(T &out, const Parameter &parameter);

  // bytes() fills a structure that only the callee understands.
  void bytes(void *out, size_t count);

  Random &random() { return random_; }
  Pools &pools() { return pools_; }

 private:
  static std::string_view nextName(std::string_view &names);
  bool functionHas(std::string_view part) const { return function_.find(part) != std::string_view::npos; }

  // errs() tells, once in n times, to be wrong; never in a careful call.
  bool errs(uint64_t n) { return !careful_ && random_.oneIn(n); }

  uint64_t integer(const Parameter &parameter, size_t bytes, bool isSigned);
  int64_t enumerator(const Parameter &parameter);
  uint64_t number(const Parameter &parameter);
  uint64_t sizeInBytes(const Parameter &parameter);
  uint64_t waitFlags();
  bool namesCount(std::string_view name) const;
  bool namesSmallDimension(std::string_view name) const;
  bool isAlloc() const;

  void *untyped(const Parameter &parameter);
  void *address(const Parameter &parameter);
  void *function();
  void *image();
  void *scratch();
  void *fileDescriptor();
  void **pointers(const Parameter &parameter);
  void **kernelArguments();
  void **launchBuffer();
  char *text(const Parameter &parameter, bool constant);
  void *block(size_t bytes);
  size_t arrayLength(const Parameter &parameter) const;

  template <typename U>
  U *array(const Parameter &parameter);

  Random &random_;
  Pools &pools_;
  std::string_view function_;
  bool hasCounts_;
  bool careful_;  // every argument is likely to be right by itself
  bool tame_;     // ordinary memory of the program may be drawn, and sizes are small enough for it
  int depth_ = 0;
  std::vector<Block> blocks_;
};

// most() is how many elements arrays have whose length another parameter gives.
constexpr size_t most = 16;

template <typename T, typename = void>
constexpr bool isComplete = false;
template <typename T>
constexpr bool isComplete<T, std::void_t<decltype(sizeof(T))>> = true;

// Callback is a function of any type that does nothing.
template <typename T>
struct Callback;
template <typename R, typename... A>
struct Callback<R (*)(A...)> {
  static R call(A...) { return R(); }
};

template <typename U>
U *Draw::array(const Parameter &parameter) {
  if (errs(10) || depth_ > 3) return nullptr;
  const size_t length = arrayLength(parameter);
  U *elements = static_cast<U *>(block(length * sizeof(U)));
  ++depth_;
  const Parameter element{parameter.type, parameter.name};
  for (size_t i = 0; i < length; ++i) {
    // Few elements make the point; the rest are copies.
    if (i < 3) {
      fillOne(elements[i], element);
    } else {
      std::memcpy(static_cast<void *>(&elements[i]), static_cast<const void *>(&elements[i % 3]), sizeof(U));
    }
  }
  --depth_;
  return elements;
}

template <typename T>
void Draw::fillOne(T &out, const Parameter &parameter) {
  if constexpr (std::is_enum_v<T>) {
    const auto number = static_cast<std::underlying_type_t<T>>(enumerator(parameter));
    std::memcpy(&out, &number, sizeof(out));
  } else if constexpr (std::is_floating_point_v<T>) {
    const T some[] = {T(0), T(1), T(-1), T(0.5), T(1e30), T(-1e30), T(__builtin_nan("")), T(__builtin_inf())};
    out = random_.of(some);
  } else if constexpr (std::is_integral_v<T>) {
    out = static_cast<T>(integer(parameter, sizeof(T), std::is_signed_v<T>));
  } else if constexpr (std::is_array_v<T>) {
    for (auto &element : out) fillOne(element, parameter);
  } else if constexpr (!std::is_pointer_v<T>) {
    if constexpr (requires(Draw &draw, T &value) { fill(draw, value); }) {
      fill(*this, out);
    } else {
      bytes(&out, sizeof(out));
    }
  } else {
    using U = std::remove_const_t<std::remove_pointer_t<T>>;
    if constexpr (std::is_function_v<U>) {
      out = errs(6) ? nullptr : &Callback<T>::call;
    } else if constexpr (std::is_void_v<U>) {
      out = untyped(parameter);
    } else if constexpr (std::is_same_v<U, char>) {
      out = text(parameter, std::is_const_v<std::remove_pointer_t<T>>);
    } else if constexpr (std::is_same_v<U, void *> || std::is_same_v<U, const void *>) {
      out = const_cast<U *>(reinterpret_cast<const U *>(pointers(parameter)));
    } else if constexpr (!isComplete<U>) {
      out = static_cast<U *>(pools_.handle(random_, handleKind<U *>(), careful_));
    } else {
      out = array<U>(parameter);
    }
  }
}

}  // namespace hostwarp::stress

#include "tests/stress/fuzz/structures.h"

#endif  // HOSTWARP_TESTS_STRESS_FUZZ_DRAW_H
