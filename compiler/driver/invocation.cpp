#include "compiler/driver/invocation.h"

#include <cctype>
#include <charconv>
#include <string_view>

namespace hostwarp::driver {

void Invocation::limitAction(Action wanted) {
  if (wanted < action) action = wanted;
}

void Invocation::requestDeviceImage(const std::string &form) {
  limitAction(Action::DeviceImage);
  imageForm = form;
}

void Invocation::requestDeviceLink() {
  limitAction(Action::DeviceLink);
  linksDevice = true;
}

void Invocation::requestDependencies(bool instead, bool withSystemHeaders) {
  if (instead) limitAction(Action::Dependencies);
  dependencies.wanted = true;
  dependencies.withSystemHeaders = withSystemHeaders;
}

void Invocation::addPreprocessor(const std::string &option, const std::string &value) {
  preprocessor.push_back(option);
  preprocessor.push_back(value);
}

void Invocation::setRuntimeLibrary(const std::string &name) {
  runtimeLibrary = name == "static"   ? RuntimeLibrary::Static
                   : name == "shared" ? RuntimeLibrary::Shared
                                      : RuntimeLibrary::None;
}

void Invocation::addWarningAsError(const std::string &kind) {
  if (kind == "all-warnings") warningsAreErrors = true;
  if (kind == "reorder" || kind == "deprecated-declarations") frontEndArguments.push_back("-Werror=" + kind);
}

void Invocation::addAssemblerOption(const std::string &option) {
  // Of ptxas' options three have a counterpart here: -v, -maxrregcount=32, and the optimisation level, -O3, -O 3 or
  // --opt-level=3.
  if (option == "-v" || option == "--verbose") explainsForms = true;
  constexpr std::string_view mostRegisters = "-maxrregcount=";
  if (const std::size_t at = option.find(mostRegisters); at <= 1) {
    const char *number = option.c_str() + at + mostRegisters.size();
    std::from_chars(number, option.c_str() + option.size(), maxRegisters);
    return;
  }
  const std::size_t digit = option.find_last_of("0123");
  const bool isLevel = option.starts_with("-O") || option.starts_with("--opt-level") || option.size() == 1;
  if (isLevel && digit != std::string::npos && digit + 1 == option.size()) deviceOptimization = option[digit] - '0';
}

void Invocation::setFastCompile(const std::string &level) {
  if (level == "max") deviceOptimization = 0;
  if (level == "mid") deviceOptimization = 1;
  if (level == "min") deviceOptimization = 2;
}

}  // namespace hostwarp::driver
