// What the stress programs have in common at their start: options, and the environment of small devices.
#ifndef HOSTWARP_TESTS_STRESS_COMMAND_LINE_H
#define HOSTWARP_TESTS_STRESS_COMMAND_LINE_H

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace hostwarp::stress {

// CommandOption is an option's name and where its value goes; a bool is set by the name alone.
struct CommandOption {
  std::string_view name;
  std::variant<bool *, int *, uint64_t *, double *, std::string *> value;
};

// parseOptions() reads `arguments`; false: one of them is unknown or lacks its value.
bool parseOptions(std::span<char *const> arguments, std::initializer_list<CommandOption> options);

// EnvironmentSetting is a variable and its value, unless the user has given it one.
struct EnvironmentSetting {
  const char *name, *value;
};

// restartOnSmallDevices() starts the program again on two small devices, so that there is an end to memory, and quiet:
// some of the environment is read before main(). Returns in the program that was started.
void restartOnSmallDevices(char **argv, std::initializer_list<EnvironmentSetting> more = {});

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_COMMAND_LINE_H
