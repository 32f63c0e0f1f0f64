#include "compiler/driver/device_launches.h"

#include <cctype>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "compiler/driver/source_text.h"

namespace hostwarp::driver {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// Range is a part of a text, [begin, end).
struct Range {
  std::size_t begin;
  std::size_t end;
};

// Everything below reads codeOf() the text, where no comment or literal is in the way.

// next() is the first place at or behind `i` where `wanted` agrees.
template <class Wanted>
std::size_t next(std::string_view code, std::size_t i, Wanted wanted) {
  for (; i < code.size(); ++i)
    if (wanted(i)) return i;
  return npos;
}

// closing() is the place of the bracket that closes the one at `open`.
std::size_t closing(std::string_view code, std::size_t open) {
  int depth = 0;
  return next(code, open, [&](std::size_t i) {
    const char c = code[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    return depth == 0;
  });
}

bool wordAt(std::string_view code, std::size_t i, std::string_view word) {
  if (code.substr(i, word.size()) != word) return false;
  const bool startsWord = i == 0 || !isNameCharacter(code[i - 1]);
  return startsWord && (i + word.size() == code.size() || !isNameCharacter(code[i + word.size()]));
}

// Launch is kernel<<<configuration>>>(arguments); the name of the kernel ends where `whole` begins.
struct Launch {
  Range whole;
  Range configuration;
  Range arguments;
};

// launchAt() reads what stands at "<<<"; none when it is no launch (operator<<<T>).
std::optional<Launch> launchAt(std::string_view code, std::size_t start) {
  std::size_t before = start;
  while (before > 0 && std::isspace(static_cast<unsigned char>(code[before - 1]))) --before;
  if (before >= 8 && code.substr(before - 8, 8) == "operator") return std::nullopt;
  int depth = 0;
  const std::size_t end = next(code, start + 3, [&](std::size_t i) {
    const char c = code[i];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    return depth < 0 || (depth == 0 && (code.substr(i, 3) == ">>>" || c == ';'));
  });
  if (end == npos || code.substr(end, 3) != ">>>") return std::nullopt;
  const std::size_t open = code.find_first_not_of(" \t\r\n", end + 3);
  if (open == npos || code[open] != '(') return std::nullopt;
  const std::size_t close = closing(code, open);
  if (close == npos) return std::nullopt;
  return Launch{{start, close + 1}, {start + 3, end}, {open, close + 1}};
}

std::size_t skipSpaceBack(std::string_view code, std::size_t i) {
  while (i > 0 && std::isspace(static_cast<unsigned char>(code[i - 1]))) --i;
  return i;
}

// opening() is the place of the bracket that opens the one before `i`.
std::size_t opening(std::string_view code, std::size_t i) {
  const char close = code[i - 1], open = close == '>' ? '<' : '(';
  int depth = 0;
  while (i > 0) {
    const char c = code[--i];
    if (close == '>' && c == ')') i = opening(code, i + 1);
    if (c == close) ++depth;
    if (c == open && --depth == 0) break;
  }
  return i;
}

// kernelBegin() is where the expression begins that names the kernel of the launch at `i`: ns::kernel<4>, (*pointer).
std::size_t kernelBegin(std::string_view code, std::size_t i) {
  for (;;) {
    i = skipSpaceBack(code, i);
    if (i > 0 && (code[i - 1] == '>' || code[i - 1] == ')')) i = skipSpaceBack(code, opening(code, i));
    while (i > 0 && isNameCharacter(code[i - 1])) --i;
    std::size_t before = skipSpaceBack(code, i);
    constexpr std::string_view keyword = "template";
    if (before >= keyword.size() && wordAt(code, before - keyword.size(), keyword))
      before = skipSpaceBack(code, i = before - keyword.size());
    const std::string_view link = before >= 2 ? code.substr(before - 2, 2) : std::string_view();
    if (link == "::" || link == "->") {
      i = before - 2;
      const bool isGlobal = i == 0 || !(isNameCharacter(code[i - 1]) || code[i - 1] == '>' || code[i - 1] == ')');
      if (isGlobal) return i;
    } else if (before >= 1 && code[before - 1] == '.') {
      i = before - 1;
    } else {
      return i;
    }
  }
}

bool hasWord(std::string_view code, std::string_view word) {
  for (std::size_t i = code.find(word); i != npos; i = code.find(word, i + 1))
    if (wordAt(code, i, word)) return true;
  return false;
}

// bodyBehind() finds the body of the function whose declaration has an execution space at `i`; none for a declaration.
std::optional<Range> bodyBehind(std::string_view code, std::size_t i) {
  int depth = 0;
  const std::size_t open = next(code, i, [&](std::size_t at) {
    const char c = code[at];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    return depth <= 0 && (c == '{' || c == ';' || c == '}');
  });
  if (open == npos || code[open] != '{') return std::nullopt;
  const std::size_t close = closing(code, open);
  return Range{open, close == npos ? code.size() : close};
}

// Side tells which functions count as the device's: those that only it has, or those for both sides too.
enum class Side { deviceOnly, either };

// deviceBodies() are the bodies of functions for the device, as written or after preprocessing.
std::vector<Range> deviceBodies(std::string_view code, Side side) {
  std::vector<Range> bodies;
  const auto isSpace = [&](std::size_t i) {
    if (code[i] != '_') return false;
    for (std::string_view space : {"__attribute__((global))", "__attribute__((device))"})
      if (code.substr(i, space.size()) == space) return true;
    return wordAt(code, i, "__global__") || wordAt(code, i, "__device__");
  };
  for (std::size_t i = 0; (i = next(code, i, isSpace)) != npos; ++i) {
    const auto body = bodyBehind(code, i);
    if (!body) continue;
    const std::size_t last = code.find_last_of(";{}", i);
    const std::string_view declaration = code.substr(last == npos ? 0 : last, body->begin - (last == npos ? 0 : last));
    const bool isHosts = hasWord(declaration, "__host__") || hasWord(declaration, "__attribute__((host))");
    if (isHosts && side == Side::deviceOnly) continue;
    bodies.push_back(*body);
    i = body->end - 1;
  }
  return bodies;
}

// nextLaunch() is the place of the first "<<<" at or behind `from` and before `end`. It reads no further: a
// preprocessed source has thousands of functions, and most are far from the next launch.
std::size_t nextLaunch(std::string_view code, std::size_t from, std::size_t end = npos) {
  code = code.substr(0, end);
  return next(code, from, [&](std::size_t i) { return code[i] == '<' && code.substr(i, 3) == "<<<"; });
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

// includes() are the names in #include "name", or those in #include <name>. `code` is the text without its literals.
std::vector<std::string> includes(std::string_view text, std::string_view code, char quote) {
  std::vector<std::string> names;
  for (std::size_t i = 0; (i = code.find("include", i)) != npos; ++i) {
    const std::size_t open = text.find_first_not_of(" \t", i + 7);
    if (open == npos || text[open] != quote) continue;
    const std::size_t close = text.find(quote == '<' ? '>' : quote, open + 1);
    if (close != npos) names.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

std::string folderOf(const std::string &path) { return path.substr(0, path.rfind('/') + 1); }

bool launchesOnDeviceFrom(const std::string &path, std::set<std::string> &seen) {
  if (!seen.insert(path).second) return false;
  const std::string text = readFile(path), code = codeOf(text);
  if (code.find("<<<") != npos)
    for (const Range &body : deviceBodies(code, Side::either))
      if (nextLaunch(code, body.begin, body.end) != npos) return true;
  for (const std::string &name : includes(text, code, '"'))
    if (launchesOnDeviceFrom(folderOf(path) + name, seen)) return true;
  return false;
}

bool launchesBuffersFrom(const std::string &path, const std::vector<std::string> &folders, std::set<std::string> &seen) {
  if (!seen.insert(path).second) return false;
  const std::string text = readFile(path), code = codeOf(text);
  if (code.find("cudaLaunchDevice") != npos) return true;
  for (const std::string &name : includes(text, code, '"'))
    if (launchesBuffersFrom(folderOf(path) + name, folders, seen)) return true;
  for (const std::string &name : includes(text, code, '<'))
    for (const std::string &folder : folders)
      if (launchesBuffersFrom(folder + "/" + name, folders, seen)) return true;
  return false;
}

std::string replaceLaunchesIn(std::string_view text, std::string_view code) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 0; (i = nextLaunch(code, i)) != npos;) {
    const auto launch = launchAt(code, i);
    i += 3;
    if (!launch) continue;
    const auto partOf = [](std::string_view all, const Range &range) {
      return all.substr(range.begin, range.end - range.begin);
    };
    result += text.substr(done, launch->whole.begin - done);
    // The arguments may have launches in them, in lambdas.
    result += replaceLaunchesIn(partOf(text, launch->arguments), partOf(code, launch->arguments));
    result += ", ::hostwarp::startLaunch(";
    result += partOf(text, launch->configuration);
    result += ")";
    done = i = launch->whole.end;
  }
  return result + std::string(text.substr(done));
}

}  // namespace

bool launchesOnDevice(const std::string &path) {
  std::set<std::string> seen;
  return launchesOnDeviceFrom(path, seen);
}

bool launchesBuffers(const std::string &path, const std::vector<std::string> &folders) {
  std::set<std::string> seen;
  return launchesBuffersFrom(path, folders, seen);
}

std::string replaceLaunches(const std::string &text) { return replaceLaunchesIn(text, codeOf(text)); }

std::string dropDeviceLaunches(const std::string &text) {
  constexpr std::string_view nothing = "void()";  // no longer than the shortest launch, k<<<1,1>>>()
  const std::string code = codeOf(text);
  std::string result = text;
  for (const Range &body : deviceBodies(code, Side::deviceOnly)) {
    for (std::size_t i = body.begin; (i = nextLaunch(code, i, body.end)) != npos;) {
      const auto launch = launchAt(code, i);
      i += 3;
      if (!launch) continue;
      // Line breaks stay, so that what follows keeps its line.
      const std::size_t start = kernelBegin(code, launch->whole.begin);
      for (std::size_t c = start; c < launch->whole.end; ++c)
        if (text[c] != '\n') result[c] = ' ';
      result.replace(start, nothing.size(), nothing);
      i = launch->whole.end;
    }
  }
  return result;
}

}  // namespace hostwarp::driver
