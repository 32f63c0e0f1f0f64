// From the text of an asm statement, or of a function's body, to its statements.
#ifndef HOSTWARP_COMPILER_PTX_PARSER_H
#define HOSTWARP_COMPILER_PTX_PARSER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/scanner.h"
#include "compiler/ptx/syntax.h"

namespace hostwarp::compiler::ptx {

class Parser {
 public:
  explicit Parser(std::string_view text, Scanner::Source source = Scanner::Source::AsmStatement)
      : scanner_(text, source) {}

  // parse() returns the statements in order. On bad syntax error() is not empty, and the result is not to be used.
  std::vector<Statement> parse();
  const std::string &error() const { return error_; }

 protected:
  // statement() reads the next one into statements_.
  void statement();
  // variable() reads a declaration behind its state space; the initializer and the semicolon stay.
  Variable variable(Space space);
  // attributes() reads "(.managed, .unified(1, 2))".
  void attributes(Variable &variable);
  // parameters() reads "(.param .b32 a, ...)" if a parenthesis comes next.
  std::vector<Variable> parameters();
  Operand number(bool negative);
  unsigned unsignedNumber();
  // nested() runs `read` one level deeper; false: there are too many levels, and that is the error.
  template <class Read>
  bool nested(Read read) {
    constexpr unsigned most = 100;
    if (depth_ == most) fail("too many brackets within brackets before");
    if (!error_.empty()) return false;
    ++depth_;
    read();
    --depth_;
    return true;
  }
  void expect(char c);
  void fail(const std::string &what);

  Scanner scanner_;
  std::vector<Statement> statements_;
  std::string error_;
  unsigned errorLine_ = 0;
  uint64_t registers_ = 0;  // declared so far in the function at hand

 private:
  Statement &add(Statement::Kind kind);
  void directive();
  void registers();
  void instruction();
  void labelOrInstruction();
  void namedDirective(const std::string &label);
  void memory(Space space);
  void pointee();
  void location();
  Operand offset(Operand name);
  Operand list();
  void operands(Instruction &instruction, std::string first);
  Operand operand();
  Operand simpleOperand();
  Operand constant();
  Operand joined(Operand left, int level);
  Operand addend();
  Operand single();
  Operand inParentheses();
  Operand address();
  Operand vector();
  void numberValue(const std::string &text, Operand &result);
  void selector(Operand &result);
  bool isConstant();

  void dimension(Variable &variable);

  unsigned line_ = 0;  // of the statement at hand
  unsigned depth_ = 0;
  bool isCall_ = false;  // the instruction at hand takes lists
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_PARSER_H
