// From the text of an asm statement to its statements.
#ifndef HOSTWARP_COMPILER_PTX_PARSER_H
#define HOSTWARP_COMPILER_PTX_PARSER_H

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/scanner.h"
#include "compiler/ptx/syntax.h"

namespace hostwarp::compiler::ptx {

class Parser {
 public:
  explicit Parser(std::string_view text) : scanner_(text) {}

  // parse() returns the statements in order. On bad syntax error() is not empty, and the result is not to be used.
  std::vector<Statement> parse();
  const std::string &error() const { return error_; }

 private:
  void statement();
  void directive();
  void registers();
  void instruction();
  void labelOrInstruction();
  void operands(Instruction &instruction, std::string first);
  Operand operand();
  Operand simpleOperand();
  Operand address();
  Operand vector();
  Operand number(bool negative);
  void numberValue(const std::string &text, Operand &result);
  void selector(Operand &result);
  void expect(char c);
  void fail(const std::string &what);

  Scanner scanner_;
  std::vector<Statement> statements_;
  std::string error_;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_PARSER_H
