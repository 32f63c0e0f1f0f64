#include "tests/stress/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace hostwarp::stress {

namespace {

void read(const char *text, int *value) { *value = std::atoi(text); }
void read(const char *text, uint64_t *value) { *value = std::strtoull(text, nullptr, 0); }
void read(const char *text, double *value) { *value = std::atof(text); }
void read(const char *text, std::string *value) { *value = text; }
void read(const char *, bool *value) { *value = true; }

}  // namespace

bool parseOptions(std::span<char *const> arguments, std::initializer_list<CommandOption> options) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    const auto *option =
        std::find_if(options.begin(), options.end(), [&](const auto &each) { return each.name == name; });
    if (option == options.end()) return false;
    const bool isSwitch = std::holds_alternative<bool *>(option->value);
    if (!isSwitch && ++i == arguments.size()) return false;
    std::visit([text = arguments[i]](auto *value) { read(text, value); }, option->value);
  }
  return true;
}

void restartOnSmallDevices(char **argv, std::initializer_list<EnvironmentSetting> more) {
  constexpr const char *mark = "HOSTWARP_STRESS";
  if (std::getenv(mark)) return;
  const auto set = [](const EnvironmentSetting &setting) { setenv(setting.name, setting.value, 0); };
  for (const EnvironmentSetting setting : {EnvironmentSetting{"HOSTWARP_DEVICES", "h100,a100"},
                                           {"HOSTWARP_MEMORY_LIMIT", "64M"},
                                           {"HOSTWARP_QUIET", "1"},
                                           {mark, "1"}})
    set(setting);
  for (const EnvironmentSetting &setting : more) set(setting);
  execv("/proc/self/exe", argv);
}

}  // namespace hostwarp::stress
