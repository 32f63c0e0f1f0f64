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

std::string checkDevices(std::string_view list) {
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    const std::string_view id = part.substr(0, part.find(':'));
    if (device_model::find(id) == nullptr)
      return "no GPU is called '" + std::string(id) + "'; `hostwarp devices` lists them";
    list.remove_prefix(std::min(part.size() + 1, list.size()));
  }
  return "";
}

std::string checkNothing(std::string_view) { return ""; }

struct RunOption {
  std::string_view flag;
  const char *variable;
  const char *placeholder;  // null: the option takes no value
  std::string (*check)(std::string_view);
  const char *help;
};
constexpr RunOption options[] = {
    {"--device", "HOSTWARP_DEVICES", "X", checkDevices, "be this GPU; several: h100,a100 or h100:4"},
    {"--seed", "HOSTWARP_SEED", "N", checkOption<Option::SEED>,
     "draw the schedule of blocks and threads from this number"},
    {"--workers", "HOSTWARP_WORKERS", "N", checkOption<Option::WORKERS>, "run kernels on N threads"},
    {"--timeout", "HOSTWARP_TIMEOUT", "S", checkOption<Option::TIMEOUT>, "end a kernel after S seconds"},
    {"--form", "HOSTWARP_FORM", "F", checkOption<Option::FORM>, "fibers: a fiber for each thread, also in order"},
    {"--memory", "HOSTWARP_MEMORY_LIMIT", "B", checkNothing, "memory per device, e.g. 2G"},
    {"--trace", "HOSTWARP_TRACE", nullptr, checkNothing, "print every call of the CUDA API"},
    {"--progress", "HOSTWARP_PROGRESS", nullptr, checkNothing, "show how far long kernels have come"},
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
  if (option->placeholder == nullptr && hasValue) return flag + " takes no value";
  if (option->placeholder != nullptr && !hasValue) {
    if (rest.empty()) return flag + " needs a value";
    value = rest[0];
    rest = rest.subspan(1);
  }
  if (std::string wrong = option->check(value); !wrong.empty()) return flag + ": " + wrong;
  setVariable(option->variable, value);
  return std::nullopt;
}

}  // namespace

void runHelp() {
  for (const RunOption &option : options) {
    const std::string left =
        std::string(option.flag) + (option.placeholder ? std::string(" ") + option.placeholder : "");
    std::printf("  %-12s %s (%s)\n", left.c_str(), option.help, option.variable);
  }
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
  return execute(arguments);
}

}  // namespace hostwarp::tool
