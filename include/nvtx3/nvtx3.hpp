// NVTX's C++ interface, over the functions of nvToolsExt.h.
#ifndef HOSTWARP_NVTX3_NVTX3_HPP
#define HOSTWARP_NVTX3_NVTX3_HPP

#include <string>
#include <type_traits>
#include <utility>

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct rgb {
  using component_type = uint8_t;
  uint8_t red, green, blue;
  constexpr rgb(uint8_t r, uint8_t g, uint8_t b) noexcept : red(r), green(g), blue(b) {}
};
struct argb {
  using component_type = uint8_t;
  uint8_t alpha, red, green, blue;
  constexpr argb(uint8_t a, uint8_t r, uint8_t g, uint8_t b) noexcept : alpha(a), red(r), green(g), blue(b) {}
};
class color {
 public:
  using value_type = uint32_t;
  constexpr explicit color(uint32_t code) noexcept : value_(code) {}
  constexpr color(argb c) noexcept
      : value_(uint32_t{c.alpha} << 24 | uint32_t{c.red} << 16 | uint32_t{c.green} << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb{0xFF, c.red, c.green, c.blue}) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

 private:
  value_type value_;
};

class domain {
 public:
  struct global {};
  // get() is the domain that D::name names, made at the first call; the default domain for `global`.
  template <class D = global>
  static domain const &get() noexcept {
    static const domain instance(create(static_cast<D *>(nullptr)));
    return instance;
  }
  operator nvtxDomainHandle_t() const noexcept { return handle_; }

 private:
  explicit domain(nvtxDomainHandle_t handle) noexcept : handle_(handle) {}
  static nvtxDomainHandle_t named(const char *name) noexcept { return nvtxDomainCreateA(name); }
  static nvtxDomainHandle_t named(const wchar_t *name) noexcept { return nvtxDomainCreateW(name); }
  static nvtxDomainHandle_t create(global *) noexcept { return nullptr; }
  template <class D>
  static nvtxDomainHandle_t create(D *) noexcept {
    return named(D::name);
  }

  nvtxDomainHandle_t handle_;
};

class category {
 public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};

template <class D = domain::global>
class named_category_in final : public category {
 public:
  // get() is the category that C::name and C::id describe.
  template <class C>
  static named_category_in const &get() noexcept {
    static const named_category_in instance(C::id, C::name);
    return instance;
  }
  named_category_in(id_type id, const char *name) noexcept : category(id) {
    nvtxDomainNameCategoryA(domain::get<D>(), id, name);
  }
  named_category_in(id_type id, const wchar_t *name) noexcept : category(id) {
    nvtxDomainNameCategoryW(domain::get<D>(), id, name);
  }
};
using named_category = named_category_in<>;

class payload {
 public:
  using value_type = decltype(nvtxEventAttributes_t::payload);
  explicit payload(int64_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT64) { value_.llValue = value; }
  explicit payload(int32_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT32) { value_.iValue = value; }
  explicit payload(uint64_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) { value_.ullValue = value; }
  explicit payload(uint32_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) { value_.uiValue = value; }
  explicit payload(float value) noexcept : type_(NVTX_PAYLOAD_TYPE_FLOAT) { value_.fValue = value; }
  explicit payload(double value) noexcept : type_(NVTX_PAYLOAD_TYPE_DOUBLE) { value_.dValue = value; }
  value_type get_value() const noexcept { return value_; }
  nvtxPayloadType_t get_type() const noexcept { return type_; }

 private:
  nvtxPayloadType_t type_;
  value_type value_;
};

