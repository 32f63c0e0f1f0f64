// The HOSTWARP_* environment variables, read through one accessor per type.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_OPTIONS_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_OPTIONS_H

#include <cstdint>
#include <string>

namespace hostwarp {

enum class Option {
#define HOSTWARP_OPTION(name, type, byDefault, help) name,
#include "emu_runtime/support/options.def"
#undef HOSTWARP_OPTION
};

enum class OptionType { Text, Integer, Number, Switch };

struct OptionInfo {
  Option option;
  const char *variable;  // "HOSTWARP_TRACE"
  OptionType type;
  const char *byDefault;
  const char *help;
};

// optionCount and optionInfo() list the table, for documentation and `hostwarp info`.
extern const int optionCount;
const OptionInfo &optionInfo(int index);

// optionText() gives the variable's text, or the default. The environment is read at the first use of any option;
// later changes have no effect. A value that does not fit the type is reported once and counts as absent. pre: the
// accessor fits the option's type. Thread-safe.
const std::string &optionText(Option option);
int64_t optionInteger(Option option);
double optionNumber(Option option);
bool optionSwitch(Option option);

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_OPTIONS_H
