// Classes among the variable arguments of a call in device code. Clang would hand on their members one by one, and
// nothing could tell where one begins; here the callee gets the address of a copy (<hostwarp/variable_arguments.h>).
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>

#include "compiler/clang_plugin/plugins.h"

namespace {

class HandOnAddresses : public clang::RecursiveASTVisitor<HandOnAddresses> {
 public:
  explicit HandOnAddresses(clang::ASTContext &context) : context_(context) {}

  bool VisitCallExpr(clang::CallExpr *call) {
    const auto *function = calledType(*call);
    if (!function || !function->isVariadic()) return true;
    for (unsigned i = function->getNumParams(); i < call->getNumArgs(); ++i)
      if (isValue(*call->getArg(i))) call->setArg(i, addressOf(*call->getArg(i)));
    return true;
  }

 private:
  static const clang::FunctionProtoType *calledType(const clang::CallExpr &call) {
    if (llvm::isa<clang::CXXOperatorCallExpr>(call)) return nullptr;  // whose object counts as an argument
    if (const clang::FunctionDecl *callee = call.getDirectCallee())
      return callee->getType()->getAs<clang::FunctionProtoType>();
    const clang::QualType type = call.getCallee()->getType();
    return type->isPointerType() ? type->getPointeeType()->getAs<clang::FunctionProtoType>() : nullptr;
  }

  static bool isValue(const clang::Expr &argument) {
    return argument.isPRValue() && !argument.isTypeDependent() && argument.getType()->isRecordType();
  }

  clang::Expr *addressOf(clang::Expr &value) {
    auto *copy = new (context_) clang::MaterializeTemporaryExpr(value.getType(), &value, false);
    return clang::UnaryOperator::Create(context_, copy, clang::UO_AddrOf, context_.getPointerType(value.getType()),
                                        clang::VK_PRValue, clang::OK_Ordinary, value.getExprLoc(), false,
                                        clang::FPOptionsOverride());
  }

  clang::ASTContext &context_;
};

class VariadicClasses : public clang::ASTConsumer {
 public:
  void Initialize(clang::ASTContext &context) override { context_ = &context; }

  // Code is made of a function after this.
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) change(*declaration);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override { change(*function); }

 private:
  void change(clang::Decl &declaration) {
    const clang::SourceManager &sources = context_->getSourceManager();
    if (!sources.isInSystemHeader(sources.getExpansionLoc(declaration.getLocation())))
      HandOnAddresses(*context_).TraverseDecl(&declaration);
  }

  clang::ASTContext *context_ = nullptr;
};

class ChangesVariadicCalls : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (!compiler.getLangOpts().CUDAIsDevice) return std::make_unique<clang::ASTConsumer>();
    return std::make_unique<VariadicClasses>();
  }
};

}  // namespace

void hostwarp::plugins::addVariadicClasses() {
  add<ChangesVariadicCalls>("hostwarp-variadic-classes", "classes as variable arguments");
}
