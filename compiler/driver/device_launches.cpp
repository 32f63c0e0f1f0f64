#include "compiler/driver/device_launches.h"

#include <cctype>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace hostwarp::driver {
namespace {

constexpr std::size_t npos = std::string_view::npos;

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Range is a part of a text, [begin, end).
struct Range {
  std::size_t begin;
  std::size_t end;
};

// skipRaw() steps over the raw string literal whose quote stands at `i`.
std::size_t skipRaw(std::string_view text, std::size_t i) {
  const std::size_t open = text.find('(', i);
  if (open == npos) return text.size();
  const std::string close = ")" + std::string(text.substr(i + 1, open - i - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == npos ? text.size() : end + close.size();
}

// skipQuoted() steps over the string or character literal at `i`. An apostrophe in a number is none.
std::size_t skipQuoted(std::string_view text, std::size_t i) {
  const char quote = text[i];
  if (i > 0 && quote == '"' && text[i - 1] == 'R') return skipRaw(text, i);
  if (i > 0 && quote == '\'' && std::isxdigit(static_cast<unsigned char>(text[i - 1]))) return i + 1;
  for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i)
    if (text[i] == '\\') ++i;
  return std::min(i + 1, text.size());
}

std::size_t skipComment(std::string_view text, std::size_t i) {
  const bool line = text.substr(i, 2) == "//";
  const std::size_t end = line ? text.find('\n', i) : text.find("*/", i + 2);
  return end == npos ? text.size() : end + (line ? 0 : 2);
}

// next() is the first place at or behind `i` that is neither in a literal nor in a comment and where `wanted` agrees.
template <class Wanted>
std::size_t next(std::string_view text, std::size_t i, Wanted wanted) {
  while (i < text.size()) {
    if (wanted(i)) return i;
    if (text[i] == '"' || text[i] == '\'') {
      i = skipQuoted(text, i);
    } else if (text.substr(i, 2) == "//" || text.substr(i, 2) == "/*") {
      i = skipComment(text, i);
    } else {
      ++i;
    }
  }
  return npos;
}

// closing() is the place of the bracket that closes the one at `open`.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  return next(text, open, [&](std::size_t i) {
    const char c = text[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    return depth == 0;
  });
}

bool wordAt(std::string_view text, std::size_t i, std::string_view word) {
  if (text.substr(i, word.size()) != word) return false;
  const bool startsWord = i == 0 || !isNameCharacter(text[i - 1]);
  return startsWord && (i + word.size() == text.size() || !isNameCharacter(text[i + word.size()]));
}

// Launch is kernel<<<configuration>>>(arguments); the name of the kernel ends where `whole` begins.
struct Launch {
  Range whole;
  Range configuration;
  Range arguments;
};

// launchAt() reads what stands at "<<<"; none when it is no launch (operator<<<T>).
std::optional<Launch> launchAt(std::string_view text, std::size_t start) {
  std::size_t before = start;
  while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1]))) --before;
  if (before >= 8 && text.substr(before - 8, 8) == "operator") return std::nullopt;
  int depth = 0;
  const std::size_t end = next(text, start + 3, [&](std::size_t i) {
    const char c = text[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    return depth < 0 || (depth == 0 && (text.substr(i, 3) == ">>>" || c == ';'));
  });
  if (end == npos || text.substr(end, 3) != ">>>") return std::nullopt;
  const std::size_t open = text.find_first_not_of(" \t\r\n", end + 3);
  if (open == npos || text[open] != '(') return std::nullopt;
  const std::size_t close = closing(text, open);
  if (close == npos) return std::nullopt;
  return Launch{{start, close + 1}, {start + 3, end}, {open, close + 1}};
}

std::size_t skipSpaceBack(std::string_view text, std::size_t i) {
  while (i > 0 && std::isspace(static_cast<unsigned char>(text[i - 1]))) --i;
  return i;
}

// opening() is the place of the bracket that opens the one before `i`.
std::size_t opening(std::string_view text, std::size_t i) {
  const char close = text[i - 1], open = close == '>' ? '<' : '(';
  int depth = 0;
  while (i > 0) {
    const char c = text[--i];
    if (close == '>' && c == ')') i = opening(text, i + 1);
    if (c == close) ++depth;
    if (c == open && --depth == 0) break;
  }
  return i;
}

// kernelBegin() is where the expression begins that names the kernel of the launch at `i`: ns::kernel<4>, (*pointer).
std::size_t kernelBegin(std::string_view text, std::size_t i) {
  for (;;) {
    i = skipSpaceBack(text, i);
    if (i > 0 && (text[i - 1] == '>' || text[i - 1] == ')')) i = skipSpaceBack(text, opening(text, i));
    while (i > 0 && isNameCharacter(text[i - 1])) --i;
    std::size_t before = skipSpaceBack(text, i);
    constexpr std::string_view keyword = "template";
    if (before >= keyword.size() && wordAt(text, before - keyword.size(), keyword))
      before = skipSpaceBack(text, i = before - keyword.size());
    const std::string_view link = before >= 2 ? text.substr(before - 2, 2) : std::string_view();
    if (link == "::" || link == "->") {
      i = before - 2;
      const bool isGlobal = i == 0 || !(isNameCharacter(text[i - 1]) || text[i - 1] == '>' || text[i - 1] == ')');
      if (isGlobal) return i;
    } else if (before >= 1 && text[before - 1] == '.') {
      i = before - 1;
    } else {
      return i;
    }
  }
}

bool hasWord(std::string_view text, std::string_view word) {
  for (std::size_t i = text.find(word); i != npos; i = text.find(word, i + 1))
    if (wordAt(text, i, word)) return true;
  return false;
}