template <class D = domain::global>
class registered_string_in {
 public:
  explicit registered_string_in(const char *text) noexcept
      : handle_(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(const wchar_t *text) noexcept
      : handle_(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
  explicit registered_string_in(std::string const &text) noexcept : registered_string_in(text.c_str()) {}
  explicit registered_string_in(std::wstring const &text) noexcept : registered_string_in(text.c_str()) {}
  // get() is the string M::message, registered at the first call.
  template <class M>
  static registered_string_in const &get() noexcept {
    static const registered_string_in instance(M::message);
    return instance;
  }
  nvtxStringHandle_t get_handle() const noexcept { return handle_; }

 private:
  nvtxStringHandle_t handle_;
};
using registered_string = registered_string_in<>;

class message {
 public:
  using value_type = nvtxMessageValue_t;
  message(const char *text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII) { value_.ascii = text; }
  message(std::string const &text) noexcept : message(text.c_str()) {}
  message(std::string &&text) = delete;
  message(const wchar_t *text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
  message(std::wstring const &text) noexcept : message(text.c_str()) {}
  message(std::wstring &&text) = delete;
  template <class D>
  message(registered_string_in<D> const &string) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) {
    value_.registered = string.get_handle();
  }
  message(nvtxMessageType_t type, nvtxMessageValue_t const &value) noexcept : type_(type), value_(value) {}
  value_type get_value() const noexcept { return value_; }
  nvtxMessageType_t get_type() const noexcept { return type_; }

 private:
  nvtxMessageType_t type_;
  value_type value_;
};

// Texts, colours, categories and payloads are taken in any order and number; the first of a kind counts.
class event_attributes {
 public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept : value_() {
    value_.version = NVTX_VERSION;
    value_.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  }
  template <class... Rest>
  explicit event_attributes(category const &c, Rest const &...rest) noexcept : event_attributes(rest...) {
    value_.category = c.get_id();
  }
  template <class... Rest>
  explicit event_attributes(color const &c, Rest const &...rest) noexcept : event_attributes(rest...) {
    value_.color = c.get_value();
    value_.colorType = c.get_type();
  }
  template <class... Rest>
  explicit event_attributes(payload const &p, Rest const &...rest) noexcept : event_attributes(rest...) {
    value_.payload = p.get_value();
    value_.payloadType = p.get_type();
  }
  template <class... Rest>
  explicit event_attributes(message const &m, Rest const &...rest) noexcept : event_attributes(rest...) {
    value_.message = m.get_value();
    value_.messageType = m.get_type();
  }
  value_type const *get() const noexcept { return &value_; }

 private:
  value_type value_;
};

template <class D = domain::global>
class scoped_range_in {
 public:
  explicit scoped_range_in(event_attributes const &attributes) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), attributes.get());
  }
  template <class... Arguments>
  explicit scoped_range_in(Arguments const &...arguments) noexcept : scoped_range_in(event_attributes{arguments...}) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes{}) {}
  ~scoped_range_in() { nvtxDomainRangePop(domain::get<D>()); }
  void *operator new(size_t) = delete;
  scoped_range_in(scoped_range_in const &) = delete;
  scoped_range_in &operator=(scoped_range_in const &) = delete;
};
using scoped_range = scoped_range_in<>;
using thread_range = scoped_range;

struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id = 0) noexcept : value(id) {}
  constexpr explicit operator bool() const noexcept { return value != 0; }
  constexpr value_type get_value() const noexcept { return value; }
  friend constexpr bool operator==(range_handle a, range_handle b) noexcept { return a.value == b.value; }
  friend constexpr bool operator!=(range_handle a, range_handle b) noexcept { return a.value != b.value; }
  value_type value;
};

template <class D = domain::global>
range_handle start_range_in(event_attributes const &attributes) noexcept {
  return range_handle{nvtxDomainRangeStartEx(domain::get<D>(), attributes.get())};
}
template <class D = domain::global, class... Arguments>
range_handle start_range_in(Arguments const &...arguments) noexcept {
  return start_range_in<D>(event_attributes{arguments...});
}
inline range_handle start_range(event_attributes const &attributes) noexcept { return start_range_in<>(attributes); }
template <class... Arguments>
range_handle start_range(Arguments const &...arguments) noexcept {
  return start_range_in<>(event_attributes{arguments...});
}
template <class D = domain::global>
void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept { end_range_in<>(range); }

template <class D = domain::global>
class unique_range_in {
 public:
  explicit unique_range_in(event_attributes const &attributes) noexcept : handle_(start_range_in<D>(attributes)) {}
  template <class... Arguments>
  explicit unique_range_in(Arguments const &...arguments) noexcept : unique_range_in(event_attributes{arguments...}) {}
  unique_range_in() noexcept : unique_range_in(event_attributes{}) {}
  ~unique_range_in() {
    if (handle_) end_range_in<D>(handle_);
  }
  unique_range_in(unique_range_in &&other) noexcept : handle_(other.handle_) { other.handle_ = range_handle(); }
  unique_range_in &operator=(unique_range_in &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

 private:
  range_handle handle_;
};
using unique_range = unique_range_in<>;

template <class D = domain::global>
void mark_in(event_attributes const &attributes) noexcept {
  nvtxDomainMarkEx(domain::get<D>(), attributes.get());
}
template <class D = domain::global, class... Arguments>
void mark_in(Arguments const &...arguments) noexcept {
  mark_in<D>(event_attributes{arguments...});
}
inline void mark(event_attributes const &attributes) noexcept { mark_in<>(attributes); }
template <class... Arguments>
void mark(Arguments const &...arguments) noexcept {
  mark_in<>(event_attributes{arguments...});
}

}  // namespace v1
}  // namespace nvtx3

// CUB asks for this name before it uses the interface.
#define NVTX3_CPP_DEFINITIONS_V1_0

#define NVTX3_V1_FUNC_RANGE_IN(D) \
  const ::nvtx3::v1::scoped_range_in<D> nvtx3_func_range__ { __func__ }
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE()

#endif  // HOSTWARP_NVTX3_NVTX3_HPP
