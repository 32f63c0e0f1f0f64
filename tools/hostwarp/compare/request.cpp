#include "tools/hostwarp/compare/request.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "emu_runtime/support/options.h"

namespace hostwarp::tool::compare {
namespace {

// Setting is one of a run's that has a name of its own.
struct Setting {
  std::string_view name;
  Option option;
  const char *variable;
};
constexpr Setting settings[] = {{"form", Option::FORM, "HOSTWARP_FORM"},
                                {"seed", Option::SEED, "HOSTWARP_SEED"},
                                {"isa", Option::ISA, "HOSTWARP_ISA"},
                                {"workers", Option::WORKERS, "HOSTWARP_WORKERS"}};

bool isVariableName(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isupper(c) || std::isdigit(c) || c == '_'; });
}

std::string addSetting(std::string_view name, const std::string &value, RunSettings &run) {
  if (name == "program") return run.command.front() = value, "";
  if (name == "device") {
    if (std::string wrong = unknownDevice(value); !wrong.empty()) return wrong;
    return run.environment.emplace_back("HOSTWARP_DEVICES", value), "";
  }
  for (const Setting &setting : settings) {
    if (setting.name != name) continue;
    if (value.empty() || !isValid(setting.option, value))
      return "'" + value + "' is none of the values of " + std::string(name);
    return run.environment.emplace_back(setting.variable, value), "";
  }
  if (!isVariableName(name))
    return "'" + std::string(name) +
           "' is no setting of a run: cpu, gpu, form, seed, isa, workers, device, program, or a variable, NAME=value";
  return run.environment.emplace_back(name, value), "";
}

// Number is an option that takes one, not negative.
std::string readNumber(std::string_view option, const std::string &text, double &number) {
  char *end = nullptr;
  number = std::strtod(text.c_str(), &end);
  const bool isNumber = end != text.c_str() && *end == '\0' && std::isfinite(number) && number >= 0;
  return isNumber ? "" : "option '" + std::string(option) + "' needs a number that is not negative, not '" + text + "'";
}

std::string readType(const std::string &text, const ElementType *&type) {
  type = findType(text);
  return type ? "" : "there is no type '" + text + "': " + typeNames();
}

std::string setText(std::string_view option, const std::string &value, Request &request, bool &isKnown) {
  const std::pair<std::string_view, std::string *> texts[] = {
      {"--first", &request.first},   {"--second", &request.second}, {"--save", &request.saveTo},
      {"--with", &request.readFrom}, {"--json", &request.json},     {"--kernels", &request.kernels}};
  for (const auto &[name, text] : texts)
    if (name == option) return *text = value, value.empty() ? "option '" + std::string(option) + "' needs a value" : "";
  isKnown = false;
  return "";
}

std::string setOption(std::string_view option, const std::string &value, Request &request) {
  bool isKnown = true;
  if (std::string wrong = setText(option, value, request, isKnown); isKnown) return wrong;
  Tolerance &tolerance = request.criteria.tolerance;
  if (option == "--rtol") return readNumber(option, value, tolerance.relative);
  if (option == "--atol") return readNumber(option, value, tolerance.absolute);
  if (option == "--timeout") return readNumber(option, value, request.seconds);
  if (option == "--type") return readType(value, request.criteria.type);
  if (option != "--ulp") return "unknown option '" + std::string(option) + "'; see hostwarp help compare";
  double ulps = 0;
  std::string wrong = readNumber(option, value, ulps);
  tolerance.ulps = static_cast<uint64_t>(std::min(ulps, 1e18));
  return wrong;
}

std::string contradiction(const Request &request) {
  if (request.command.empty()) return "compare needs a program";
  if (!request.saveTo.empty() && !request.readFrom.empty()) return "--save and --with are two different things to do";
  if (!request.saveTo.empty() && !request.second.empty()) return "--save is of one run, which --first describes";
  if (!request.readFrom.empty() && !request.first.empty())
    return "with --with the first run is the file; --second describes the other";
  if (request.withValues && request.saveTo.empty()) return "--values is for --save";
  return "";
}

}  // namespace

std::string addSettings(const std::string &list, RunSettings &run) {
  std::string backend = "cpu";
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const size_t equals = part.find('=');
    if (part == "cpu" || part == "gpu")
      backend = part;
    else if (std::string wrong =
                 addSetting(part.substr(0, equals),
                            equals == std::string_view::npos ? "" : std::string(part.substr(equals + 1)), run);
             !wrong.empty())
      return wrong;
  }
  run.environment.emplace_back("HOSTWARP_BACKEND", backend);
  return "";
}

std::string parseRequest(Arguments arguments, Request &request) {
  while (!arguments.empty() && arguments[0].starts_with('-')) {
    const std::string_view word = arguments[0];
    arguments = arguments.subspan(1);
    if (word == "--") break;
    if (word == "--values" || word == "--no-check") {
      (word == "--values" ? request.withValues : request.explains) = word == "--values";
      continue;
    }
    const size_t equals = word.find('=');
    std::string value;
    if (equals != std::string_view::npos) {
      value = word.substr(equals + 1);
    } else {
      if (arguments.empty())
        return "option '" + std::string(word) + "' is unknown, or needs a value; see hostwarp help compare";
      value = arguments[0];
      arguments = arguments.subspan(1);
    }
    if (std::string wrong = setOption(word.substr(0, equals), value, request); !wrong.empty()) return wrong;
  }
  request.command.assign(arguments.begin(), arguments.end());
  return contradiction(request);
}

}  // namespace hostwarp::tool::compare
