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

// OptionType says which values an option takes. An empty text is the default for all types but Text.
enum class OptionType {
  Text,
  Switch,      // 1/0, on/off, yes/no, true/false
  Workers,     // a whole number from 0 to 4096
  Seed,        // a whole number of 64 bits without a sign, also as 0x...
  Seconds,     // a number that is not negative
  Isa,         // baseline, avx2, avx512
  Form,        // auto, fibers
  Clock,       // real, counted
  Specialise,  // auto, always, off
  Build,       // debug, checked
  Volatile,    // plain, polled, atomic
  Init,        // load, or empty
  Async,       // early, late
  Backend,     // auto, auto:N, cpu, gpu
};

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

// isValid() tells whether the text is a value of the option.
bool isValid(Option option, const std::string &text);

// optionText() gives the variable's text, or the default. The environment is read at the first use of any option;
// later changes have no effect. A value that does not fit the type is reported once and counts as absent. pre: the
// accessor fits the option's type: optionText() is for Text and lists of names, optionInteger() for Workers and Seed.
// Of Backend the text is auto, cpu or gpu, and the integer N of auto:N, else 0. Thread-safe.
const std::string &optionText(Option option);
uint64_t optionInteger(Option option);
double optionSeconds(Option option);
bool optionSwitch(Option option);
// timeIsCounted() is whether HOSTWARP_CLOCK says so.
bool timeIsCounted();

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_OPTIONS_H
