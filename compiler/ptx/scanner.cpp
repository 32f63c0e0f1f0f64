#include "compiler/ptx/scanner.h"

#include <cctype>

#include "compiler/ptx/percent_mark.h"

namespace hostwarp::compiler::ptx {

namespace {

// An operand reference cannot be a dollar sign any more once $$ has become one.
constexpr char argumentMark = '\1';

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$'; }
bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

// braced() handles ${...} at `at` (behind the brace): an operand, or the unique number.
std::string braced(std::string_view text, size_t &at) {
  const size_t end = text.find('}', at);
  std::string_view inside = text.substr(at, end == std::string_view::npos ? end : end - at);
  at = end == std::string_view::npos ? text.size() : end + 1;
  if (inside == ":uid") return "0";
  return argumentMark + std::string(inside.substr(0, inside.find(':'))) + argumentMark;
}

std::string resolveEscapes(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '$' || at + 1 == text.size()) {
      const char c = text[at++];
      result += c == percentMark ? '%' : c;
    } else if (text[at + 1] == '$') {
      result += '$';
      at += 2;
    } else if (text[at + 1] == '{') {
      at += 2;
      result += braced(text, at);
    } else {
      result += argumentMark;
      for (++at; at < text.size() && isDigit(text[at]);) result += text[at++];
      result += argumentMark;
    }
  }
  return result;
}

}  // namespace

Scanner::Scanner(std::string_view text, Source source)
    : text_(source == Source::Module ? std::string(text) : resolveEscapes(text)) {}

void Scanner::skipSpace() {
  while (at_ < text_.size()) {
    if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    } else if (text_.compare(at_, 2, "//") == 0) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.compare(at_, 2, "/*") == 0) {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string::npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

bool Scanner::atEnd() {
  skipSpace();
  return at_ == text_.size();
}

char Scanner::peek() { return atEnd() ? '\0' : text_[at_]; }

bool Scanner::accept(char c) {
  skipSpace();
  return acceptHere(c);
}

bool Scanner::acceptHere(char c) {
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool Scanner::follows(std::string_view text) {
  skipSpace();
  return text_.compare(at_, text.size(), text) == 0;
}

bool Scanner::isNumberBehindSign() {
  skipSpace();
  size_t behind = at_ + 1;
  while (behind < text_.size() && (text_[behind] == ' ' || text_[behind] == '\t')) ++behind;
  return behind < text_.size() && (isDigit(text_[behind]) || text_[behind] == '(' || text_[behind] == '~');
}

bool Scanner::argument(unsigned &index) {
  if (peek() != argumentMark) return false;
  index = 0;
  for (++at_; at_ < text_.size() && isDigit(text_[at_]); ++at_) index = index * 10 + unsigned(text_[at_] - '0');
  return acceptHere(argumentMark);
}

std::string Scanner::word() {
  if (!isWordStart(peek())) return "";
  const size_t begin = at_;
  // "%%name" is what a statement without operands leaves of "%%name".
  while (acceptHere('%')) {
  }
  const size_t name = at_;
  while (at_ < text_.size() && isWordPart(text_[at_])) ++at_;
  return (name > begin ? "%" : "") + text_.substr(name, at_ - name);
}

std::string Scanner::suffix() {
  const size_t begin = at_;
  while (at_ < text_.size() && (isWordPart(text_[at_]) || text_.compare(at_, 2, "::") == 0))
    at_ += text_[at_] == ':' ? 2 : 1;
  return text_.substr(begin, at_ - begin);
}

std::string Scanner::quoted() {
  if (!accept('"')) return "";
  const size_t begin = at_, end = std::min(text_.find('"', at_), text_.size());
  at_ = std::min(end + 1, text_.size());
  return text_.substr(begin, end - begin);
}

std::string Scanner::number() {
  if (!isDigit(peek())) return "";
  const size_t begin = at_;
  while (at_ < text_.size() && isWordPart(text_[at_])) ++at_;
  if (at_ + 1 < text_.size() && text_[at_] == '.' && isDigit(text_[at_ + 1])) {
    for (++at_; at_ < text_.size() && isWordPart(text_[at_]); ++at_) {
    }
    const char last = text_[at_ - 1];
    if ((last == 'e' || last == 'E') && at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+'))
      for (++at_; at_ < text_.size() && isDigit(text_[at_]); ++at_) {
      }
  }
  return text_.substr(begin, at_ - begin);
}

std::string Scanner::directive() { return accept('.') ? "." + suffix() : word(); }

void Scanner::passBraces() {
  for (int depth = 1; depth && !atEnd();) {
    const char c = text_[at_++];
    depth += (c == '{') - (c == '}');
    if (c == '"') at_ = std::min(text_.find('"', at_), text_.size() - 1) + 1;
  }
}

unsigned Scanner::line() {
  skipSpace();
  for (; counted_ < at_; ++counted_) line_ += text_[counted_] == '\n';
  return line_;
}

size_t Scanner::position() {
  skipSpace();
  return at_;
}

std::string Scanner::rest() const {
  std::string piece;
  for (char c : text_.substr(at_, 40)) piece += c == argumentMark ? '%' : c == '\n' ? ' ' : c;
  return piece;
}

}  // namespace hostwarp::compiler::ptx
