// Arithmetic on pointers to void and functions, in bytes: g++ and nvcc take `pointer + count` with a warning, clang by
// an error that nothing turns off. Which operands are such pointers is known when the error comes, too late to change
// them. So the places of those errors go into a file, hwcc runs the compiler again, and then each operand is wrapped as
// `__hostwarp_bytes(operand)` on its way to the parser.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_VOID_ARITHMETIC_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_VOID_ARITHMETIC_H

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>

#include <map>
#include <string>
#include <vector>

namespace hostwarp::void_arithmetic {

// Operand is where the left operand of such an operator begins and ends. A place's number is the same in every run over
// the same sources; it tells one use of a macro from another.
struct Operand {
  unsigned begin, end, operatorAt;
};

// Wrapper wraps the operands that an earlier run has found.
class Wrapper {
 public:
  // file: what the earlier runs have found, or "" for nothing.
  Wrapper(clang::CompilerInstance &compiler, const std::string &file);

  // see() is given every token on its way to the parser, after all others that change it.
  void see(clang::Token &token) {
    if (!operands_.empty()) wrap(token);
  }

 private:
  void wrap(clang::Token &token);

  clang::CompilerInstance &compiler_;
  std::multimap<unsigned, unsigned> operands_;  // operatorAt by begin
  std::multimap<unsigned, unsigned> ends_;
};

// findOperands() makes the compiler add those operands to `file` that give an error.
void findOperands(clang::CompilerInstance &compiler, const std::string &file);

}  // namespace hostwarp::void_arithmetic

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_VOID_ARITHMETIC_H
