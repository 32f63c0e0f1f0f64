#include "compiler/driver/source_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace hostwarp::driver {
namespace {

constexpr std::size_t noPlace = std::string_view::npos;

// wordBefore() is the name or number that ends before `i`, with the apostrophes in it.
std::string_view wordBefore(std::string_view text, std::size_t i) {
  std::size_t begin = i;
  while (begin > 0 && (isNameCharacter(text[begin - 1]) || (text[begin - 1] == '\'' && begin < i))) --begin;
  return text.substr(begin, i - begin);
}

bool isRaw(std::string_view text, std::size_t quote) {
  constexpr std::array<std::string_view, 5> prefixes = {"R", "LR", "uR", "UR", "u8R"};
  return std::ranges::find(prefixes, wordBefore(text, quote)) != prefixes.end();
}

// An apostrophe in a number separates digits.
bool separatesDigits(std::string_view text, std::size_t quote) {
  const std::string_view word = wordBefore(text, quote);
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
}

// Literal is what stands between the quotes, and where the text goes on.
struct Literal {
  std::size_t begin;
  std::size_t end;
  std::size_t next;
};

Literal rawLiteral(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == noPlace) return {quote + 1, text.size(), text.size()};
  const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  if (end == noPlace) return {quote + 1, text.size(), text.size()};
  const std::size_t next = end + close.size();
  return {quote + 1, next - 1, next};
}

// One that its line does not end is none, but an apostrophe in an #error.
Literal literalAt(std::string_view text, std::size_t quote) {
  if (text[quote] == '"' && isRaw(text, quote)) return rawLiteral(text, quote);
  if (text[quote] == '\'' && separatesDigits(text, quote)) return {quote, quote, quote + 1};
  std::size_t i = quote + 1;
  for (; i < text.size() && text[i] != text[quote] && text[i] != '\n'; ++i)
    if (text[i] == '\\') ++i;
  i = std::min(i, text.size());
  return {quote + 1, i, std::min(i + 1, text.size())};
}

std::size_t commentEnd(std::string_view text, std::size_t i) {
  if (text[i + 1] == '*') {
    const std::size_t end = text.find("*/", i + 2);
    return end == noPlace ? text.size() : end + 2;
  }
  std::size_t end = text.find('\n', i);
  while (end != noPlace && text[end - 1] == '\\') end = text.find('\n', end + 1);
  return std::min(end, text.size());
}

}  // namespace

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string codeOf(std::string_view text) {
  std::string code(text);
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"' || text[i] == '\'') {
      const Literal literal = literalAt(text, i);
      blank(literal.begin, literal.end);
      i = literal.next;
    } else if (text[i] == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) {
      const std::size_t end = commentEnd(text, i);
      blank(i, end);
      i = end;
    } else {
      ++i;
    }
  }
  return code;
}

}  // namespace hostwarp::driver
