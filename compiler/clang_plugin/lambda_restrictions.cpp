// What an extended lambda may be [CUDA 5.3.12 extended lambdas].
#include <clang/AST/ASTContext.h>

#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::restrictions {

namespace {

unsigned dimensionsOf(clang::QualType type) {
  unsigned count = 0;
  for (const clang::ArrayType *array = type->getAsArrayTypeUnsafe(); array; ++count)
    array = array->getElementType()->getAsArrayTypeUnsafe();
  return count;
}

class ExtendedLambda {
 public:
  ExtendedLambda(const clang::LambdaExpr &lambda, const clang::FunctionDecl &outer, bool isForHost, Report &report)
      : lambda_(lambda),
        outer_(outer),
        isForHost_(isForHost),
        kind_(isForHost ? "an extended __host__ __device__ lambda" : "an extended __device__ lambda"),
        parent_("the enclosing parent function for " + kind_),
        report_(report) {}

  void check() {
    checkCaptures();
    checkOuter();
    if (isForHost_ && lambda_.isGenericLambda())
      error("__host__ __device__ extended lambdas cannot be generic lambdas");
  }

 private:
  void error(const std::string &what) { report_.error(lambda_.getBeginLoc(), what); }

  void checkCaptures() {
    if (lambda_.getCaptureDefault() == clang::LCD_ByRef) error(kind_ + " cannot capture variables by reference");
    for (const clang::LambdaCapture &capture : lambda_.captures()) {
      const clang::SourceLocation where = capture.getLocation();
      if (capture.isExplicit() && capture.getCaptureKind() == clang::LCK_ByRef)
        report_.error(where, kind_ + " cannot capture variables by reference");
      if (!capture.capturesVariable()) continue;
      if (isForHost_ && lambda_.isInitCapture(&capture))
        report_.error(where, "init-captures are not allowed for extended __host__ __device__ lambdas");
      if (isOfPack(*capture.getCapturedVar()))
        report_.error(where, kind_ + " cannot capture an element of a parameter pack");
      checkCapturedType(capture);
      if (dimensionsOf(capture.getCapturedVar()->getType()) > 7)
        report_.error(where, kind_ + " cannot capture an array variable with more than 7 dimensions");
    }
  }

  // isOfPack(): an instance of a template has a parameter for each element, with the pack's name.
  static bool isOfPack(const clang::ValueDecl &variable) {
    if (variable.isParameterPack()) return true;
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
    const clang::FunctionDecl *pattern =
        function && llvm::isa<clang::ParmVarDecl>(variable) ? function->getTemplateInstantiationPattern() : nullptr;
    return pattern && llvm::any_of(pattern->parameters(), [&](const clang::ParmVarDecl *each) {
             return each->isParameterPack() && each->getDeclName() == variable.getDeclName();
           });
  }

  void checkCapturedType(const clang::LambdaCapture &capture) {
    const clang::QualType type = capture.getCapturedVar()->getType();
    if (!type->isDependentType())
      checkNamed(type, [&](const std::string &what) {
        report_.error(capture.getLocation(), what + " cannot be used in the type of a variable captured by " + kind_);
      });
  }

  void checkOuter() {
    if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(outer_))
      return error(parent_ + " must allow its address to be taken");
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&outer_);
    if (method && method->getParent()->isLambda()) return checkOuterLambda(*method);
    if (method && isHidden(*method)) error(parent_ + " cannot have private or protected access within its class");
    if (method && method->getParent()->isLocalClass()) error(parent_ + " must not be defined inside another function");
    if (method) checkOuterClass(*method->getParent());
    if (outer_.getDeclaredReturnType()->getContainedAutoType()) error(parent_ + " must not have deduced return type");
    if (const clang::TemplateArgumentList *arguments = outer_.getTemplateSpecializationArgs())
      for (const clang::TemplateArgument &argument : arguments->asArray()) checkOuterArgument(argument);
  }

  void checkOuterLambda(const clang::CXXMethodDecl &call) {
    if (call.getDescribedFunctionTemplate() || call.isTemplateInstantiation())
      error(kind_ + " cannot be defined inside a generic lambda expression");
    if (isAnnotated<clang::CUDADeviceAttr>(call) && isAnnotated<clang::CUDAHostAttr>(call))
      error(kind_ + " cannot be defined inside an extended __host__ __device__ lambda expression");
  }

  void checkOuterClass(const clang::CXXRecordDecl &record) {
    for (const clang::DeclContext *context = &record; context; context = context->getParent())
      if (const auto *each = llvm::dyn_cast<clang::CXXRecordDecl>(context); each && isHidden(*each))
        return error(kind_ + " cannot be defined inside a class (\"" + each->getNameAsString() +
                     "\") with private or protected access within another class");
  }

  void checkOuterArgument(const clang::TemplateArgument &argument) {
    checkNamed(argument, [&](const std::string &what) {
      error(what + " cannot be used in the template argument of the enclosing parent function of " + kind_);
    });
  }

  // checkNamed(): the code that stands for the lambda on the device names these types.
  void checkNamed(const clang::TemplateArgument &types, llvm::function_ref<void(const std::string &)> say) {
    findHiddenTypes(types, report_, [&](const HiddenType &type) {
      if (type.kind == HiddenType::Kind::Local) say("a type local to a function (\"" + type.name + "\")");
      if (type.kind == HiddenType::Kind::Private)
        say("a type that is a private or protected class member (\"" + type.name + "\")");
    });
  }

  const clang::LambdaExpr &lambda_;
  const clang::FunctionDecl &outer_;
  const bool isForHost_;
  const std::string kind_, parent_;
  Report &report_;
};

}  // namespace

void checkLambda(const clang::LambdaExpr &lambda, Report &report) {
  const clang::CXXMethodDecl &call = *lambda.getCallOperator();
  const bool device = isAnnotated<clang::CUDADeviceAttr>(call), host = isAnnotated<clang::CUDAHostAttr>(call);
  if (!device && !host) return;
  if (!report.allowsExtendedLambdas())
    return report.error(lambda.getBeginLoc(), "__host__ or __device__ annotation on lambda requires --extended-lambda");
  const clang::FunctionDecl *outer = enclosingFunction(*lambda.getLambdaClass());
  if (device && outer && sidesOf(*outer).host) ExtendedLambda(lambda, *outer, host, report).check();
}

}  // namespace hostwarp::restrictions
