#include "emu_runtime/support/options.h"

#include <strings.h>

#include <array>
#include <cassert>
#include <cstdlib>
#include <optional>

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

struct Value {
  std::string text;
  int64_t integer = 0;
  double number = 0;
};

std::optional<int64_t> parseSwitch(const std::string &text) {
  for (const char *yes : {"1", "on", "yes", "true"})
    if (strcasecmp(text.c_str(), yes) == 0) return 1;
  for (const char *no : {"0", "off", "no", "false"})
    if (strcasecmp(text.c_str(), no) == 0) return 0;
  return std::nullopt;
}

std::optional<Value> parse(OptionType type, const std::string &text) {
  Value value{text, 0, 0};
  char *end = nullptr;
  switch (type) {
    case OptionType::Text:
      return value;
    case OptionType::Integer:
      value.integer = std::strtoll(text.c_str(), &end, 0);
      break;
    case OptionType::Number:
      value.number = std::strtod(text.c_str(), &end);
      break;
    case OptionType::Switch:
      if (auto parsed = parseSwitch(text)) {
        value.integer = *parsed;
        return value;
      }
      return std::nullopt;
  }
  if (text.empty() || *end) return std::nullopt;
  return value;
}

Value read(const OptionInfo &info) {
  if (const char *text = std::getenv(info.variable)) {
    if (auto value = parse(info.type, text)) return *value;
    logLine(std::string(info.variable) + "=" + text + " is ignored: " + info.help);
  }
  return parse(info.type, info.byDefault).value();
}

const Value &valueOf(Option option, [[maybe_unused]] OptionType type) {
  // Never destroyed: threads may still ask while the process exits.
  static const auto *values = [] {
    auto *all = new std::array<Value, tableSize>;
    for (int i = 0; i < tableSize; ++i) (*all)[i] = read(table[i]);
    return all;
  }();
  int index = static_cast<int>(option);
  assert(table[index].type == type);
  return (*values)[index];
}

}  // namespace

const int optionCount = tableSize;
const OptionInfo &optionInfo(int index) { return table[index]; }

const std::string &optionText(Option option) { return valueOf(option, OptionType::Text).text; }
int64_t optionInteger(Option option) { return valueOf(option, OptionType::Integer).integer; }
double optionNumber(Option option) { return valueOf(option, OptionType::Number).number; }
bool optionSwitch(Option option) { return valueOf(option, OptionType::Switch).integer != 0; }

}  // namespace hostwarp
