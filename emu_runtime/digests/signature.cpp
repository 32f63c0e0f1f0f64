#include "emu_runtime/digests/signature.h"

#include <initializer_list>

namespace hostwarp::digests {
namespace {

bool opens(char c) { return c == '(' || c == '<' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == '>' || c == ']' || c == '}'; }

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// listOf() is what stands between the last parenthesis and the one that belongs to it.
std::string_view listOf(std::string_view kernel) {
  const size_t end = kernel.rfind(')');
  if (end == std::string_view::npos) return {};
  int depth = 0;
  for (size_t at = end + 1; at-- > 0;) {
    if (closes(kernel[at])) ++depth;
    if (opens(kernel[at]) && --depth == 0) return kernel.substr(at + 1, end - at - 1);
  }
  return {};
}

// removeWord() takes a word off the end, with the space before it.
bool removeWord(std::string_view &text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  text = trimmed(text.substr(0, text.size() - word.size()));
  return true;
}

}  // namespace

std::vector<std::string> parametersOf(std::string_view kernel) {
  std::vector<std::string> types;
  const std::string_view list = listOf(kernel);
  if (trimmed(list).empty() || list == "void") return types;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && opens(list[at])) ++depth;
    if (at < list.size() && closes(list[at])) --depth;
    if (at < list.size() && (depth > 0 || list[at] != ',')) continue;
    types.emplace_back(trimmed(list.substr(begin, at - begin)));
    begin = at + 1;
  }
  return types;
}

std::string pointeeOf(std::string_view type) {
  bool changed = true;
  const auto removeQualifiers = [&] {
    for (changed = true; changed;) {
      changed = false;
      for (const std::string_view word : {"const", "volatile", "__restrict", "__restrict__"})
        changed |= removeWord(type, word);
    }
  };
  removeQualifiers();
  if (!removeWord(type, "*")) return "";
  removeQualifiers();
  for (const std::string_view word : {"const ", "volatile "})
    if (type.starts_with(word)) type.remove_prefix(word.size());
  return std::string(type);
}

}  // namespace hostwarp::digests
