// Walks over the text of an asm statement or a module: white space, comments, words, numbers.
#ifndef HOSTWARP_COMPILER_PTX_SCANNER_H
#define HOSTWARP_COMPILER_PTX_SCANNER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace hostwarp::compiler::ptx {

class Scanner {
 public:
  enum class Source : uint8_t { AsmStatement, Module };

  // An asm statement is LLVM's asm string: $n and ${n:m} are operands, $$ is a dollar sign, ${:uid} a number unique to
  // the statement.
  explicit Scanner(std::string_view text, Source source = Source::AsmStatement);

  // skipSpace() passes white space and comments.
  void skipSpace();
  bool atEnd();
  // peek() is the next character behind white space, 0 at the end.
  char peek();
  // accept() passes `c` if it comes next.
  bool accept(char c);
  // acceptHere() is accept() without skipping white space.
  bool acceptHere(char c);

  // follows() tells whether `text` comes next, and passes nothing but white space.
  bool follows(std::string_view text);

  // isNumberBehindSign() tells whether behind the next character, a sign, a number or an expression comes.
  bool isNumberBehindSign();

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

  // directive() reads a word with its dot, or a plain word.
  std::string directive();
  // passBraces() passes everything up to the brace that closes the one before.
  void passBraces();

  // line() is the number of the line where the next token stands, from 1.
  unsigned line();
  // position() is where the next token stands, in bytes; end() is where the last one ended.
  size_t position();
  size_t end() const { return at_; }
  // rest() is a short piece of what comes next, for error messages.
  std::string rest() const;

 private:
  std::string text_;
  size_t at_ = 0;
  size_t counted_ = 0;  // line ends up to here are in line_
  unsigned line_ = 1;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_SCANNER_H
