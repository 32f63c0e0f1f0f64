#include "compiler/ptx/parser.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

namespace hostwarp::compiler::ptx {

namespace {

// A function has some thousands of registers; each one here takes memory.
constexpr uint64_t mostRegisters = 1 << 20;
// Variables are addressed by 32 bits with a sign in the object that becomes of them.
constexpr uint64_t mostBytes = (uint64_t{1} << 31) - 1;
constexpr unsigned mostAlignment = 1 << 16;

}  // namespace

std::vector<Statement> Parser::parse() {
  registers_ = 0;
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
  if (!error_.empty()) return;
  error_ = what + " '" + scanner_.rest() + "'";
  errorLine_ = scanner_.line();
}

void Parser::expect(char c) {
  if (!scanner_.accept(c)) fail(std::string("expected '") + c + "' before");
}

Statement &Parser::add(Statement::Kind kind) {
  Statement &made = statements_.emplace_back();
  made.kind = kind;
  made.line = line_;
  return made;
}

void Parser::statement() {
  if (scanner_.accept(';')) return;
  line_ = scanner_.line();
  if (scanner_.accept('{')) {
    add(Statement::Kind::ScopeBegin);
  } else if (scanner_.accept('}')) {
    add(Statement::Kind::ScopeEnd);
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
  static const std::map<std::string, Space> spaces{{"param", Space::Parameter},
                                                   {"local", Space::Local},
                                                   {"shared", Space::Shared},
                                                   {"global", Space::Global},
                                                   {"const", Space::Constant}};
  if (name == "reg") {
    registers();
  } else if (name == "pragma") {
    do scanner_.quoted();
    while (scanner_.accept(','));
    expect(';');
  } else if (name == "loc") {
    location();
  } else if (const auto space = spaces.find(name); space != spaces.end()) {
    memory(space->second);
  } else {
    fail("unsupported directive ." + name + " before");
  }
}

// location() reads "file line column", and passes what the line was inlined into.
void Parser::location() {
  Statement &result = add(Statement::Kind::Location);
  result.file = unsignedNumber();
  result.sourceLine = unsignedNumber();
  result.column = unsignedNumber();
  if (!scanner_.accept(',')) return;
  scanner_.word();  // function_name
  scanner_.word();
  if (scanner_.accept('+')) unsignedNumber();
  expect(',');
  scanner_.word();  // inlined_at
  for (int i = 0; i < 3; ++i) unsignedNumber();
}

void Parser::memory(Space space) {
  std::vector<Variable> declared;
  do declared.push_back(variable(space));
  while (scanner_.accept(','));
  expect(';');
  add(Statement::Kind::Memory).memory = std::move(declared);
}

Variable Parser::variable(Space space) {
  Variable result;
  result.space = space;
  unsigned vector = 1;
  while (error_.empty() && scanner_.accept('.')) {
    const std::string name = scanner_.suffix();
    if (name == "align") {
      result.alignment = unsignedNumber();
      if (result.alignment == 0 || result.alignment > mostAlignment || (result.alignment & (result.alignment - 1)) != 0)
        fail("an alignment has to be a power of two up to 65536; before");
    } else if (name == "attribute") {
      attributes(result);
    } else if (name == "v2" || name == "v4" || name == "v8") {
      vector = unsigned(name[1] - '0');
    } else if (name == "ptr") {
      pointee();
    } else if (const Type type = parseType(name); type.valid()) {
      result.type = type;
    } else {
      fail("variables of type ." + name + " are not supported; before");
    }
  }
  if (!result.type.valid()) fail("expected a type before");
  result.name = scanner_.word();
  if (result.name.empty()) fail("expected a name before");
  result.count = vector;
  result.isArray = vector > 1;
  while (error_.empty() && scanner_.accept('[')) dimension(result);
  return result;
}

// dimension() reads what stands between [ and ]. Products stay far below what 64 bits hold.
void Parser::dimension(Variable &variable) {
  variable.isArray = true;
  const uint64_t count = scanner_.peek() == ']' ? 0 : uint64_t(constant().integer);
  expect(']');
  if (count > mostBytes || (variable.count *= count) > mostBytes || variable.bytes() > mostBytes) {
    variable.count = 0;
    fail("variable " + variable.name + " is too large; before");
  }
}

// pointee() passes what ".ptr .global .align 8" says of the memory that the parameter points to.
void Parser::pointee() {
  while (scanner_.accept('.'))
    if (scanner_.suffix() == "align") unsignedNumber();
}

void Parser::attributes(Variable &variable) {
  expect('(');
  do {
    variable.isManaged |= scanner_.directive() == ".managed";
    if (!scanner_.accept('(')) continue;
    do scanner_.number();
    while (scanner_.accept(','));
    expect(')');
  } while (scanner_.accept(','));
  expect(')');
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> result;
  if (!scanner_.accept('(')) return result;
  while (error_.empty() && !scanner_.accept(')')) {
    const std::string space = scanner_.directive();
    if (space != ".param" && space != ".reg") fail("expected a parameter before");
    result.push_back(variable(space == ".reg" ? Space::Register : Space::Parameter));
    scanner_.accept(',');
  }
  return result;
}

unsigned Parser::unsignedNumber() {
  const std::string text = scanner_.number();
  if (text.empty()) fail("expected a number before");
  char *end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 0);
  if (*end == 'U' || *end == 'u') ++end;
  if (*end) fail("bad number " + text + " before");
  if (value > ~0u) fail("the number " + text + " is too large; before");
  return unsigned(value);
}

void Parser::registers() {
  std::vector<Declaration> result;
  expect('.');
  const std::string type = scanner_.suffix();
  do {
    Declaration declaration{type, scanner_.word(), 0};
    if (declaration.name.empty()) return fail("expected a register name before");
    if (scanner_.accept('<')) {
      declaration.count = unsignedNumber();
      expect('>');
    }
    registers_ += std::max(1u, declaration.count);
    if (registers_ > mostRegisters) return fail("more registers than a function can have before");
    result.push_back(declaration);
  } while (scanner_.accept(','));
  // clang's and older nvcc's ptxas take a declaration that ends at a brace.
  if (scanner_.peek() != '}') expect(';');
  add(Statement::Kind::Declare).declarations = std::move(result);
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
  if (scanner_.accept(':')) return namedDirective(word);
  Instruction result;
  operands(result, word);
}

// namedDirective() reads what a label names: a place, the prototype of indirect calls, or a list of targets.
void Parser::namedDirective(const std::string &label) {
  const bool directive =
      scanner_.follows(".callprototype") || scanner_.follows(".calltargets") || scanner_.follows(".branchtargets");
  if (!directive) {
    add(Statement::Kind::Label).label = label;
    return;
  }
  Statement result;
  result.line = line_;
  result.label = label;
  if (scanner_.directive() == ".callprototype") {
    result.kind = Statement::Kind::Prototype;
    result.prototype.results = parameters();
    scanner_.word();  // _
    result.prototype.parameters = parameters();
    while (scanner_.peek() == '.') scanner_.directive();  // .noreturn
  } else {
    result.kind = Statement::Kind::Targets;
    do result.targets.push_back(scanner_.word());
    while (scanner_.accept(','));
  }
  expect(';');
  statements_.push_back(std::move(result));
}

void Parser::operands(Instruction &instruction, std::string opcode) {
  instruction.opcode = std::move(opcode);
  isCall_ = instruction.opcode == "call";
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
  add(Statement::Kind::Instruct).instruction = std::move(instruction);
}

Operand Parser::operand() {
  if (scanner_.accept('!')) {
    Operand result = simpleOperand();
    if (result.kind == Operand::Kind::Integer) result.integer = result.integer == 0;
    result.negated = result.kind != Operand::Kind::Integer;
    return result;
  }
  Operand first = offset(simpleOperand());
  if (!scanner_.accept('|')) return first;
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.parts = {std::move(first), simpleOperand()};
  return pair;
}

// offset() reads what is added to the address of a name.
Operand Parser::offset(Operand name) {
  if (name.kind == Operand::Kind::Register && name.selector.empty() && scanner_.accept('+'))
    name.integer = addend().integer;
  return name;
}

Operand Parser::list() {
  Operand result;
  result.kind = Operand::Kind::List;
  while (error_.empty() && !scanner_.accept(')')) {
    result.parts.push_back(simpleOperand());
    scanner_.accept(',');
  }
  return result;
}

Operand Parser::simpleOperand() {
  Operand result;
  for (const auto &[bracket, read] : {std::pair{'(', &Parser::list}, {'[', &Parser::address}, {'{', &Parser::vector}}) {
    if ((bracket == '(' && !isCall_) || !scanner_.accept(bracket)) continue;
    nested([&] { result = (this->*read)(); });
    return result;
  }
  if (scanner_.argument(result.argument)) {
    result.kind = Operand::Kind::Argument;
    selector(result);
    return result;
  }
  if (isConstant()) return constant();
  if (scanner_.accept('-')) {
    nested([&] { result = simpleOperand(); });
    result.minus = true;
    return result;
  }
  result.name = scanner_.word();
  if (result.name.empty()) fail("expected an operand before");
  if (result.name == "_") return result;
  result.kind = Operand::Kind::Register;
  selector(result);
  return result;
}

// isConstant(): a number or an expression comes next. A minus may stand in front of a register.
bool Parser::isConstant() {
  const char next = scanner_.peek();
  if (next == '-') return scanner_.isNumberBehindSign();
  return next == '+' || next == '~' || next == '(' || (next >= '0' && next <= '9');
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
    result.integer = int64_t(uint64_t(result.integer) + uint64_t(addend().integer));
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
  result.integer =
      literalBits ? result.integer ^ (int64_t(1) << (result.floatBits - 1)) : int64_t(-uint64_t(result.integer));
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
    result.isUnsigned = *end == 'U' || *end == 'u' || result.integer < 0;
    if (*end == 'U' || *end == 'u') ++end;
  }
  if (*end) fail("bad number " + text + " before");
}

}  // namespace hostwarp::compiler::ptx
