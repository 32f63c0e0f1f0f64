// What nvcc takes, with a warning at most, and clang refuses by an error that nothing turns off, where the error tells
// what was meant too late to change it: the first run puts the places of those errors into a file, hwcc runs the
// compiler again, and this second run changes the tokens there on their way to the parser.
//  - `pointerToVoid + count`, in bytes, on both sides;
//  - `(unsigned)pointer` and `pointer > 0` in device code;
//  - `#pragma unroll` between declarations.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>

#include <map>
#include <string>

namespace hostwarp::second_run {

// Finding is a range of tokens. A place's number is the same in every run over the same sources; it tells one use of a
// macro from another.
struct Finding {
  enum Kind : char {
    Bytes = 'b',     // an operand whose arithmetic counts bytes
    Address = 'a',   // an operand that is a number
    Narrowed = 'n',  // such an operand of a cast to a smaller type
    Pragma = 'p',    // a pragma of no use
  } kind;
  unsigned begin, end;
  unsigned at;  // where the error was
};

// Changer changes the tokens of what earlier runs have found.
class Changer {
 public:
  // file: what the earlier runs have found, or "" for nothing.
  Changer(clang::CompilerInstance &compiler, const std::string &file);

  // see() is given every token on its way to the parser, after all others that change it.
  void see(clang::Token &token) {
    if (!begins_.empty()) change(token);
  }

 private:
  void change(clang::Token &token);
  void warn(const Finding &finding) const;

  clang::CompilerInstance &compiler_;
  std::multimap<unsigned, Finding> begins_;
  std::multimap<unsigned, Finding> ends_;
};

// findRefused() makes the compiler add to `file` what it finds.
void findRefused(clang::CompilerInstance &compiler, const std::string &file);

}  // namespace hostwarp::second_run

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H
