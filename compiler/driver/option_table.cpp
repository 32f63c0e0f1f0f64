#include "compiler/driver/option_table.h"

#include <algorithm>

#include "compiler/driver/text.h"

namespace hostwarp::driver {
namespace {

using enum OptionKind;

// Text + Repeatable in the table: every occurrence counts, and commas do not separate.
constexpr struct {
} Repeatable;
constexpr OptionKind operator+(OptionKind, decltype(Repeatable)) { return RepeatableText; }

Failure noDeviceFile(const std::string &option, const std::string &product) {
  return Failure{"Option '-" + option + "': hostwarp makes no " + product +
                 "; it compiles kernels to code of this machine's CPU, which -c puts into the object file"};
}

// endsWithAvx2() tells whether code for AVX-512 is not wanted, which a machine without it cannot use.
bool endsWithAvx2(const std::string &highestIsa) {
#if defined(__x86_64__)
  if (highestIsa == "native") return !__builtin_cpu_supports("x86-64-v4");
#endif
  return highestIsa == "avx2";
}

constexpr OptionSpec options[] = {
#define ROW(LONG, SHORT, KIND, IS_JOINED, ALLOWED, ...)                                       \
  {LONG,                                                                                      \
   SHORT,                                                                                     \
   KIND,                                                                                      \
   IS_JOINED,                                                                                 \
   ALLOWED,                                                                                   \
   +[]([[maybe_unused]] Invocation &v, [[maybe_unused]] const std::string &value) -> Status { \
     [[maybe_unused]] const bool on = value == "true";                                        \
     __VA_ARGS__;                                                                             \
     return {};                                                                               \
   }},
#define OPTION(LONG, SHORT, KIND, ALLOWED, ...) ROW(LONG, SHORT, KIND, false, ALLOWED, __VA_ARGS__)
#define JOINED(LONG, SHORT, KIND, ALLOWED, ...) ROW(LONG, SHORT, KIND, true, ALLOWED, __VA_ARGS__)
#define IGNORED(LONG, SHORT, KIND, ALLOWED) ROW(LONG, SHORT, KIND, false, ALLOWED, static_cast<void>(0))
#include "compiler/driver/options.def"
#undef IGNORED
#undef JOINED
#undef OPTION
#undef ROW
};

struct OptionHelp {
  std::string_view longName;
  std::string_view text;
};
constexpr OptionHelp helpTexts[] = {
#define OPTION_HELP(LONG, TEXT) {LONG, TEXT},
#include "compiler/driver/option_help.def"
#undef OPTION_HELP
};

constexpr std::string_view forwardedPrefixes[] = {
#define FORWARDED_PREFIX(START) START,
#define FORWARDED(NAME)
#include "compiler/driver/forwarded.def"
#undef FORWARDED
#undef FORWARDED_PREFIX
};

constexpr std::string_view forwardedNames[] = {
#define FORWARDED_PREFIX(START)
#define FORWARDED(NAME) NAME,
#include "compiler/driver/forwarded.def"
#undef FORWARDED
#undef FORWARDED_PREFIX
};

}  // namespace

std::span<const OptionSpec> allOptions() { return options; }

std::string_view helpOf(const OptionSpec &option) {
  const auto *found = std::ranges::find(helpTexts, std::string_view(option.longName), &OptionHelp::longName);
  return found == std::end(helpTexts) ? std::string_view() : found->text;
}

const OptionSpec *findOption(std::string_view spelling) {
  const bool isLong = spelling.starts_with("--");
  const std::string_view name = spelling.substr(isLong ? 2 : 1);
  for (const OptionSpec &option : options)
    if (name == (isLong ? option.longName : option.shortName)) return &option;
  return nullptr;
}

const OptionSpec *findJoinedOption(std::string_view spelling) {
  if (spelling.size() < 3 || spelling[0] != '-') return nullptr;
  for (const OptionSpec &option : options)
    if (option.joined && spelling.substr(1).starts_with(option.shortName)) return &option;
  return nullptr;
}

bool isForwarded(std::string_view spelling) {
  const auto begins = [&](std::string_view prefix) { return spelling.starts_with(prefix); };
  return std::ranges::any_of(forwardedPrefixes, begins) ||
         std::ranges::find(forwardedNames, spelling) != std::end(forwardedNames);
}

}  // namespace hostwarp::driver
