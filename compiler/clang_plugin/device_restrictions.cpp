// The plugin that looks for what nvcc rejects, once all of a file is parsed without errors.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>
#include <vector>

#include "compiler/clang_plugin/clang_versions.h"
#include "compiler/clang_plugin/plugins.h"
#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::restrictions {

namespace {

bool isManaged(const clang::VarDecl &variable) { return hasNote(variable, "hostwarp.managed"); }

// spaceOf() is the memory space that the user gave a variable, "" for none.
std::string spaceOf(const clang::VarDecl &variable) {
  if (isManaged(variable)) return "__managed__";
  if (variable.hasAttr<clang::CUDASharedAttr>()) return "__shared__";
  if (isAnnotated<clang::CUDAConstantAttr>(variable)) return "__constant__";
  return isAnnotated<clang::CUDADeviceAttr>(variable) ? "__device__" : "";
}

// Checker visits what the user wrote, and the instances of the user's templates.
class Checker : public clang::RecursiveASTVisitor<Checker> {
 public:
  Checker(clang::CompilerInstance &compiler, bool checksCalls)
      : report_(compiler, checksCalls), onDevice_(compiler.getLangOpts().CUDAIsDevice) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(clang::Decl *declaration) {
    if (declaration && report_.inSystemHeader(declaration->getLocation())) return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

#define INSIDE(Kind)                                                         \
  bool Traverse##Kind##Decl(clang::Kind##Decl *function) {                   \
    functions_.push_back(function);                                          \
    const bool goesOn = RecursiveASTVisitor::Traverse##Kind##Decl(function); \
    functions_.pop_back();                                                   \
    return goesOn;                                                           \
  }
  INSIDE(Function)
  INSIDE(CXXMethod)
  INSIDE(CXXConstructor)
  INSIDE(CXXConversion)
  INSIDE(CXXDestructor)
#undef INSIDE

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    functions_.push_back(lambda->getCallOperator());
    const bool goesOn = RecursiveASTVisitor::TraverseLambdaExpr(lambda);
    functions_.pop_back();
    return goesOn;
  }

  // Default arguments belong to the callers.
  bool TraverseParmVarDecl(clang::ParmVarDecl *parameter) {
    functions_.push_back(nullptr);
    const bool goesOn = RecursiveASTVisitor::TraverseParmVarDecl(parameter);
    functions_.pop_back();
    return goesOn;
  }

  // What is not evaluated is not called.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr *) { return true; }

  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && inDeviceCode()) checkCall(*innermost(), *callee, call->getExprLoc(), report_);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *expression) {
    if (inDeviceCode()) checkCall(*innermost(), *expression->getConstructor(), expression->getExprLoc(), report_);
    return true;
  }

  bool VisitCXXTypeidExpr(clang::CXXTypeidExpr *expression) {
    return notInDeviceCode(expression->getBeginLoc(), "the operator 'typeid' is not allowed in device code");
  }
  bool VisitCXXDynamicCastExpr(clang::CXXDynamicCastExpr *expression) {
    return notInDeviceCode(expression->getBeginLoc(), "the operator 'dynamic_cast' is not allowed in device code");
  }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr *expression) { return noException(expression->getBeginLoc()); }
  bool VisitCXXTryStmt(clang::CXXTryStmt *statement) { return noException(statement->getBeginLoc()); }

  bool VisitAddrLabelExpr(clang::AddrLabelExpr *expression) {
    return notInDeviceCode(expression->getBeginLoc(),
                           "address of label extension is not supported in __device__/__global__ functions");
  }

  bool VisitGCCAsmStmt(clang::GCCAsmStmt *statement) {
    if (inDeviceCode()) checkAsm(innermost()->getASTContext(), *statement, report_);
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (!onDevice_) return true;
    if (function->hasAttr<clang::CUDAGlobalAttr>()) checkKernel(*function, report_);
    checkFunction(*function, report_);
    return true;
  }
  bool VisitFunctionTemplateDecl(clang::FunctionTemplateDecl *function) {
    if (onDevice_ && function->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>())
      checkKernelTemplate(*function, report_);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr *lambda) {
    if (onDevice_) checkLambda(*lambda, report_);
    return true;
  }

  bool VisitVarDecl(clang::VarDecl *variable) {
    if (onDevice_) {
      checkManaged(*variable);
      if (variable->isStaticDataMember() && !spaceOf(*variable).empty())
        report_.error(variable->getLocation(), "memory qualifier on data member is not allowed");
      if (variable->isLocalVarDecl() && inDeviceCode()) checkLocal(*variable);
    } else if (variable->isLocalVarDecl() && !variable->hasExternalStorage()) {
      checkHostLocal(*variable);
    }
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *expression) {
    if (expression->isAssignmentOp()) checkWrite(*expression->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *expression) {
    if (expression->isIncrementDecrementOp()) checkWrite(*expression->getSubExpr());
    return true;
  }

 private:
  const clang::FunctionDecl *innermost() const { return functions_.empty() ? nullptr : functions_.back(); }

  // The host's part of a function for both sides may do what it likes: only the device pass sees what is meant for it.
  bool inDeviceCode() const {
    const clang::FunctionDecl *function = innermost();
    return onDevice_ && function && sidesOf(*function).device && !function->isDependentContext();
  }
  bool notInDeviceCode(clang::SourceLocation where, const char *what) {
    if (inDeviceCode()) report_.error(where, what);
    return true;
  }
  bool noException(clang::SourceLocation where) {
    return notInDeviceCode(where, "device code does not support exception handling");
  }

  void checkManaged(const clang::VarDecl &variable);
  void checkLocal(const clang::VarDecl &variable);
  void checkHostLocal(const clang::VarDecl &variable);
  void checkWrite(const clang::Expr &place);

  Report report_;
  const bool onDevice_;
  std::vector<const clang::FunctionDecl *> functions_;  // that statements belong to, the innermost last
};

