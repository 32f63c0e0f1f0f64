#include "compiler/device/gpu/typed_pointers.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

namespace hostwarp::compiler {

namespace {

// Token is a word, a quoted name or one sign, with the blanks and comments before it.
struct Token {
  llvm::StringRef space;
  llvm::StringRef text;
  // Of the last token of a pointer that was made here: where the pointer begins.
  size_t pointer = std::string::npos;
};

bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-'; }

// spaceLength() is that of the blanks and comments at the beginning.
size_t spaceLength(llvm::StringRef text) {
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ';')
      at = std::min(text.find('\n', at), text.size());
    else if (llvm::isSpace(text[at]))
      ++at;
    else
      break;
  }
  return at;
}

// tokenLength() is that of the token at the beginning. `%"a b"`, `c"..."` and `@x` are one each.
size_t tokenLength(llvm::StringRef text) {
  size_t at = 0;
  while (at < text.size() && (text[at] == '%' || text[at] == '@' || text[at] == '!' || text[at] == '#')) ++at;
  if (at < text.size() && text[at] == 'c' && text.substr(at + 1).starts_with("\"")) ++at;
  if (at < text.size() && text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  while (at < text.size() && isWord(text[at])) ++at;
  return std::max<size_t>(at, 1);
}

// Rewriter keeps what has been read, so that a `*` finds the type that it stands behind.
class Rewriter {
 public:
  void add(Token token) {
    if (token.text != "*") {
      tokens_.push_back(token);
      return;
    }
    size_t end = tokens_.size();
    const size_t space = spaceBefore(end);
    const size_t type = typeBefore(space);
    if (type == end) {  // it stands behind nothing that is a type
      tokens_.push_back(token);
      return;
    }
    const llvm::SmallVector<Token, 4> kept(tokens_.begin() + static_cast<std::ptrdiff_t>(space), tokens_.end());
    const llvm::StringRef before = tokens_[type].space;
    tokens_.resize(type);
    tokens_.push_back({before, "ptr"});
    tokens_.append(kept.begin(), kept.end());
    tokens_.back().pointer = type;
  }

  std::string text(llvm::StringRef rest) const {
    std::string text;
    for (const Token &token : tokens_) text.append(token.space).append(token.text);
    return text.append(rest);
  }

 private:
  bool isAt(size_t index, llvm::StringRef text) const { return index < tokens_.size() && tokens_[index].text == text; }

  // openingOf() is where the bracket opens that closes before `end`; `end` if it does nowhere.
  size_t openingOf(size_t end, llvm::StringRef open, llvm::StringRef close) const {
    unsigned depth = 0;
    for (size_t at = end; at-- > 0;) {
      if (tokens_[at].text == close) ++depth;
      if (tokens_[at].text == open && --depth == 0) return at;
    }
    return end;
  }

  // spaceBefore() is where `addrspace(N)` begins that ends at `end`; `end` if there is none.
  size_t spaceBefore(size_t end) const {
    const bool isThere = end >= 4 && tokens_[end - 1].pointer == std::string::npos && isAt(end - 1, ")") &&
                         isAt(end - 3, "(") && isAt(end - 4, "addrspace");
    return isThere ? end - 4 : end;
  }

  // typeBefore() is where the type begins that ends at `end`.
  size_t typeBefore(size_t end) const {
    if (end == 0) return end;
    if (const size_t pointer = tokens_[end - 1].pointer; pointer != std::string::npos) return pointer;
    const llvm::StringRef last = tokens_[end - 1].text;
    if (last == "]") return openingOf(end, "[", "]");
    if (last == "}") return openingOf(end, "{", "}");
    if (last == ">") return openingOf(end, "<", ">");  // a vector or a packed structure
    if (last != ")") return end - 1;
    if (const size_t space = spaceBefore(end); space != end) return typeBefore(space);  // a pointer's
    return typeBefore(openingOf(end, "(", ")"));                                        // what a function returns
  }

  llvm::SmallVector<Token, 0> tokens_;
};

}  // namespace

std::string withOpaquePointers(llvm::StringRef text) {
  Rewriter rewriter;
  while (true) {
    const llvm::StringRef space = text.take_front(spaceLength(text));
    text = text.drop_front(space.size());
    if (text.empty()) return rewriter.text(space);
    const llvm::StringRef token = text.take_front(tokenLength(text));
    text = text.drop_front(token.size());
    rewriter.add({space, token});
  }
}

}  // namespace hostwarp::compiler
