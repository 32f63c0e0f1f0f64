#include "compiler/nvvm/options.h"

#include <algorithm>
#include <string_view>

namespace hostwarp::nvvm {

namespace {

// Option is one spelling, up to its value, and the word for hwcc-device; empty: nothing changes here.
struct Option {
  std::string_view spelling, word;
};
constexpr Option options[] = {
    {"-opt=0", "-O0"},
    {"-opt=3", "-O3"},
    {"-g", "-g"},
    {"-generate-line-info", "-g"},
    {"-ftz=0", ""},
    {"-ftz=1", "--flush-subnormals"},
    {"-fma=0", "--no-fusion"},
    {"-fma=1", ""},
    {"-prec-div=0", "--approximate-quotients"},
    {"-prec-div=1", ""},
    {"-prec-sqrt=0", "--approximate-roots"},
    {"-prec-sqrt=1", ""},
};
// What -gen-lto asks for is PTX, too: nvJitLink takes that for LTO IR.
constexpr std::string_view known[] = {"-gen-lto", "-split-compile=", "-jump-table-density=", "-numba-debug"};
constexpr std::string_view architecture = "-arch=compute_";

// targetOf() is the architecture in hwcc-device's words: compute_90a is sm_90.
std::string targetOf(std::string_view option) {
  std::string_view number = option.substr(architecture.size());
  number = number.substr(0, number.find_first_not_of("0123456789"));
  return number.empty() ? "" : "--gpu=sm_" + std::string(number);
}

}  // namespace

driver::Expected<std::vector<std::string>> wordsFor(const std::vector<std::string> &given) {
  std::string target = "--gpu=sm_75", level = "-O3";  // NVVM's own, where nothing is said
  std::vector<std::string> words;
  for (const std::string &option : given) {
    if (option.starts_with(architecture)) {
      target = targetOf(option);
      if (target.empty()) return driver::Failure{option + ": no such architecture"};
      continue;
    }
    const auto *found = std::ranges::find(options, std::string_view(option), &Option::spelling);
    const bool isKnown = std::ranges::any_of(known, [&](std::string_view each) { return option.starts_with(each); });
    if (found == std::end(options) && !isKnown) return driver::Failure{option + ": unknown option"};
    if (found == std::end(options)) continue;
    if (found->word.starts_with("-O"))
      level = found->word;
    else if (!found->word.empty())
      words.emplace_back(found->word);
  }
  words.insert(words.end(), {target, level});
  return words;
}

}  // namespace hostwarp::nvvm
