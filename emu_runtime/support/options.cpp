#include "emu_runtime/support/options.h"

#include <strings.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include "emu_runtime/support/log.h"

namespace hostwarp {
namespace {

constexpr OptionInfo table[] = {
#define HOSTWARP_OPTION(name, type, byDefault, help) \
  {Option::name, "HOSTWARP_" #name, OptionType::type, byDefault, help},
#include "emu_runtime/support/options.def"
#undef HOSTWARP_OPTION
};
constexpr int tableSize = sizeof(table) / sizeof(table[0]);

constexpr uint64_t mostWorkers = 4096;  // each has a stack and a thread of the operating system

constexpr uint64_t mostGpus = 1024;

struct Value {
  std::string text;
  uint64_t integer = 0;
  double number = 0;
};

std::optional<Value> parseSwitch(const std::string &text) {
  for (const char *yes : {"1", "on", "yes", "true"})
    if (strcasecmp(text.c_str(), yes) == 0) return Value{text, 1};
  for (const char *no : {"0", "off", "no", "false"})
    if (strcasecmp(text.c_str(), no) == 0) return Value{text, 0};
  return std::nullopt;
}

// parseInteger() takes no sign, which strtoull() would.
std::optional<Value> parseInteger(const std::string &text, uint64_t most) {
  char *end = nullptr;
  errno = 0;
  const uint64_t integer = std::strtoull(text.c_str(), &end, 0);
  if (std::isdigit(static_cast<unsigned char>(text[0])) == 0 || *end != '\0' || errno != 0 || integer > most)
    return std::nullopt;
  return Value{text, integer};
}

std::optional<Value> parseSeconds(const std::string &text) {
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(number) || number < 0) return std::nullopt;
  return Value{text, 0, number};
}

std::optional<Value> parseName(const std::string &text, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, text) != names.end() ? std::optional(Value{text}) : std::nullopt;
}

// parseBackend() gives as the integer how many GPUs auto asks for.
std::optional<Value> parseBackend(const std::string &text) {
  constexpr std::string_view counted = "auto:";
  if (!text.starts_with(counted)) return parseName(text, {"auto", "cpu", "gpu"});
  const std::optional<Value> count = parseInteger(text.substr(counted.size()), mostGpus);
  return count && count->integer > 0 ? std::optional(Value{"auto", count->integer}) : std::nullopt;
}

std::optional<Value> parse(OptionType type, const std::string &text) {
  switch (type) {
    case OptionType::Text:
      return Value{text};
    case OptionType::Switch:
      return parseSwitch(text);
    case OptionType::Workers:
      return parseInteger(text, mostWorkers);
    case OptionType::Seed:
      return parseInteger(text, std::numeric_limits<uint64_t>::max());
    case OptionType::Seconds:
      return parseSeconds(text);
    case OptionType::Isa:
      return parseName(text, {"baseline", "avx2", "avx512"});
    case OptionType::Form:
      return parseName(text, {"auto", "any_block", "fibers"});
    case OptionType::Clock:
      return parseName(text, {"real", "counted"});
    case OptionType::Specialise:
      return parseName(text, {"auto", "always", "off"});
    case OptionType::Build:
      return parseName(text, {"", "debug", "checked"});
    case OptionType::Init:
      return parseName(text, {"load", "use"});
    case OptionType::Volatile:
      return parseName(text, {"plain", "polled", "atomic"});
    case OptionType::Async:
      return parseName(text, {"early", "late"});
    case OptionType::Backend:
      return parseBackend(text);
  }
  return std::nullopt;
}

Value read(const OptionInfo &info) {
  if (const char *text = secure_getenv(info.variable); text != nullptr && *text != '\0') {
    if (auto value = parse(info.type, text)) return *value;
    logLine(std::string(info.variable) + "=" + text + " is ignored, it takes: " + info.help);
  }
  return parse(info.type, info.byDefault).value_or(Value{});
}

const Value &valueOf(Option option, [[maybe_unused]] std::initializer_list<OptionType> types) {
  // Never destroyed: threads may still ask while the process exits.
  static const auto *values = [] {
    auto *all = new std::array<Value, tableSize>;
    for (int i = 0; i < tableSize; ++i) (*all)[i] = read(table[i]);
    return all;
  }();
  int index = static_cast<int>(option);
  assert(std::ranges::find(types, table[index].type) != types.end());
  return (*values)[index];
}

}  // namespace

const int optionCount = tableSize;
const OptionInfo &optionInfo(int index) { return table[index]; }

bool isValid(Option option, const std::string &text) {
  return text.empty() || parse(table[static_cast<int>(option)].type, text).has_value();
}

const std::string &optionText(Option option) {
  return valueOf(option,
                 {OptionType::Text, OptionType::Isa, OptionType::Form, OptionType::Build, OptionType::Volatile,
                  OptionType::Init, OptionType::Async, OptionType::Backend, OptionType::Specialise, OptionType::Clock})
      .text;
}
uint64_t optionInteger(Option option) {
  return valueOf(option, {OptionType::Workers, OptionType::Seed, OptionType::Backend}).integer;
}
double optionSeconds(Option option) { return valueOf(option, {OptionType::Seconds}).number; }
bool timeIsCounted() {
  static const bool isCounted = optionText(Option::CLOCK) == "counted";
  return isCounted;
}
bool optionSwitch(Option option) { return valueOf(option, {OptionType::Switch}).integer != 0; }

}  // namespace hostwarp
