#include "compiler/driver/source_adaptation.h"

#include <fstream>
#include <sstream>
#include <string_view>

#include "compiler/driver/source_text.h"

namespace hostwarp::driver {
namespace {

constexpr std::size_t nowhere = std::string::npos;
constexpr const char *blanks = " \t";

// closedAt() is where the three brackets at or behind `i` stand that end a configuration, and how many characters that
// is with the blanks between them; none where the statement ends before.
struct Brackets {
  std::size_t begin = nowhere;
  std::size_t end = nowhere;
};
Brackets closedAt(const std::string &code, std::size_t i) {
  for (; (i = code.find_first_of(">;{}", i)) != nowhere; ++i) {
    if (code[i] != '>') return {};
    const std::size_t second = code.find_first_not_of(blanks, i + 1);
    const std::size_t third = second == nowhere || code[second] != '>' ? nowhere : code.find_first_not_of(blanks, second + 1);
    if (third != nowhere && code[third] == '>') return {i, third + 1};
  }
  return {};
}

// joinBrackets() returns whether it changed the text. No other C++ has "<< <"; the blanks within a bracket stay on
// their line, so lines keep their numbers.
bool joinBrackets(std::string &text) {
  const std::string code = codeOf(text);
  std::string joined;
  std::size_t done = 0;
  for (std::size_t i = 0; (i = code.find("<<", i)) != nowhere; i += 2) {
    const std::size_t third = code.find_first_not_of(blanks, i + 2);
    if (third == nowhere || third == i + 2 || code[third] != '<') continue;
    const Brackets close = closedAt(code, third + 1);
    if (close.begin == nowhere) continue;
    joined += text.substr(done, i - done) + "<<<" + text.substr(third + 1, close.begin - third - 1) + ">>>";
    done = close.end;
    i = done - 2;
  }
  if (done == 0) return false;
  text = joined + text.substr(done);
  return true;
}

// beginsDeclaration(): a declaration can begin at `position`, the start of a line: behind a directive or the end of
// something.
bool beginsDeclaration(const std::string &code, std::size_t position) {
  const std::size_t last = position == 0 ? nowhere : code.find_last_not_of(" \t\r\n", position - 1);
  if (last == nowhere) return true;
  const std::size_t lineStart = code.rfind('\n', last) + 1;  // 0 in the first line
  return code[lineStart] == '#' || code[last] == ';' || code[last] == '}';
}

// typeMain() returns whether it changed the text.
bool typeMain(std::string &text) {
  constexpr std::string_view name = "main";
  const std::string code = codeOf(text);
  for (std::size_t i = 0; (i = code.find(name, i)) != nowhere; i += name.size()) {
    if (i > 0 && code[i - 1] != '\n') continue;
    const std::size_t next = code.find_first_not_of(blanks, i + name.size());
    if (next == nowhere || code[next] != '(' || !beginsDeclaration(code, i)) continue;
    text.insert(i, "int ");
    return true;
  }
  return false;
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
