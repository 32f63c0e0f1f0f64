#include "compiler/nvrtc/messages.h"

#include <regex>
#include <sstream>

namespace hostwarp::nvrtc {

namespace {

void erase(std::string &text, const std::string &part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
}

std::string reworded(std::string line) {
  static const struct {
    std::regex ours;
    const char *theirs;
  } messages[] = {
      {std::regex("^(.*):([0-9]+):[0-9]+: fatal error: '(.*)' file not found$"),
       "$1($2): catastrophic error: cannot open source file \"$3\""},
      {std::regex("^(.*):([0-9]+):[0-9]+: error: (?:unknown type name|use of undeclared identifier) '([^']*)'.*$"),
       "$1($2): error: identifier \"$3\" is undefined"},
  };
  for (const auto &message : messages) line = std::regex_replace(line, message.ours, message.theirs);
  return line;
}

}  // namespace

std::string inWordsOfNvrtc(std::string log, std::initializer_list<std::string> folders) {
  for (const std::string &folder : folders) erase(log, folder + "/");
  std::istringstream lines(log);
  std::string text;
  for (std::string line; std::getline(lines, line);) text += reworded(line) + "\n";
  return text;
}

}  // namespace hostwarp::nvrtc
