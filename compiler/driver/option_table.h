// The table of options (options.def) as data.
#ifndef HOSTWARP_COMPILER_DRIVER_OPTION_TABLE_H
#define HOSTWARP_COMPILER_DRIVER_OPTION_TABLE_H

#include <span>
#include <string>
#include <string_view>

#include "compiler/driver/invocation.h"
#include "compiler/driver/result.h"

namespace hostwarp::driver {

enum class OptionKind { Flag, Boolean, Text, RepeatableText, Number, List, Words };

struct OptionSpec {
  const char *longName;
  const char *shortName;
  OptionKind kind;
  bool joined;          // the argument may follow the short name without a space
  const char *allowed;  // comma-separated values, or empty: any
  Status (*apply)(Invocation &v, const std::string &value);
};

std::span<const OptionSpec> allOptions();

// helpOf() says what the option does; empty for those that have no effect.
std::string_view helpOf(const OptionSpec &option);

// findOption() is the option that `spelling` (with its dashes, without an argument) names, or null.
const OptionSpec *findOption(std::string_view spelling);

// findJoinedOption() is the option whose short name begins `spelling`, with the argument right behind it, or null.
const OptionSpec *findJoinedOption(std::string_view spelling);

// isForwarded() tells whether an unknown option goes to the host compiler unasked (forwarded.def).
bool isForwarded(std::string_view spelling);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_OPTION_TABLE_H
