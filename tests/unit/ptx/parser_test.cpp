#include "compiler/ptx/parser.h"

#include <gtest/gtest.h>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

using namespace compiler::ptx;
using Kind = Statement::Kind;

std::vector<Statement> parse(const std::string &text) {
  Parser parser(text);
  auto statements = parser.parse();
  EXPECT_EQ(parser.error(), "") << text;
  return statements;
}

std::string parseError(const std::string &text) {
  Parser parser(text);
  parser.parse();
  return parser.error();
}

TEST(Parser, SplitsOpcodeModifiersAndOperands) {
  const auto statements = parse("  ld.global.L2::128B.v2.u32 {$0,$1}, [$2+-8] ;");
  ASSERT_EQ(statements.size(), 1u);
  const Instruction &instruction = statements[0].instruction;
  EXPECT_EQ(instruction.opcode, "ld");
  EXPECT_EQ(instruction.modifiers, (std::vector<std::string>{"global", "L2::128B", "v2", "u32"}));
  ASSERT_EQ(instruction.operands.size(), 2u);
  EXPECT_EQ(instruction.operands[0].kind, Operand::Kind::Vector);
  EXPECT_EQ(instruction.operands[0].parts[1].argument, 1u);
  EXPECT_EQ(instruction.operands[1].kind, Operand::Kind::Address);
  EXPECT_EQ(instruction.operands[1].integer, -8);
}

TEST(Parser, ReadsScopesDeclarationsLabelsAndGuards) {
  const auto statements = parse(
      "{.reg .b32 a, b<4>; .reg.pred %%p;\nL_${:uid}: // comment ; }\n @!%%p add.s32 a, b3, 1; /* } */ bra "
      "L_${:uid};}");
  ASSERT_EQ(statements.size(), 7u);
  EXPECT_EQ(statements[0].kind, Kind::ScopeBegin);
  EXPECT_EQ(statements[1].declarations[1].count, 4u);
  EXPECT_EQ(statements[2].declarations[0].name, "%p");
  EXPECT_EQ(statements[3].label, "L_0");
  ASSERT_TRUE(statements[4].instruction.guard.has_value());
  EXPECT_TRUE(statements[4].instruction.guard->negated);
  EXPECT_EQ(statements[5].instruction.operands[0].name, "L_0");
  EXPECT_EQ(statements[6].kind, Kind::ScopeEnd);
}

TEST(Parser, ReadsNumbers) {
  const auto statements = parse("x 0x1F, -7, 0f3F800000, 0d3FF0000000000000, 1.5, 0b101, 017, 3U, -0f3F800000;");
  const auto &operands = statements[0].instruction.operands;
  ASSERT_EQ(operands.size(), 9u);
  EXPECT_EQ(operands[0].integer, 31);
  EXPECT_EQ(operands[1].integer, -7);
  EXPECT_EQ(operands[2].number, 1.0);
  EXPECT_EQ(operands[2].floatBits, 32u);
  EXPECT_EQ(operands[3].floatBits, 64u);
  EXPECT_EQ(operands[4].number, 1.5);
  EXPECT_EQ(operands[5].integer, 5);
  EXPECT_EQ(operands[6].integer, 15);
  EXPECT_EQ(operands[7].integer, 3);
  EXPECT_EQ(operands[8].integer, 0xbf800000);
}

