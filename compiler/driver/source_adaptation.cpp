#include "compiler/driver/source_adaptation.h"

#include <fstream>
#include <regex>
#include <sstream>
#include <string_view>

namespace hostwarp::driver {
namespace {

// No other C++ has "<< <"; the blanks within a bracket stay on their line, so lines keep their numbers.
bool joinBrackets(std::string &text) {
  static const std::regex brackets("<<[ \t]+<([^;{}]*?)>[ \t]*>[ \t]*>");
  if (text.find("<< ") == std::string::npos || !std::regex_search(text, brackets)) return false;
  text = std::regex_replace(text, brackets, "<<<$1>>>");
  return true;
}

// Whether a declaration can begin at `position`, the start of a line: behind a directive or the end of something.
bool beginsDeclaration(const std::string &text, std::size_t position) {
  const std::size_t last = text.find_last_not_of(" \t\r\n", position);
  if (last == std::string::npos) return true;
  const std::size_t lineStart = text.rfind('\n', last) + 1;
  return text[lineStart] == '#' || text[last] == ';' || text[last] == '}' || text[last] == '/';
}

bool typeMain(std::string &text) {
  static constexpr std::string_view name = "main";
  const std::size_t behindLine = text.find("\nmain");
  const std::size_t main = text.starts_with(name) ? 0 : behindLine + 1;
  if (main == 0 ? !text.starts_with(name) : !beginsDeclaration(text, behindLine)) return false;
  const std::size_t next = text.find_first_not_of(" \t", main + name.size());
  if (next == std::string::npos || text[next] != '(') return false;
  text.insert(main, "int ");
  return true;
}

}  // namespace

std::optional<std::string> adaptSource(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  const bool bracketsJoined = joinBrackets(text);
  const bool mainTyped = typeMain(text);
  if (!bracketsJoined && !mainTyped) return std::nullopt;
  return "#line 1 \"" + path + "\"\n" + text;
}

}  // namespace hostwarp::driver
