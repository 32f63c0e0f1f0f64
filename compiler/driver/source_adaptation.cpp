#include "compiler/driver/source_adaptation.h"

#include <fstream>
#include <regex>
#include <sstream>

namespace hostwarp::driver {

std::optional<std::string> adaptSource(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  // No other C++ has "<< <"; the blanks within a bracket stay on their line, so lines keep their numbers.
  static const std::regex brackets("<<[ \t]+<([^;{}]*?)>[ \t]*>[ \t]*>");
  if (text.find("<< ") == std::string::npos || !std::regex_search(text, brackets)) return std::nullopt;
  return "#line 1 \"" + path + "\"\n" + std::regex_replace(text, brackets, "<<<$1>>>");
}

}  // namespace hostwarp::driver