TEST(Parser, ComputesConstants) {
  const auto statements = parse(
      "x (1<<4)|3, ~7, -(2 + 3) * 4, 1 + 2 * 3 == 7 ? 0x10 : 5, 7 - 2 - 1, !0, (.s64)0xffffffffffffffff >> 1, "
      "0xffffffffffffffff >> 63, -7 / 2, -7 % 3, 1 < 2 && 3 >= 3, +1.5, -1 < 1U, 2 << 64, -$1;");
  const auto &operands = statements[0].instruction.operands;
  const int64_t expected[] = {19, ~int64_t{7}, -20, 16, 4, 1, -1, 1, -3, -1, 1};
  ASSERT_EQ(operands.size(), 15u);
  for (size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(operands[i].integer, expected[i]) << i;
  EXPECT_EQ(operands[11].number, 1.5);
  EXPECT_EQ(operands[12].integer, 0);
  EXPECT_EQ(operands[13].integer, 0);
  EXPECT_TRUE(operands[14].minus);
  const auto address = parse("ld.u32 a, [b + 4*(2+1) - 2+$3]; call (r), f, (1, 2); mov.b64 a, v+8*2;");
  EXPECT_EQ(address[0].instruction.operands[1].integer, 10);
  EXPECT_TRUE(address[0].instruction.operands[1].offsetFromArgument);
  EXPECT_EQ(address[1].instruction.operands[2].parts.size(), 2u);
  EXPECT_EQ(address[2].instruction.operands[1].integer, 16);
}

TEST(Parser, RefusesWhatIsNoConstant) {
  for (const char *text :
       {"x 1/0;", "x 5 % (2-2);", "x (1+;", "x ~1.5;", "x (.f64)1;", "x 1 ? 2;", "x -(-9223372036854775807-1)/0;"}) {
    Parser parser(text);
    parser.parse();
    EXPECT_FALSE(parser.error().empty()) << text;
  }
}

TEST(Parser, ReadsPairsSinksSelectorsAndDollars) {
  const auto statements = parse("shfl.sync.up.b32 r$$1|p, _, $12.h1, %tid.x, !q, [a+$3], [t, {x, y}]");
  const auto &operands = statements[0].instruction.operands;
  ASSERT_EQ(operands.size(), 7u);
  EXPECT_EQ(operands[0].kind, Operand::Kind::Pair);
  EXPECT_EQ(operands[0].parts[0].name, "r$1");
  EXPECT_EQ(operands[1].kind, Operand::Kind::Sink);
  EXPECT_EQ(operands[2].argument, 12u);
  EXPECT_EQ(operands[2].selector, "h1");
  EXPECT_EQ(operands[3].name, "%tid");
  EXPECT_EQ(operands[3].selector, "x");
  EXPECT_TRUE(operands[4].negated);
  EXPECT_TRUE(operands[5].offsetFromArgument);
  EXPECT_EQ(operands[6].parts.size(), 2u);
}

TEST(Parser, RejectsBadSyntax) {
  EXPECT_NE(parseError("{ add.s32 a, b, c;"), "");
  EXPECT_NE(parseError("add.s32 a b;"), "");
  EXPECT_NE(parseError("add.s32 a, [b;"), "");
  EXPECT_NE(parseError("add.s32 a, 12x;"), "");
}

TEST(Translator, NamesWhatItDoesNotKnow) {
  EXPECT_EQ(ptxError("frobnicate.u32 $0, $1;", "=r,r"), "unknown opcode in 'frobnicate.u32'");
  EXPECT_EQ(ptxError("add.wild.u32 $0, $1, $1;", "=r,r"), "unsupported modifier .wild in 'add.wild.u32'");
  EXPECT_NE(ptxError("add.u32 $0, $1, nosuch;", "=r,r").find("nosuch"), std::string::npos);
  EXPECT_NE(ptxError("add.u64 $0, $1, $1;", "=l,r").find("narrower"), std::string::npos);
  EXPECT_NE(ptxError("add.u32 $0, $1;", "=r,r").find("operands"), std::string::npos);
  EXPECT_NE(ptxError("bra NOWHERE;", "").find("NOWHERE"), std::string::npos);
  EXPECT_EQ(ptxError("@p bra X; X:", ""), "unknown register or symbol p in 'bra'");
  EXPECT_NE(ptxError("red.async.relaxed.cluster.u32 [$0], $0, [$0];", "r").find("completion"), std::string::npos);
  EXPECT_EQ(ptxError("", "~{memory}"), "");
}

}  // namespace
}  // namespace hostwarp::tests
