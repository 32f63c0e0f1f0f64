// NVTX's C++ interface. See nvToolsExt.h: no tool listens, so everything here is empty.
#ifndef HOSTWARP_NVTX3_NVTX3_HPP
#define HOSTWARP_NVTX3_NVTX3_HPP

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct rgb {
  uint8_t red, green, blue;
  constexpr rgb(uint8_t r, uint8_t g, uint8_t b) noexcept : red(r), green(g), blue(b) {}
};
struct argb {
  uint8_t alpha, red, green, blue;
  constexpr argb(uint8_t a, uint8_t r, uint8_t g, uint8_t b) noexcept : alpha(a), red(r), green(g), blue(b) {}
};
class color {
 public:
  constexpr explicit color(uint32_t) noexcept {}
  constexpr color(rgb) noexcept {}
  constexpr color(argb) noexcept {}
};
class category {
 public:
  constexpr explicit category(uint32_t) noexcept {}
};
class payload {
 public:
  template <class T>
  constexpr explicit payload(T) noexcept {}
};

class domain {
 public:
  struct global {};
  template <class D = global>
  static domain const &get() noexcept {
    static const domain instance;
    return instance;
  }
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

template <class D>
class registered_string_in {
 public:
  template <class Text>
  explicit registered_string_in(const Text &) noexcept {}
  template <class M>
  static registered_string_in const &get() noexcept {
    static const registered_string_in instance("");
    return instance;
  }
};
using registered_string = registered_string_in<domain::global>;

// Texts, colours, categories and payloads are taken in any order and number.
class event_attributes {
 public:
  template <class... Arguments>
  explicit event_attributes(const Arguments &...) noexcept {}
  operator const nvtxEventAttributes_t *() const noexcept { return nullptr; }
};
using message = event_attributes;

template <class D = domain::global>
class scoped_range_in {
 public:
  template <class... Arguments>
  explicit scoped_range_in(const Arguments &...) noexcept {}
  ~scoped_range_in() {}
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
};
using scoped_range = scoped_range_in<>;
using thread_range = scoped_range;

template <class D = domain::global>
class unique_range_in {
 public:
  template <class... Arguments>
  explicit unique_range_in(const Arguments &...) noexcept {}
  ~unique_range_in() {}
  unique_range_in(unique_range_in &&) noexcept {}
  unique_range_in &operator=(unique_range_in &&) noexcept { return *this; }
};
using unique_range = unique_range_in<>;

struct range_handle {
  uint64_t value = 0;
};
template <class D = domain::global, class... Arguments>
range_handle start_range_in(const Arguments &...) noexcept {
  return {};
}
template <class... Arguments>
range_handle start_range(const Arguments &...) noexcept {
  return {};
}
template <class D = domain::global>
void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}

template <class D = domain::global, class... Arguments>
void mark_in(const Arguments &...) noexcept {}
template <class... Arguments>
void mark(const Arguments &...) noexcept {}

}  // namespace v1
}  // namespace nvtx3

// CUB asks for this name before it uses the interface.
#define NVTX3_CPP_DEFINITIONS_V1_0

#define NVTX3_V1_FUNC_RANGE()
#define NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IN(D)

#endif  // HOSTWARP_NVTX3_NVTX3_HPP
