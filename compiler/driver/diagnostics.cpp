#include "compiler/driver/diagnostics.h"

#include <vector>

namespace hostwarp::driver {
namespace {

// Lines as they are on a terminal without colours.
std::string withoutColours(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\033') {
      result += text[i];
      continue;
    }
    while (i < text.size() && text[i] != 'm' && text[i] != 'K') ++i;
  }
  return result;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end == std::string_view::npos ? text.size() : end + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

bool contains(std::string_view line, std::string_view what) { return line.find(what) != std::string_view::npos; }

bool isError(std::string_view line) { return contains(line, ": error: ") || contains(line, ": fatal error: "); }
bool isWarning(std::string_view line) { return contains(line, ": warning: "); }
bool isInclusion(std::string_view line) { return line.starts_with("In file included from "); }

// "2 errors generated when compiling for sm_90." names what the user did not choose.
bool isCount(std::string_view line) {
  return contains(line, " generated") && (contains(line, "error") || contains(line, "warning")) && line[0] >= '0' &&
         line[0] <= '9';
}

struct Block {
  std::string text;
  std::string key;
  bool open = false;  // only "included from" lines so far
};

}  // namespace

std::string DiagnosticFilter::show(std::string_view output) {
  std::vector<Block> blocks;
  for (std::string_view line : linesOf(output)) {
    const std::string plain = withoutColours(line);
    if (isCount(plain)) continue;
    const bool begins = isError(plain) || isWarning(plain) || isInclusion(plain);
    if (blocks.empty() || (begins && !blocks.back().open)) blocks.emplace_back();
    blocks.back().text += line;
    blocks.back().key += plain;
    blocks.back().open = isInclusion(plain);
  }
  std::string result;
  for (const Block &block : blocks) {
    if (!shown_.insert(block.key).second) continue;
    result += block.text;
    errors_ += isError(block.key);
    warnings_ += !isError(block.key) && isWarning(block.key);
  }
  return result;
}

std::string DiagnosticFilter::summary() {
  std::string text;
  const auto count = [&text](int number, const std::string &what) {
    if (number == 0) return;
    if (!text.empty()) text += " and ";
    text += std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  count(warnings_, "warning");
  count(errors_, "error");
  warnings_ = errors_ = 0;
  return text.empty() ? text : text + " generated.\n";
}

}  // namespace hostwarp::driver
