// Tells hwcc-device which shape of block each kernel is launched with, where the launches that can be seen say so: code
// made for one shape is faster, and runs when a launch has it. What is found here is a guess, never relied upon.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/MapVector.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "compiler/clang_plugin/declarations.h"
#include "compiler/clang_plugin/plugins.h"

namespace {

using Shape = std::array<uint32_t, 3>;

constexpr uint32_t mostThreads = 1024;
constexpr unsigned deepest = 8;  // a value comes from a variable that comes from a parameter that comes from ...

// memberIndex() is 0 to 2 for x to z.
std::optional<unsigned> memberIndex(const clang::MemberExpr &member) {
  const clang::IdentifierInfo *name = member.getMemberDecl()->getIdentifier();
  if (!name || name->getLength() != 1) return std::nullopt;
  const unsigned index = static_cast<unsigned char>(*name->getNameStart()) - 'x';
  return index < 3 ? std::optional(index) : std::nullopt;
}

// stripped() is the expression without what changes neither an extent nor a shape.
const clang::Expr *stripped(const clang::Expr *expression) {
  for (;;) {
    const clang::Expr *inner = expression->IgnoreParenImpCasts();
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(inner)) inner = cast->getSubExpr();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(inner)) inner = full->getSubExpr();
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner)) inner = temporary->getSubExpr();
    if (const auto *value = llvm::dyn_cast<clang::CXXDefaultArgExpr>(inner)) inner = value->getExpr();
    if (const auto *value = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(inner)) inner = value->getReplacement();
    if (inner == expression) return expression;
    expression = inner;
  }
}

// Program is what the translation unit says about launches, and about the values of variables that they name.
class Program : public clang::RecursiveASTVisitor<Program> {
 public:
  struct Launch {
    const clang::FunctionDecl *kernel;
    const clang::Expr *block;
  };
  // Values are the expressions that a variable, or one of its members, gets its value from.
  struct Values {
    llvm::SmallVector<const clang::Expr *, 2> whole, member[3];
    bool isKnown = true;  // there are no others
  };

  bool shouldVisitTemplateInstantiations() const { return true; }

  // What is written in a template counts where it is instantiated.
  bool TraverseDecl(clang::Decl *declaration) {
    const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    return (function && function->isDependentContext()) || RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) {
    const clang::CallExpr *configuration = call->getConfig();
    if (configuration && configuration->getNumArgs() > 1) add(*call->getCallee(), *configuration->getArg(1));
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *function = call->getDirectCallee();
    if (!function) return true;
    const clang::IdentifierInfo *name = function->getIdentifier();
    if (name && call->getNumArgs() > 2 &&
        (name->isStr("cudaLaunchKernel") || name->isStr("cudaLaunchCooperativeKernel")))
      add(*call->getArg(0), *call->getArg(2));
    if (const clang::FunctionDecl *definition = function->getDefinition()) function = definition;
    for (unsigned i = 0; i < std::min(call->getNumArgs(), function->getNumParams()); ++i)
      values_[function->getParamDecl(i)->getCanonicalDecl()].whole.push_back(call->getArg(i));
    return true;
  }

  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable))
      values_[variable->getCanonicalDecl()].whole.push_back(variable->getInit());
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *operation) {
    if (!operation->isAssignmentOp()) return true;
    if (operation->isCompoundAssignmentOp())
      change(*operation->getLHS());
    else
      assign(*operation->getLHS(), *operation->getRHS());
    return true;
  }

  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *call) {
    if (call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2) assign(*call->getArg(0), *call->getArg(1));
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *operation) {
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == clang::UO_AddrOf)
      change(*operation->getSubExpr());
    return true;
  }

  const std::vector<Launch> &launches() const { return launches_; }

  const Values *valuesOf(const clang::ValueDecl &variable) const {
    const auto found = values_.find(variable.getCanonicalDecl());
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  // functionIn() is the function that is named, or whose address a constant is.
  static const clang::FunctionDecl *functionIn(const clang::Expr &expression) {
    const clang::Expr *inner = stripped(&expression);
    if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(inner)) inner = stripped(address->getSubExpr());
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(inner);
    if (!reference) return nullptr;
    const auto *constant = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (constant && constant->getType().isConstQualified() && constant->hasInit())
      return functionIn(*constant->getInit());
    return llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
  }

  void add(const clang::Expr &launched, const clang::Expr &block) {
    const clang::FunctionDecl *kernel = functionIn(launched);
    if (kernel && kernel->hasAttr<clang::CUDAGlobalAttr>() && !block.isInstantiationDependent())
      launches_.push_back({kernel, &block});
  }

  static const clang::ValueDecl *variableIn(const clang::Expr &expression) {
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped(&expression));
    return reference ? reference->getDecl() : nullptr;
  }

  void assign(const clang::Expr &to, const clang::Expr &value) {
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(stripped(&to))) {
      const clang::ValueDecl *variable = variableIn(*member->getBase());
      const std::optional<unsigned> index = memberIndex(*member);
      if (variable && index) values_[variable->getCanonicalDecl()].member[*index].push_back(&value);
    } else if (const clang::ValueDecl *variable = variableIn(to)) {
      values_[variable->getCanonicalDecl()].whole.push_back(&value);
    }
  }

  // change() is for what changes a variable so that its value cannot be told.
  void change(const clang::Expr &to) {
    const clang::Expr *inner = stripped(&to);
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(inner)) inner = member->getBase();
    if (const clang::ValueDecl *variable = variableIn(*inner)) values_[variable->getCanonicalDecl()].isKnown = false;
  }

  std::vector<Launch> launches_;
  llvm::DenseMap<const clang::Decl *, Values> values_;
};

