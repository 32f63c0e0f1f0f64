// Walks over the text of an asm statement: white space, comments, words, numbers.
#ifndef HOSTWARP_COMPILER_PTX_SCANNER_H
#define HOSTWARP_COMPILER_PTX_SCANNER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace hostwarp::compiler::ptx {

class Scanner {
 public:
  // `text` is LLVM's asm string: $n and ${n:m} are operands, $$ is a dollar sign, ${:uid} a number unique to the
  // statement.
  explicit Scanner(std::string_view text);

  // skipSpace() passes white space and comments.
  void skipSpace();
  bool atEnd();
  // peek() is the next character behind white space, 0 at the end.
  char peek();
  // accept() passes `c` if it comes next.
  bool accept(char c);
  // acceptHere() is accept() without skipping white space.
  bool acceptHere(char c);

  // argument() reads $n; false if none comes next.
  bool argument(unsigned &index);
  // word() reads a PTX identifier (may begin with % _ $), empty if none comes next.
  std::string word();
  // suffix() reads the letters, digits, _ and :: behind a dot of an opcode, empty if none come next.
  std::string suffix();
  // quoted() reads a string literal.
  std::string quoted();
  // number() reads the characters of a number: digits, letters, and a dot with what follows.
  std::string number();

  // rest() is a short piece of what comes next, for error messages.
  std::string rest() const;

 private:
  std::string text_;
  size_t at_ = 0;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_SCANNER_H
