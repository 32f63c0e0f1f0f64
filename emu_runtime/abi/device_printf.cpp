// printf() of device code [CUDA 5.6 formatted output].
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "emu_runtime/abi/exports.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::abi {
namespace {

// PackedArguments reads the buffer that clang makes of printf's arguments: each at its natural alignment.
class PackedArguments {
 public:
  explicit PackedArguments(const void *buffer) : next_(static_cast<const char *>(buffer)) {}

  template <typename T>
  T take() {
    const auto address = (reinterpret_cast<uintptr_t>(next_) + sizeof(T) - 1) & ~(sizeof(T) - 1);
    T value;
    std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof(T));  // NOLINT
    next_ = reinterpret_cast<const char *>(address) + sizeof(T);              // NOLINT
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const char *next_;
  int count_ = 0;
};

// Conversion is one %-specification: `text` is all of it, in C's form with '*' not yet filled in.
struct Conversion {
  std::string_view text;
  char size = 0;  // 'l': long or long long, 'h', or 0
  char type = 0;  // 0: not a specification that CUDA knows
};

Conversion parse(std::string_view format) {
  constexpr std::string_view modifiers = "#-+ 0123456789.*";
  constexpr std::string_view sizes = "hlLqjzt";
  constexpr std::string_view types = "diouxXcspeEfFgGaA%";
  Conversion conversion;
  size_t end = 1;
  while (end < format.size() && modifiers.find(format[end]) != std::string_view::npos) ++end;
  for (; end < format.size() && sizes.find(format[end]) != std::string_view::npos; ++end) {
    conversion.size = format[end] == 'h' ? 'h' : 'l';
  }
  if (end < format.size() && types.find(format[end]) != std::string_view::npos) conversion.type = format[end++];
  conversion.text = format.substr(0, end);
  return conversion;
}

// hostFormat() rewrites the specification for the host's printf: stars become numbers, every integer is 64 bits wide.
std::string hostFormat(const Conversion &conversion, PackedArguments &arguments) {
  constexpr std::string_view integers = "diouxX";
  std::string format;
  for (char c : conversion.text.substr(0, conversion.text.size() - 1)) {
    if (c == '*') {
      format += std::to_string(arguments.take<int32_t>());
    } else if (c != 'h' && std::string_view("lLqjzt").find(c) == std::string_view::npos) {
      format += c;
    }
  }
  if (integers.find(conversion.type) != std::string_view::npos) format += "ll";
  return format + conversion.type;
}

template <typename T>
void append(std::string &out, const std::string &format, T value) {
  char small[128];
  const int length = std::snprintf(small, sizeof(small), format.c_str(), value);
  if (length < 0) return;
  if (static_cast<size_t>(length) < sizeof(small)) {
    out.append(small, static_cast<size_t>(length));
    return;
  }
  const size_t before = out.size();
  out.resize(before + static_cast<size_t>(length) + 1);
  std::snprintf(out.data() + before, static_cast<size_t>(length) + 1, format.c_str(), value);
  out.pop_back();
}

long long takeSigned(const Conversion &conversion, PackedArguments &arguments) {
  if (conversion.size == 'l') return arguments.take<int64_t>();
  const auto value = arguments.take<int32_t>();
  return conversion.size == 'h' ? static_cast<int16_t>(value) : value;
}

unsigned long long takeUnsigned(const Conversion &conversion, PackedArguments &arguments) {
  if (conversion.size == 'l') return arguments.take<uint64_t>();
  const auto value = arguments.take<uint32_t>();
  return conversion.size == 'h' ? static_cast<uint16_t>(value) : value;
}

void appendConversion(std::string &out, const Conversion &conversion, PackedArguments &arguments) {
  const std::string format = hostFormat(conversion, arguments);
  switch (conversion.type) {
    case 'd':
    case 'i':
      return append(out, format, takeSigned(conversion, arguments));
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return append(out, format, takeUnsigned(conversion, arguments));
    case 'c':
      return append(out, format, arguments.take<int32_t>());
    case 'p':
      return append(out, format, arguments.take<const void *>());
    case 's': {
      const char *text = arguments.take<const char *>();
      return append(out, format, text ? text : "(null)");
    }
    default:
      return append(out, format, arguments.take<double>());
  }
}

// render() returns the text of a call and sets the number of arguments it used.
std::string render(std::string_view format, const void *buffer, int &used) {
  PackedArguments arguments(buffer);
  std::string out;
  while (!format.empty()) {
    const size_t percent = std::min(format.find('%'), format.size());
    out.append(format.substr(0, percent));
    format.remove_prefix(percent);
    if (format.empty()) break;
    const Conversion conversion = parse(format);
    if (conversion.type == 0) {
      out.append(conversion.text);  // CUDA prints what it does not know as it stands
    } else if (conversion.type == '%') {
      out += '%';
    } else {
      appendConversion(out, conversion, arguments);
    }
    format.remove_prefix(conversion.text.size());
  }
  used = arguments.count();
  return out;
}

}  // namespace
}  // namespace hostwarp::abi

HOSTWARP_ABI int hw_vprintf(const char *format, const void *arguments) noexcept {
  if (!format) return -1;
  int used = 0;
  const std::string text = hostwarp::abi::render(format, arguments, used);
  // One call, so that the lines of different threads do not mix.
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return -2;
  return used;
}
