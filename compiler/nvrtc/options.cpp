#include "compiler/nvrtc/options.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

namespace hostwarp::nvrtc {

namespace {

enum class Argument { NONE, VALUE, JOINED };
enum class Effect { PASS, IGNORE, SPECIAL, REFUSE };

struct Row {
  std::string_view longName;
  std::string_view shortName;
  Argument argument;
  Effect effect;
};

constexpr Row rows[] = {
#define OPTION(LONG, SHORT, ARGUMENT, EFFECT) {LONG, SHORT, Argument::ARGUMENT, Effect::EFFECT},
#include "compiler/nvrtc/options.def"
#undef OPTION
};

constexpr std::string_view dialects[] = {"c++03", "c++11", "c++14", "c++17", "c++20"};

// Match is an option with the argument that came in the same word.
struct Match {
  const Row *row;
  std::optional<std::string> value;
};

bool names(const Row &row, std::string_view word) {
  if (word.starts_with("--")) return word.substr(2) == row.longName;
  return word.substr(1) == row.shortName || word.substr(1) == row.longName;
}

std::optional<Match> match(const std::string &word) {
  const std::size_t equals = word.find('=');
  for (const Row &row : rows) {
    const bool takes = row.argument != Argument::NONE;
    if (names(row, word)) return Match{&row, std::nullopt};
    if (takes && equals != std::string::npos && names(row, word.substr(0, equals)))
      return Match{&row, word.substr(equals + 1)};
  }
  for (const Row &row : rows) {
    if (row.argument == Argument::JOINED && word[1] == row.shortName[0]) return Match{&row, word.substr(2)};
  }
  return std::nullopt;
}

std::string trimmed(const std::string &text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

// Programs pass "--std=c++17", "--std c++17" in one string, or in two.
std::vector<std::string> separate(const std::vector<std::string> &words) {
  std::vector<std::string> result;
  for (const std::string &word : words) {
    const std::string whole = trimmed(word);
    const std::size_t blank = whole.find_first_of(" \t");
    const bool twoWords = whole.starts_with("-") && blank != std::string::npos && blank < whole.find('=') &&
                          match(whole.substr(0, blank)).has_value();
    if (twoWords) {
      result.push_back(whole.substr(0, blank));
      result.push_back(trimmed(whole.substr(blank)));
    } else if (!whole.empty()) {
      result.push_back(whole);
    }
  }
  return result;
}

void doSpecial(const Row &row, Options &options) {
  if (row.shortName == "dc") options.forHwcc.push_back("--relocatable-device-code=true");
  // What would be optimised at the link is compiled for it.
  if (row.shortName == "dlto") {
    options.forHwcc.push_back("--relocatable-device-code=true");
    options.forLink = true;
  }
  if (row.shortName == "dw") options.forHwcc.push_back("--relocatable-device-code=false");
  if (row.shortName == "default-device") options.defaultDevice = true;
  if (row.shortName == "no-source-include") options.sourceInclude = false;
  if (row.shortName == "no-cache") options.cached = false;
}

driver::Status apply(const Row &row, const std::string &value, Options &options) {
  const std::string name = "--" + std::string(row.longName);
  if (row.effect == Effect::REFUSE) return driver::Failure{"'" + name + "' is not supported"};
  if (row.effect == Effect::SPECIAL) doSpecial(row, options);
  if (row.effect == Effect::PASS) options.forHwcc.push_back(row.argument == Argument::NONE ? name : name + "=" + value);
  if (row.shortName == "std" && std::ranges::find(dialects, value) == std::end(dialects))
    return driver::Failure{"invalid value for --std (-std): '" + value + "'"};
  if (row.shortName != "arch") return {};
  const auto target = driver::parseArchitecture(value);
  if (!target) return driver::Failure{"invalid value for --gpu-architecture (-arch): '" + value + "'"};
  options.target = *target;
  options.realTarget = value.starts_with("sm_");
  return {};
}

}  // namespace

driver::Expected<Options> parseOptions(const std::vector<std::string> &given) {
  Options options;
  const std::vector<std::string> words = separate(given);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::optional<Match> found;
    if (words[i].size() > 1 && words[i][0] == '-') found = match(words[i]);
    if (!found) return driver::Failure{"unrecognized option " + words[i] + " found"};
    if (found->row->argument != Argument::NONE && !found->value) {
      if (i + 1 == words.size()) return driver::Failure{"option " + words[i] + " needs an argument"};
      found->value = words[++i];
    }
    const driver::Status status = apply(*found->row, found->value.value_or(""), options);
    if (!status.ok()) return driver::Failure{status.message()};
  }
  return options;
}

}  // namespace hostwarp::nvrtc
