// Constant expressions where an instruction takes a number [PTX 4.6]: C's operators, on integers of 64 bits.
#include <array>
#include <optional>
#include <string_view>

#include "compiler/ptx/parser.h"

namespace hostwarp::compiler::ptx {

namespace {

// BinaryOperator is one that stands between two numbers. Those of a higher level bind first.
struct BinaryOperator {
  std::string_view text;
  int level;
};

constexpr int lowest = 1;
// Longer ones come before those that they begin with.
constexpr std::array<BinaryOperator, 18> operators{{{"||", 1},
                                                    {"&&", 2},
                                                    {"==", 6},
                                                    {"!=", 6},
                                                    {"<<", 8},
                                                    {">>", 8},
                                                    {"<=", 7},
                                                    {">=", 7},
                                                    {"|", 3},
                                                    {"^", 4},
                                                    {"&", 5},
                                                    {"<", 7},
                                                    {">", 7},
                                                    {"+", 9},
                                                    {"-", 9},
                                                    {"*", 10},
                                                    {"/", 10},
                                                    {"%", 10}}};

const BinaryOperator *operatorAt(Scanner &scanner) {
  for (const BinaryOperator &each : operators)
    if (scanner.follows(each.text)) return &each;
  return nullptr;
}

// shifted() gives what a register would have, beyond the number's width, too.
uint64_t shifted(bool isLeft, uint64_t a, uint64_t by, bool isUnsigned) {
  if (isLeft) return by > 63 ? 0 : a << by;
  if (isUnsigned) return by > 63 ? 0 : a >> by;
  return uint64_t(int64_t(a) >> (by > 63 ? 63 : by));
}

// quotient() is empty where there is none.
std::optional<uint64_t> quotient(bool isRemainder, uint64_t a, uint64_t b, bool isUnsigned) {
  if (b == 0) return std::nullopt;
  if (isUnsigned) return isRemainder ? a % b : a / b;
  if (b == ~uint64_t{0}) return isRemainder ? 0 : -a;
  return uint64_t(isRemainder ? int64_t(a) % int64_t(b) : int64_t(a) / int64_t(b));
}

std::optional<uint64_t> computed(std::string_view text, uint64_t a, uint64_t b, bool isUnsigned) {
  if (text == "<<" || text == ">>") return shifted(text == "<<", a, b, isUnsigned);
  if (text == "/" || text == "%") return quotient(text == "%", a, b, isUnsigned);
  const bool isLess = isUnsigned ? a < b : int64_t(a) < int64_t(b);
  switch (text[0]) {
    case '|':
      return text.size() == 2 ? uint64_t(a != 0 || b != 0) : a | b;
    case '&':
      return text.size() == 2 ? uint64_t(a != 0 && b != 0) : a & b;
    case '^':
      return a ^ b;
    case '=':
      return a == b;
    case '!':
      return a != b;
    case '<':
      return isLess || (text.size() == 2 && a == b);
    case '>':
      return !isLess && (text.size() == 2 || a != b);
    case '+':
      return a + b;
    case '-':
      return a - b;
    default:
      return a * b;
  }
}

Operand integer(uint64_t bits, bool isUnsigned) {
  Operand result;
  result.kind = Operand::Kind::Integer;
  result.integer = int64_t(bits);
  result.isUnsigned = isUnsigned;
  return result;
}

}  // namespace

// constant() reads a number or an expression.
Operand Parser::constant() {
  Operand result = joined(single(), lowest);
  if (result.kind != Operand::Kind::Integer || !scanner_.accept('?')) return result;
  nested([&] {
    const Operand first = constant();
    expect(':');
    const Operand second = constant();
    const bool isUnsigned = first.isUnsigned || second.isUnsigned;
    result = integer(uint64_t((result.integer != 0 ? first : second).integer), isUnsigned);
  });
  return result;
}

// joined() reads the operators of at least this level that follow the number, with what is right of them.
Operand Parser::joined(Operand left, int level) {
  while (error_.empty() && left.kind == Operand::Kind::Integer) {
    const BinaryOperator *const found = operatorAt(scanner_);
    if (!found || found->level < level) break;
    for (const char c : found->text) expect(c);
    const bool isShift = found->level == 8;
    nested([&] {
      const Operand right = joined(single(), found->level + 1);
      const bool isUnsigned = left.isUnsigned || (!isShift && right.isUnsigned);
      const auto value = computed(found->text, uint64_t(left.integer), uint64_t(right.integer), isUnsigned);
      if (!value) fail("a constant is divided by zero before");
      const bool isTruth = found->level <= 2 || found->level == 6 || found->level == 7;
      left = integer(value.value_or(0), isUnsigned && !isTruth);
    });
  }
  return left;
}

// addend() reads what is added to an address: more of them may follow, and arguments among them.
Operand Parser::addend() { return joined(single(), 10); }

// single() reads a number with what stands in front of it, or an expression in parentheses.
Operand Parser::single() {
  Operand result;
  const bool isPositive = scanner_.accept('+'), isNegative = !isPositive && scanner_.accept('-');
  const char first = scanner_.peek();
  if (first >= '0' && first <= '9') return number(isNegative);
  if (isPositive) {
    nested([&] { result = single(); });
  } else if (isNegative) {
    nested([&] { result = single(); });
    result.integer = int64_t(-uint64_t(result.integer));
  } else if (scanner_.accept('~')) {
    nested([&] { result = single(); });
    result.integer = ~result.integer;
  } else if (scanner_.accept('!')) {
    nested([&] { result = single(); });
    result = integer(result.integer == 0, false);
  } else if (scanner_.accept('(')) {
    nested([&] { result = inParentheses(); });
  } else {
    return number(false);
  }
  if (error_.empty() && result.kind != Operand::Kind::Integer) fail("expected an integer before");
  return result;
}

// inParentheses() reads what stands behind one: an expression, or the type of a conversion and what is converted.
Operand Parser::inParentheses() {
  if (!scanner_.accept('.')) {
    Operand result = constant();
    expect(')');
    return result;
  }
  const std::string type = scanner_.suffix();
  if (type != "s64" && type != "u64") fail("constants are of type .s64 or .u64; before");
  expect(')');
  Operand result = single();
  result.isUnsigned = type == "u64";
  return result;
}

}  // namespace hostwarp::compiler::ptx
