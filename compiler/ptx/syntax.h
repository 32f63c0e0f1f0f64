// What the parser makes of the text of one asm statement.
#ifndef HOSTWARP_COMPILER_PTX_SYNTAX_H
#define HOSTWARP_COMPILER_PTX_SYNTAX_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hostwarp::compiler::ptx {

// Operand is one operand of an instruction. Which fields count depends on `kind`.
struct Operand {
  enum class Kind : uint8_t {
    Argument,  // $n: `argument`
    Register,  // a name from .reg, or a special register (with its %): `name`
    Integer,   // `integer`, two's complement
    Float,     // 0f..., 0d... or a decimal fraction: `number`; floatBits is 32 for 0f, 64 for 0d, else 0
    Address,   // [parts[0] + integer (+ $argument)], further parts after a comma (tensor coordinates)
    Vector,    // {parts...}
    Pair,      // parts[0] | parts[1]
    Sink,      // _
  };
  Kind kind = Kind::Sink;
  bool negated = false;  // !p
  bool offsetFromArgument = false;
  unsigned argument = 0;
  int64_t integer = 0;  // of a 0f or 0d literal: its bits
  double number = 0;
  unsigned floatBits = 0;
  std::string name;
  std::string selector;  // "b0", "h1", "x" ... of r.b0
  std::vector<Operand> parts;
};

// Instruction is `@guard opcode.modifiers operands;`.
struct Instruction {
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<Operand> operands;
  std::optional<Operand> guard;
};

// Declaration is one name of a .reg directive; count is the n of name<n>, 0 without.
struct Declaration {
  std::string type;
  std::string name;
  unsigned count = 0;
};

struct Statement {
  enum class Kind : uint8_t { ScopeBegin, ScopeEnd, Declare, Label, Instruct };
  Kind kind;
  std::string label;
  std::vector<Declaration> declarations;
  Instruction instruction;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_SYNTAX_H