// bodyBehind() finds the body of the function whose declaration has an execution space at `i`; none for a declaration.
std::optional<Range> bodyBehind(std::string_view text, std::size_t i) {
  int depth = 0;
  const std::size_t open = next(text, i, [&](std::size_t at) {
    const char c = text[at];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    return depth <= 0 && (c == '{' || c == ';' || c == '}');
  });
  if (open == npos || text[open] != '{') return std::nullopt;
  const std::size_t close = closing(text, open);
  return Range{open, close == npos ? text.size() : close};
}

// Side tells which functions count as the device's: those that only it has, or those for both sides too.
enum class Side { deviceOnly, either };

// deviceBodies() are the bodies of functions for the device, as written or after preprocessing.
std::vector<Range> deviceBodies(std::string_view text, Side side) {
  std::vector<Range> bodies;
  const auto isSpace = [&](std::size_t i) {
    if (text[i] != '_') return false;
    for (std::string_view space : {"__attribute__((global))", "__attribute__((device))"})
      if (text.substr(i, space.size()) == space) return true;
    return wordAt(text, i, "__global__") || wordAt(text, i, "__device__");
  };
  for (std::size_t i = 0; (i = next(text, i, isSpace)) != npos; ++i) {
    const auto body = bodyBehind(text, i);
    if (!body) continue;
    const std::size_t last = text.find_last_of(";{}", i);
    const std::string_view declaration = text.substr(last == npos ? 0 : last, body->begin - (last == npos ? 0 : last));
    const bool isHosts = hasWord(declaration, "__host__") || hasWord(declaration, "__attribute__((host))");
    if (isHosts && side == Side::deviceOnly) continue;
    bodies.push_back(*body);
    i = body->end - 1;
  }
  return bodies;
}

// nextLaunch() is the place of the first "<<<" at or behind `from` and before `end`. It reads no further: a
// preprocessed source has thousands of functions, and most are far from the next launch.
std::size_t nextLaunch(std::string_view text, std::size_t from, std::size_t end = npos) {
  text = text.substr(0, end);
  return next(text, from, [&](std::size_t i) { return text[i] == '<' && text.substr(i, 3) == "<<<"; });
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

// includes() are the names in #include "name", or those in #include <name>.
std::vector<std::string> includes(std::string_view text, char quote) {
  std::vector<std::string> names;
  for (std::size_t i = 0; (i = text.find("include", i)) != npos; ++i) {
    const std::size_t open = text.find_first_not_of(" \t", i + 7);
    if (open == npos || text[open] != quote) continue;
    const std::size_t close = text.find(quote == '<' ? '>' : quote, open + 1);
    if (close != npos) names.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

std::string folderOf(const std::string &path) { return path.substr(0, path.rfind('/') + 1); }

bool launchesOnDevice(const std::string &path, std::set<std::string> &seen) {
  if (!seen.insert(path).second) return false;
  const std::string text = readFile(path);
  if (text.find("<<<") != npos)
    for (const Range &body : deviceBodies(text, Side::either))
      if (nextLaunch(text, body.begin, body.end) != npos) return true;
  for (const std::string &name : includes(text, '"'))
    if (launchesOnDevice(folderOf(path) + name, seen)) return true;
  return false;
}

bool launchesBuffers(const std::string &path, const std::vector<std::string> &folders, std::set<std::string> &seen) {
  if (!seen.insert(path).second) return false;
  const std::string text = readFile(path);
  if (text.find("cudaLaunchDevice") != npos) return true;
  for (const std::string &name : includes(text, '"'))
    if (launchesBuffers(folderOf(path) + name, folders, seen)) return true;
  for (const std::string &name : includes(text, '<'))
    for (const std::string &folder : folders)
      if (launchesBuffers(folder + "/" + name, folders, seen)) return true;
  return false;
}

}  // namespace

bool launchesOnDevice(const std::string &path) {
  std::set<std::string> seen;
  return launchesOnDevice(path, seen);
}

bool launchesBuffers(const std::string &path, const std::vector<std::string> &folders) {
  std::set<std::string> seen;
  return launchesBuffers(path, folders, seen);
}

std::string replaceLaunches(const std::string &text) {
  const std::string_view view = text;
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 0; (i = nextLaunch(view, i)) != npos;) {
    const auto launch = launchAt(view, i);
    i += 3;
    if (!launch) continue;
    const auto part = [&](const Range &range) { return view.substr(range.begin, range.end - range.begin); };
    result += view.substr(done, launch->whole.begin - done);
    // The arguments may have launches in them, in lambdas.
    result += replaceLaunches(std::string(part(launch->arguments)));
    result += ", ::hostwarp::startLaunch(";
    result += part(launch->configuration);
    result += ")";
    done = i = launch->whole.end;
  }
  return result + std::string(view.substr(done));
}

std::string dropDeviceLaunches(const std::string &text) {
  constexpr std::string_view nothing = "void()";  // no longer than the shortest launch, k<<<1,1>>>()
  std::string result = text;
  for (const Range &body : deviceBodies(text, Side::deviceOnly)) {
    for (std::size_t i = body.begin; (i = nextLaunch(text, i, body.end)) != npos;) {
      const auto launch = launchAt(text, i);
      i += 3;
      if (!launch) continue;
      // Line breaks stay, so that what follows keeps its line.
      const std::size_t start = kernelBegin(text, launch->whole.begin);
      for (std::size_t c = start; c < launch->whole.end; ++c)
        if (text[c] != '\n') result[c] = ' ';
      result.replace(start, nothing.size(), nothing);
      i = launch->whole.end;
    }
  }
  return result;
}

}  // namespace hostwarp::driver