// Evaluator finds the numbers that expressions stand for. isSure() tells whether what it found has no alternatives.
class Evaluator {
 public:
  Evaluator(const clang::ASTContext &context, const Program &program) : context_(context), program_(program) {}

  bool isSure() const { return isSure_; }

  std::optional<Shape> shape(const clang::Expr *expression) {
    const Step step(depth_);
    if (depth_ > deepest) return std::nullopt;
    expression = stripped(expression);
    if (expression->getType()->isIntegralOrEnumerationType()) return ofExtents({expression});
    if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      const llvm::ArrayRef<const clang::Expr *> arguments(construction->getArgs(), construction->getNumArgs());
      if (arguments.size() == 1 && stripped(arguments[0])->getType()->isRecordType()) return shape(arguments[0]);
      return ofExtents(arguments);
    }
    if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expression)) return ofExtents(list->inits());
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
      return ofVariable(*reference->getDecl());
    return constant(*expression);
  }

 private:
  struct Step {
    explicit Step(unsigned &depth) : depth(++depth) {}
    ~Step() { --depth; }
    unsigned &depth;
  };

  std::optional<Shape> ofExtents(llvm::ArrayRef<const clang::Expr *> extents) {
    Shape shape{1, 1, 1};
    if (extents.size() > shape.size()) return std::nullopt;
    for (size_t i = 0; i < extents.size(); ++i) {
      const std::optional<uint32_t> extent = number(extents[i]);
      if (!extent) return std::nullopt;
      shape[i] = *extent;
    }
    return shape;
  }

  // constant() is for what the language calls a constant, such as the result of a constexpr function.
  std::optional<Shape> constant(const clang::Expr &expression) const {
    clang::Expr::EvalResult result;
    if (expression.isValueDependent() || !expression.EvaluateAsRValue(result, context_)) return std::nullopt;
    if (!result.Val.isStruct() || result.Val.getStructNumFields() != 3) return std::nullopt;
    Shape shape;
    for (unsigned i = 0; i < shape.size(); ++i) {
      const clang::APValue &field = result.Val.getStructField(i);
      if (!field.isInt()) return std::nullopt;
      shape[i] = static_cast<uint32_t>(field.getInt().getLimitedValue(UINT32_MAX));
    }
    return shape;
  }

  // last() is what the last of the expressions that can be evaluated comes to.
  template <class Result, class Evaluate>
  std::optional<Result> last(llvm::ArrayRef<const clang::Expr *> expressions, Evaluate evaluate) {
    if (expressions.size() > 1) isSure_ = false;
    for (const clang::Expr *expression : llvm::reverse(expressions))
      if (const std::optional<Result> found = evaluate(expression)) return found;
    return std::nullopt;
  }

  std::optional<Shape> ofVariable(const clang::ValueDecl &variable) {
    const Program::Values *values = program_.valuesOf(variable);
    if (!values || !values->isKnown) return std::nullopt;
    std::optional<Shape> found = last<Shape>(values->whole, [&](const clang::Expr *value) { return shape(value); });
    for (unsigned i = 0; found && i < found->size(); ++i) {
      if (values->member[i].empty()) continue;
      const auto extent = last<uint32_t>(values->member[i], [&](const clang::Expr *value) { return number(value); });
      if (!extent) return std::nullopt;
      (*found)[i] = *extent;
    }
    return found;
  }

  std::optional<uint32_t> number(const clang::Expr *expression) {
    const Step step(depth_);
    if (depth_ > deepest || expression->isValueDependent()) return std::nullopt;
    clang::Expr::EvalResult result;
    if (expression->EvaluateAsInt(result, context_))
      return static_cast<uint32_t>(result.Val.getInt().getLimitedValue(UINT32_MAX));
    expression = stripped(expression);
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      const Program::Values *values = program_.valuesOf(*reference->getDecl());
      if (!values || !values->isKnown) return std::nullopt;
      return last<uint32_t>(values->whole, [&](const clang::Expr *value) { return number(value); });
    }
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
      const std::optional<unsigned> index = memberIndex(*member);
      const std::optional<Shape> whole = index ? shape(member->getBase()) : std::nullopt;
      return whole ? std::optional((*whole)[*index]) : std::nullopt;
    }
    const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
    return operation ? ofOperation(*operation) : std::nullopt;
  }

  std::optional<uint32_t> ofOperation(const clang::BinaryOperator &operation) {
    const std::optional<uint32_t> left = number(operation.getLHS()), right = number(operation.getRHS());
    if (!left || !right) return std::nullopt;
    switch (operation.getOpcode()) {
      case clang::BO_Mul:
        return *left * *right;
      case clang::BO_Div:
        return *right == 0 ? std::nullopt : std::optional(*left / *right);
      case clang::BO_Add:
        return *left + *right;
      case clang::BO_Sub:
        return *left - *right;
      default:
        return std::nullopt;
    }
  }

  const clang::ASTContext &context_;
  const Program &program_;
  unsigned depth_ = 0;
  bool isSure_ = true;
};

