#include "compiler/driver/option_parser.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "compiler/driver/input_kind.h"
#include "compiler/driver/option_table.h"
#include "compiler/driver/options_file.h"
#include "compiler/driver/text.h"

namespace hostwarp::driver {
namespace {

// Match is an option with the argument that was attached to it, if any.
struct Match {
  const OptionSpec *option = nullptr;
  std::string spelling;
  bool hasArgument = false;
  std::string argument;
};

Match matchOption(const std::string &word) {
  if (const OptionSpec *option = findOption(word)) return {option, word, false, ""};
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos) {
    const std::string name = word.substr(0, equals);
    if (const OptionSpec *option = findOption(name)) return {option, name, true, word.substr(equals + 1)};
  }
  if (const OptionSpec *option = findJoinedOption(word)) {
    const std::size_t nameEnd = 1 + std::string_view(option->shortName).size();
    return {option, word.substr(0, nameEnd), true, word.substr(nameEnd)};
  }
  return {};
}

std::vector<std::string> splitArgument(OptionKind kind, const std::string &argument) {
  if (kind != OptionKind::List && kind != OptionKind::Words) return {argument};
  std::vector<std::string> result;
  for (const std::string &item : splitList(argument)) {
    if (kind == OptionKind::List) {
      result.push_back(item);
      continue;
    }
    for (std::string &word : splitWords(item)) result.push_back(std::move(word));
  }
  return result;
}

bool isNumber(const std::string &text) {
  return !text.empty() && text.size() < 10 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

Status checkValue(const OptionSpec &option, const std::string &value) {
  if (option.kind == OptionKind::Boolean && value != "true" && value != "false")
    return Failure{"'" + value + "': expected true or false"};
  if (option.kind == OptionKind::Number && !isNumber(value)) return Failure{"'" + value + "': expected a number"};
  if (*option.allowed == '\0') return {};
  const std::vector<std::string> allowed = splitList(option.allowed);
  if (std::ranges::find(allowed, value) == allowed.end())
    return Failure{"Value '" + value + "' is not defined for option '" + option.longName + "'"};
  return {};
}

class Parser {
 public:
  Status parse(const std::vector<std::string> &words);
  Status finish();
  ParsedCommandLine take() { return std::move(result_); }

 private:
  Status applyOption(Match match, const std::vector<std::string> &words, std::size_t &index);
  Status applyValues(const OptionSpec &option, const std::string &argument);
  void warnIfRedefined(const OptionSpec &option, const std::string &value);
  Status resolveUnknown();
  Status classifyInputs();
  Status checkCombination() const;

  ParsedCommandLine result_;
  std::map<const OptionSpec *, std::string> lastValues_;
  std::vector<std::string> unknown_;
  std::vector<std::string> files_;
};

Status Parser::parse(const std::vector<std::string> &words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      files_.push_back(word);
      continue;
    }
    Match match = matchOption(word);
    if (match.option == nullptr) {
      unknown_.push_back(word);
      continue;
    }
    if (Status status = applyOption(std::move(match), words, i); !status.ok()) return status;
  }
  return {};
}

Status Parser::applyOption(Match match, const std::vector<std::string> &words, std::size_t &index) {
  const OptionSpec &option = *match.option;
  if (option.kind == OptionKind::Flag) {
    if (match.hasArgument) return Failure{"no argument expected after '" + match.spelling + "'"};
    return option.apply(result_.invocation, "");
  }
  if (!match.hasArgument) {
    if (index + 1 == words.size()) return Failure{"argument expected after '" + match.spelling + "'"};
    match.argument = words[++index];
  }
  return applyValues(option, match.argument);
}

Status Parser::applyValues(const OptionSpec &option, const std::string &argument) {
  for (const std::string &value : splitArgument(option.kind, argument)) {
    if (Status status = checkValue(option, value); !status.ok()) return status;
    warnIfRedefined(option, value);
    if (Status status = option.apply(result_.invocation, value); !status.ok()) return status;
  }
  return {};
}

void Parser::warnIfRedefined(const OptionSpec &option, const std::string &value) {
  using enum OptionKind;
  if (option.kind != Text && option.kind != Number && option.kind != Boolean) return;
  const auto [position, inserted] = lastValues_.emplace(&option, value);
  if (inserted || position->second == value) return;
  position->second = value;
  result_.warnings.push_back("incompatible redefinition for option '" + std::string(option.longName) +
                             "', the last value of this option was used");
}

Status Parser::finish() {
  if (Status status = resolveUnknown(); !status.ok()) return status;
  if (Status status = classifyInputs(); !status.ok()) return status;
  return checkCombination();
}

Status Parser::resolveUnknown() {
  Invocation &v = result_.invocation;
  for (const std::string &word : unknown_) {
    const bool toCompiler = v.forwardUnknownToCompiler || isForwarded(word);
    if (!toCompiler && !v.forwardUnknownToLinker) return Failure{"Unknown option '" + word + "'"};
    if (toCompiler) v.hostArguments.push_back(word);
    if (v.forwardUnknownToLinker && !toCompiler) v.linkArguments.push_back(word);
  }
  return {};
}

Status Parser::classifyInputs() {
  for (const std::string &file : files_) {
    const std::optional<Language> language = languageOf(file, result_.invocation.forcedLanguage);
    if (!language) return Failure{"Don't know what to do with '" + file + "'"};
    result_.invocation.inputs.push_back({file, *language});
  }
  return {};
}

Status Parser::checkCombination() const {
  const Invocation &v = result_.invocation;
  if (v.action <= Action::ListArchitectures) return {};
  if (Status status = v.architectures.check(); !status.ok()) return status;
  if (v.inputs.empty()) return Failure{"No input files specified; use option --help for more information"};
  if (v.action == Action::Preprocess && v.dependencies.wanted)
    return Failure{"'-MD'/'-MMD' is not supported when '-E' is also specified"};
  const bool oneFileEach = v.action == Action::Compile || v.action == Action::Preprocess ||
                           (v.action == Action::DeviceImage && !v.linksDevice);
  const auto isSource = [](const Input &input) { return input.language != Language::Object; };
  if (oneFileEach && !v.output.empty() && std::ranges::count_if(v.inputs, isSource) > 1)
    return Failure{"A single input file is required for a non-link phase when an outputfile is specified"};
  return {};
}

}  // namespace

Expected<ParsedCommandLine> parseCommandLine(const std::vector<std::string> &arguments) {
  Expected<std::vector<std::string>> words = expandOptionsFiles(arguments);
  if (!words.ok()) return words.failure();
  Parser parser;
  if (Status status = parser.parse(*words); !status.ok()) return Failure{status.message()};
  if (Status status = parser.finish(); !status.ok()) return Failure{status.message()};
  return parser.take();
}

}  // namespace hostwarp::driver
