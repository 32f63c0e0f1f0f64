// What inline PTX may take as operands [Inline PTX Assembly 1.1]: a constraint's letter names one kind and size of
// register, and the compiler converts nothing.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::restrictions {

namespace {

struct Register {
  char letter;
  uint64_t bits;
  bool isFloat;
};
constexpr Register registers[] = {
    {'h', 16, false}, {'r', 32, false}, {'l', 64, false}, {'q', 128, false}, {'f', 32, true}, {'d', 64, true},
};

// registerOf() is null for what is no register alone: "n", "C", an operand's number.
const Register *registerOf(llvm::StringRef constraint) {
  constraint = constraint.ltrim("=+&%");
  for (const Register &each : registers)
    if (constraint.size() == 1 && constraint[0] == each.letter) return &each;
  return nullptr;
}

void checkOperand(const clang::ASTContext &context, const clang::Expr &operand, llvm::StringRef constraint,
                  Report &report) {
  const clang::QualType type = operand.getType();
  const Register *wanted = registerOf(constraint);
  if (!wanted || operand.isTypeDependent()) return;
  if (!type->isScalarType() || type->isNullPtrType())
    return report.error(operand.getExprLoc(), "an asm operand must have scalar type");
  const uint64_t bits = context.getTypeSize(type);
  if (bits != wanted->bits || type->isRealFloatingType() != wanted->isFloat)
    report.error(operand.getExprLoc(), "asm operand type size(" + std::to_string(bits / 8) +
                                           ") does not match type/size implied by constraint '" + wanted->letter + "'");
}

}  // namespace

void checkAsm(const clang::ASTContext &context, const clang::GCCAsmStmt &statement, Report &report) {
  for (unsigned i = 0; i < statement.getNumOutputs(); ++i)
    checkOperand(context, *statement.getOutputExpr(i), statement.getOutputConstraint(i), report);
  for (unsigned i = 0; i < statement.getNumInputs(); ++i)
    checkOperand(context, *statement.getInputExpr(i), statement.getInputConstraint(i), report);
}

}  // namespace hostwarp::restrictions
