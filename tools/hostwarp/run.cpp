#include <cstdio>
#include <optional>

#include "device_model/gpu.h"
#include "emu_runtime/support/options.h"
#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

// A check returns what is wrong with an option's value, or an empty string.
template <Option option>
std::string checkOption(std::string_view value) {
  const std::string text(value);
  return !text.empty() && isValid(option, text) ? "" : "'" + text + "' is none of its values";
}

std::string checkNothing(std::string_view) { return ""; }

struct RunOption {
  std::string_view flag;
  const char *variable;
  bool hasValue;
  std::string (*check)(std::string_view);
};
constexpr RunOption options[] = {
    {"--backend", "HOSTWARP_BACKEND", true, checkOption<Option::BACKEND>},
    {"--device", "HOSTWARP_DEVICES", true, unknownDevice},
    {"--seed", "HOSTWARP_SEED", true, checkOption<Option::SEED>},
    {"--workers", "HOSTWARP_WORKERS", true, checkOption<Option::WORKERS>},
    {"--timeout", "HOSTWARP_TIMEOUT", true, checkOption<Option::TIMEOUT>},
    {"--form", "HOSTWARP_FORM", true, checkOption<Option::FORM>},
    {"--memory", "HOSTWARP_MEMORY_LIMIT", true, checkNothing},
    {"--trace", "HOSTWARP_TRACE", false, checkNothing},
    {"--progress", "HOSTWARP_PROGRESS", false, checkNothing},
};

const RunOption *findOption(std::string_view flag) {
  for (const RunOption &option : options)
    if (option.flag == flag) return &option;
  return nullptr;
}

// applyOption() reads the option at the front, sets its variable and removes it; a complaint if it is wrong.
std::optional<std::string> applyOption(Arguments &rest) {
  const size_t equals = rest[0].find('=');
  const std::string flag(rest[0].substr(0, equals));
  const RunOption *option = findOption(flag);
  if (option == nullptr) return "unknown option '" + flag + "'; see hostwarp help";
  const bool hasValue = equals != std::string_view::npos;
  std::string value = hasValue ? std::string(rest[0].substr(equals + 1)) : "1";
  rest = rest.subspan(1);
  if (!option->hasValue && hasValue) return flag + " takes no value";
  if (option->hasValue && !hasValue) {
    if (rest.empty()) return flag + " needs a value";
    value = rest[0];
    rest = rest.subspan(1);
  }
  if (std::string wrong = option->check(value); !wrong.empty()) return flag + ": " + wrong;
  setVariable(option->variable, value);
  return std::nullopt;
}

}  // namespace

std::string unknownDevice(std::string_view list) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    const std::string_view id = part.substr(0, part.find(':'));
    if (device_model::find(id) == nullptr)
      return "no GPU is called '" + std::string(id) + "'; `hostwarp devices` lists them";
    list.remove_prefix(std::min(part.size() + 1, list.size()));
  }
  return "";
}

int run(Arguments arguments) {
  while (!arguments.empty() && arguments[0].starts_with('-')) {
    const bool last = arguments[0] == "--";
    if (last) {
      arguments = arguments.subspan(1);
      break;
    }
    if (std::optional<std::string> wrong = applyOption(arguments)) return fail(*wrong);
  }
  if (arguments.empty()) return fail("run needs a program");
  return executeProgram(arguments);
}

}  // namespace hostwarp::tool
