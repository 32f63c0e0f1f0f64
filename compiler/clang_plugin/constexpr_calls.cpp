// Calls of constexpr functions of the host's by device functions, which clang takes for functions of both sides, as
// nvcc does with --expt-relaxed-constexpr only. Nvcc looks at everything that is written in the function, constant or
// not, but for what is not evaluated.
#include <clang/AST/ASTContext.h>

#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::restrictions {

namespace {

// isOfUse() names what device code is most often found to take from the standard library. Of other functions of
// system headers nvcc may know versions for the device.
bool isOfUse(const clang::FunctionDecl &function) {
  static constexpr llvm::StringRef functions[] = {"max", "min"}, classes[] = {"array", "numeric_limits"};
  const auto isOneOf = [](const clang::NamedDecl &named, llvm::ArrayRef<llvm::StringRef> names) {
    return named.getIdentifier() && llvm::is_contained(names, named.getName()) && named.isInStdNamespace();
  };
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return method ? isOneOf(*method->getParent(), classes) : isOneOf(function, functions);
}

bool isHostsConstexpr(const clang::FunctionDecl &function, const Report &report) {
  if (!function.isConstexprSpecified() || function.isConsteval() || function.isDefaulted()) return false;
  if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function)) return false;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && method->getParent()->isLambda()) return false;
  return !sidesOf(function).device && (!report.inSystemHeader(function.getLocation()) || isOfUse(function));
}

}  // namespace

void checkCall(const clang::FunctionDecl &caller, const clang::CallExpr &call, Report &report) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || report.allowsConstexprCalls() || sidesOf(caller).host) return;
  callee = callee->getMostRecentDecl();
  if (!isHostsConstexpr(*callee, report)) return;
  const std::string kind = caller.hasAttr<clang::CUDAGlobalAttr>() ? "__global__" : "__device__";
  report.error(call.getExprLoc(),
               "calling a constexpr __host__ function(\"" + callee->getNameAsString() + "\") from a " + kind +
                   " function(\"" + caller.getNameAsString() +
                   "\") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used "
                   "to allow this");
}

}  // namespace hostwarp::restrictions
