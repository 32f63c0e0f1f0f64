// Marks the closure types of extended lambdas, so that <hostwarp/lambda_traits.h> can tell them apart [CUDA 5.3.12.1
// extended lambda type traits]: each gets types as members whose names say what it is.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/ASTMutationListener.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include "compiler/clang_plugin/plugins.h"
#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::restrictions {

namespace {

// NamesParameter finds whether a type is written with the name of a parameter, as in `-> decltype(x)`.
class NamesParameter : public clang::RecursiveASTVisitor<NamesParameter> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr *expression) {
    found = llvm::isa<clang::ParmVarDecl>(expression->getDecl());
    return !found;
  }
  bool found = false;
};

// hasPreservedReturnType(): host code can know what a call returns without the lambda's body.
bool hasPreservedReturnType(const clang::CXXMethodDecl &call) {
  const clang::FunctionTypeLoc type = call.getFunctionTypeLoc();
  if (!type || call.getDeclaredReturnType()->getContainedAutoType()) return false;
  NamesParameter visitor;
  visitor.TraverseTypeLoc(type.getReturnLoc());
  return !visitor.found;
}

void addType(clang::CXXRecordDecl &closure, llvm::StringRef name) {
  clang::ASTContext &context = closure.getASTContext();
  const clang::SourceLocation where = closure.getLocation();
  auto *type = clang::TypedefDecl::Create(context, &closure, where, where, &context.Idents.get(name),
                                          context.getTrivialTypeSourceInfo(context.VoidTy, where));
  type->setImplicit();
  type->setAccess(clang::AS_public);
  closure.addDecl(type);
}

class MarksLambdas : public clang::ASTConsumer, public clang::ASTMutationListener {
 public:
  clang::ASTMutationListener *GetASTMutationListener() override { return this; }

  void CompletedTagDefinition(const clang::TagDecl *tag) override {
    const auto *closure = llvm::dyn_cast<clang::CXXRecordDecl>(tag);
    const clang::CXXMethodDecl *call = closure && closure->isLambda() ? closure->getLambdaCallOperator() : nullptr;
    if (!call || !isAnnotated<clang::CUDADeviceAttr>(*call)) return;
    const clang::FunctionDecl *outer = enclosingFunction(*closure);
    if (!outer || !sidesOf(*outer).host) return;
    auto &marked = const_cast<clang::CXXRecordDecl &>(*closure);
    const bool host = isAnnotated<clang::CUDAHostAttr>(*call);
    addType(marked, host ? "hostwarp_host_device_lambda" : "hostwarp_device_lambda");
    if (!host && hasPreservedReturnType(*call)) addType(marked, "hostwarp_preserved_return_type");
  }
};

class LambdaMarks : public PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<MarksLambdas>();
  }
};

}  // namespace

}  // namespace hostwarp::restrictions

void hostwarp::plugins::addLambdaMarks() {
  add<hostwarp::restrictions::LambdaMarks>("hostwarp-lambda-marks", "tells extended lambdas from others");
}