// Expected are the shapes that a kernel is launched with, and how often.
struct Expected {
  llvm::MapVector<Shape, unsigned, std::map<Shape, unsigned>> shapes;
  bool isAll = true;
};

bool isWorthIt(const Shape &shape) {
  uint64_t threads = 1;
  for (const uint32_t extent : shape) threads = std::min<uint64_t>(threads * extent, mostThreads + 1);
  return threads > 1 && threads <= mostThreads;
}

class ExpectedBlocks : public clang::ASTConsumer {
 public:
  // Instances of templates are come to from these. To ask for all declarations would read precompiled headers.
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) {
      const clang::SourceManager &sources = declaration->getASTContext().getSourceManager();
      const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      const bool isInstance = function && function->isTemplateInstantiation();
      if (!isInstance && !sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
        users_.push_back(declaration);
    }
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!context.getLangOpts().CUDAIsDevice || context.getDiagnostics().hasErrorOccurred()) return;
    Program program;
    for (clang::Decl *declaration : users_) program.TraverseDecl(declaration);
    llvm::MapVector<const clang::FunctionDecl *, Expected> kernels;
    for (const auto &[kernel, block] : program.launches()) {
      Evaluator evaluator(context, program);
      const std::optional<Shape> shape = evaluator.shape(block);
      Expected &expected = kernels[kernel->getCanonicalDecl()];
      if (shape && isWorthIt(*shape)) ++expected.shapes[*shape];
      expected.isAll = expected.isAll && shape && evaluator.isSure();
    }
    for (const auto &[kernel, expected] : kernels)
      if (!expected.shapes.empty()) note(context, *kernel, expected);
  }

 private:
  static void note(clang::ASTContext &context, const clang::FunctionDecl &kernel, const Expected &expected) {
    const auto isRarer = [](const auto &one, const auto &other) { return one.second < other.second; };
    const Shape &shape = std::max_element(expected.shapes.begin(), expected.shapes.end(), isRarer)->first;
    const bool isOnly = expected.isAll && expected.shapes.size() == 1;
    clang::Expr *arguments[] = {constant(context, shape[0]), constant(context, shape[1]), constant(context, shape[2]),
                                constant(context, isOnly)};
    for (clang::FunctionDecl *declaration : kernel.redecls())
      declaration->addAttr(
          clang::AnnotateAttr::CreateImplicit(context, "hostwarp.expected_block", arguments, std::size(arguments)));
  }

  static clang::Expr *constant(clang::ASTContext &context, uint32_t value) {
    const llvm::APInt bits(context.getTypeSize(context.UnsignedIntTy), value);
    auto *literal = clang::IntegerLiteral::Create(context, bits, context.UnsignedIntTy, {});
    return clang::ConstantExpr::Create(context, literal, clang::APValue(llvm::APSInt(bits)));
  }

  std::vector<clang::Decl *> users_;  // what the user has written
};

class ExpectedBlocksAction : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<ExpectedBlocks>();
  }
};

}  // namespace

void hostwarp::declarations::expectAnnotations(clang::Sema &sema, clang::FunctionDecl &function) {
  if (!sema.getLangOpts().CUDAIsDevice || !function.hasAttr<clang::CUDAGlobalAttr>()) return;
  function.addAttr(clang::AnnotateAttr::CreateImplicit(sema.Context, "hostwarp.kernel", nullptr, 0));
}

void hostwarp::plugins::addExpectedBlocks() {
  add<ExpectedBlocksAction>("hostwarp-expected-blocks", "the shapes of block that kernels are launched with");
}