void Checker::checkManaged(const clang::VarDecl &variable) {
  if (!isManaged(variable)) return;
  const clang::SourceLocation where = variable.getLocation();
  if (variable.hasAttr<clang::CUDASharedAttr>() || isAnnotated<clang::CUDAConstantAttr>(variable))
    report_.error(where, "__managed__ variables cannot be marked __shared__ or __constant__");
  if (variable.getType()->isReferenceType())
    report_.error(where, "a __managed__ variable cannot have a reference type");
  else if (variable.getType().isConstQualified())
    report_.error(where, "a __managed__ variable cannot have a const qualified type");
}

// nvcc folds what it can beyond the language's constant expressions, as clang does.
bool isDynamic(const clang::VarDecl &variable) {
  const clang::Expr *initializer = variable.getInit();
  if (!initializer || variable.hasConstantInitialization()) return false;
  return !initializer->isConstantInitializer(variable.getASTContext(), variable.getType()->isReferenceType());
}

void Checker::checkLocal(const clang::VarDecl &variable) {
  const clang::SourceLocation where = variable.getLocation();
  if (variable.hasExternalStorage()) return;
  if (variable.getTSCSpec() == clang::TSCS_thread_local)
    return report_.error(where, "cannot use thread_local specifier for variable declarations in device code");
  // A __shared__ variable has no initialiser, or clang's error.
  if (!variable.isStaticLocal() || variable.hasAttr<clang::CUDASharedAttr>()) return;
  // Nothing is done where leaveStaticUninitialized() has seen to it.
  if (variable.hasAttr<clang::AliasAttr>() && !variable.getInit()) return;
  if (isDynamic(variable) || variable.needsDestruction(variable.getASTContext()))
    report_.error(where,
                  "dynamic initialization is not supported for a function-scope static __device__ variable within a "
                  "__device__/__global__ function");
}

// The host pass is the one that sees what a function for both sides is on the host.
void Checker::checkHostLocal(const clang::VarDecl &variable) {
  if (!innermost() || !sidesOf(*innermost()).host) return;
  const std::string space = spaceOf(variable);
  if (space.empty()) return;
  report_.error(variable.getLocation(),
                "a static \"" + space + "\" variable declaration is not allowed inside a host function body");
}

void Checker::checkWrite(const clang::Expr &place) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(place.IgnoreParens());
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (onDevice_ && variable && isAnnotated<clang::CUDAConstantAttr>(*variable))
    report_.error(place.getExprLoc(),
                  "cannot write to a __constant__ variable: expression must be a modifiable lvalue");
}

// ExecCheckPragma notes `#pragma nv_exec_check_disable`: nvcc does not look at what the function behind it calls.
class ExecCheckPragma : public clang::PragmaHandler {
 public:
  explicit ExecCheckPragma(bool &seen) : PragmaHandler("nv_exec_check_disable"), seen_(seen) {}
  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer, clang::Token &name) override {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    seen_ |= !sources.isInSystemHeader(sources.getExpansionLoc(name.getLocation()));
  }

 private:
  bool &seen_;
};

class CheckAll : public clang::ASTConsumer {
 public:
  explicit CheckAll(clang::CompilerInstance &compiler) : compiler_(compiler) {
    compiler.getPreprocessor().AddPragmaHandler(new ExecCheckPragma(callsUnchecked_));  // which it owns
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!compiler_.getDiagnostics().hasErrorOccurred())
      Checker(compiler_, !callsUnchecked_).TraverseDecl(context.getTranslationUnitDecl());
  }

 private:
  clang::CompilerInstance &compiler_;
  bool callsUnchecked_ = false;
};

class DeviceRestrictions : public PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    // Clang counts constexpr functions as the device's too, and templates that nobody uses; nvcc and Checker do not.
    compiler.getDiagnostics().setSeverity(clang::diag::err_cuda_device_exceptions, clang::diag::Severity::Ignored, {});
    // nvcc too ignores `#pragma unroll -1`.
    compiler.getDiagnostics().setSeverity(clang_versions::countNotPositive, clang::diag::Severity::Ignored, {});
    return std::make_unique<CheckAll>(compiler);
  }
};

}  // namespace

}  // namespace hostwarp::restrictions

void hostwarp::plugins::addDeviceRestrictions() {
  add<hostwarp::restrictions::DeviceRestrictions>("hostwarp-device-restrictions",
                                                  "what nvcc rejects and clang does not");
}
