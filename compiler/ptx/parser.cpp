#include "compiler/ptx/parser.h"

#include <cstdlib>
#include <cstring>

namespace hostwarp::compiler::ptx {

std::vector<Statement> Parser::parse() {
  while (error_.empty() && !scanner_.atEnd()) statement();
  int depth = 0;
  for (const Statement &statement : statements_) {
    depth += statement.kind == Statement::Kind::ScopeBegin;
    depth -= statement.kind == Statement::Kind::ScopeEnd;
    if (depth < 0) break;
  }
  if (depth) fail("unbalanced { } in");
  return std::move(statements_);
}

void Parser::fail(const std::string &what) {
  if (error_.empty()) error_ = what + " '" + scanner_.rest() + "'";
}

void Parser::expect(char c) {
  if (!scanner_.accept(c)) fail(std::string("expected '") + c + "' before");
}

void Parser::statement() {
  if (scanner_.accept(';')) return;
  if (scanner_.accept('{')) {
    statements_.push_back({Statement::Kind::ScopeBegin, {}, {}, {}});
  } else if (scanner_.accept('}')) {
    statements_.push_back({Statement::Kind::ScopeEnd, {}, {}, {}});
  } else if (scanner_.accept('.')) {
    directive();
  } else if (scanner_.peek() == '@') {
    instruction();
  } else {
    labelOrInstruction();
  }
}

void Parser::directive() {
  const std::string name = scanner_.suffix();
  if (name == "reg") {
    registers();
  } else if (name == "pragma") {
    scanner_.quoted();
    expect(';');
  } else {
    fail("unsupported directive ." + name + " before");
  }
}

void Parser::registers() {
  Statement result{Statement::Kind::Declare, {}, {}, {}};
  expect('.');
  const std::string type = scanner_.suffix();
  do {
    Declaration declaration{type, scanner_.word(), 0};
    if (declaration.name.empty()) return fail("expected a register name before");
    if (scanner_.accept('<')) {
      declaration.count = unsigned(std::strtoul(scanner_.number().c_str(), nullptr, 0));
      expect('>');
    }
    result.declarations.push_back(declaration);
  } while (scanner_.accept(','));
  // clang's and older nvcc's ptxas take a declaration that ends at a brace.
  if (scanner_.peek() != '}') expect(';');
  statements_.push_back(std::move(result));
}

void Parser::instruction() {
  Instruction result;
  if (scanner_.accept('@')) {
    const bool negated = scanner_.accept('!');
    result.guard = simpleOperand();
    result.guard->negated = negated;
  }
  const std::string opcode = scanner_.word();
  if (opcode.empty()) return fail("expected an opcode before");
  operands(result, opcode);
}

void Parser::labelOrInstruction() {
  const std::string word = scanner_.word();
  if (word.empty()) return fail("expected an instruction before");
  if (scanner_.accept(':')) {
    statements_.push_back({Statement::Kind::Label, word, {}, {}});
    return;
  }
  Instruction result;
  operands(result, word);
}

void Parser::operands(Instruction &instruction, std::string opcode) {
  instruction.opcode = std::move(opcode);
  while (scanner_.acceptHere('.')) {
    instruction.modifiers.push_back(scanner_.suffix());
    if (instruction.modifiers.back().empty()) return fail("expected a modifier before");
  }
  while (error_.empty() && scanner_.peek() != ';' && scanner_.peek() != '}' && !scanner_.atEnd()) {
    instruction.operands.push_back(operand());
    if (!scanner_.accept(',')) break;
  }
  // The semicolon of the last instruction may be missing: the compiler ends each asm statement with one.
  if (error_.empty() && !scanner_.accept(';') && !scanner_.atEnd() && scanner_.peek() != '}')
    fail("unexpected text after the operands of " + instruction.opcode + ":");
  statements_.push_back({Statement::Kind::Instruct, {}, {}, std::move(instruction)});
}

Operand Parser::operand() {
  if (scanner_.accept('!')) {
    Operand result = simpleOperand();
    result.negated = true;
    return result;
  }
  Operand first = simpleOperand();
  if (!scanner_.accept('|')) return first;
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.parts = {std::move(first), simpleOperand()};
  return pair;
}

Operand Parser::simpleOperand() {
  Operand result;
  if (scanner_.accept('[')) return address();
  if (scanner_.accept('{')) return vector();
  if (scanner_.argument(result.argument)) {
    result.kind = Operand::Kind::Argument;
    selector(result);
    return result;
  }
  const char next = scanner_.peek();
  if (next == '-' || next == '+' || (next >= '0' && next <= '9')) {
    scanner_.accept('+');
    return number(scanner_.accept('-'));
  }
  result.name = scanner_.word();
  if (result.name.empty()) fail("expected an operand before");
  if (result.name == "_") return result;
  result.kind = Operand::Kind::Register;
  selector(result);
  return result;
}

void Parser::selector(Operand &result) {
  if (scanner_.acceptHere('.')) result.selector = scanner_.suffix();
}

Operand Parser::address() {
  Operand result;
  result.kind = Operand::Kind::Address;
  result.parts.push_back(simpleOperand());
  Operand &base = result.parts.front();
  if (base.kind == Operand::Kind::Register && scanner_.peek() == '<') fail("unsupported address before");
  for (;;) {
    const bool plus = scanner_.accept('+'), minus = scanner_.peek() == '-';
    if (!plus && !minus) break;
    if (plus && scanner_.argument(result.argument)) {
      result.offsetFromArgument = true;
      continue;
    }
    result.integer += number(scanner_.accept('-')).integer;
  }
  while (scanner_.accept(',')) result.parts.push_back(simpleOperand());
  expect(']');
  return result;
}

Operand Parser::vector() {
  Operand result;
  result.kind = Operand::Kind::Vector;
  do {
    result.parts.push_back(simpleOperand());
  } while (scanner_.accept(','));
  expect('}');
  return result;
}

Operand Parser::number(bool negative) {
  Operand result;
  const std::string text = scanner_.number();
  if (text.empty()) {
    fail("expected a number before");
    return result;
  }
  numberValue(text, result);
  if (!negative) return result;
  const bool literalBits = result.floatBits != 0;
  result.integer = literalBits ? result.integer ^ (int64_t(1) << (result.floatBits - 1)) : -result.integer;
  result.number = -result.number;
  return result;
}

void Parser::numberValue(const std::string &text, Operand &result) {
  const char kind = text.size() > 1 && text[0] == '0' ? char(text[1] | 0x20) : '\0';
  char *end = nullptr;
  if (kind == 'f' || kind == 'd') {
    result.kind = Operand::Kind::Float;
    result.floatBits = kind == 'f' ? 32 : 64;
    const uint64_t bits = std::strtoull(text.c_str() + 2, &end, 16);
    result.integer = int64_t(bits);
    if (kind == 'd') {
      std::memcpy(&result.number, &bits, sizeof bits);
    } else {
      const auto narrow = uint32_t(bits);
      float value;
      std::memcpy(&value, &narrow, sizeof value);
      result.number = value;
    }
  } else if (text.find('.') != std::string::npos) {
    result.kind = Operand::Kind::Float;
    result.number = std::strtod(text.c_str(), &end);
  } else {
    result.kind = Operand::Kind::Integer;
    const bool binary = kind == 'b';
    result.integer = int64_t(std::strtoull(text.c_str() + (binary ? 2 : 0), &end, binary ? 2 : 0));
    if (*end == 'U' || *end == 'u') ++end;
  }
  if (*end) fail("bad number " + text + " before");
}

}  // namespace hostwarp::compiler::ptx
