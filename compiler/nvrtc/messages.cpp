#include "compiler/nvrtc/messages.h"

#include <regex>
#include <sstream>

namespace hostwarp::nvrtc {

namespace {

void erase(std::string &text, const std::string &part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
}

std::string reworded(const std::string &line) {
  static const std::regex missing("^(.*):([0-9]+):[0-9]+: fatal error: '(.*)' file not found$");
  return std::regex_replace(line, missing, "$1($2): catastrophic error: cannot open source file \"$3\"");
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
