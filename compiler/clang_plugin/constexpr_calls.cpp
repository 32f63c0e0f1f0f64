// Calls of constexpr functions of the host's by device functions, which clang takes for functions of both sides, as
// nvcc does with --expt-relaxed-constexpr only. Nvcc looks at everything that is written in the function, constant or
// not, but for what is not evaluated.
#include <clang/AST/ASTContext.h>

#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::restrictions {

namespace {

llvm::StringRef fileOf(const clang::FunctionDecl &function) {
  const clang::SourceManager &sources = function.getASTContext().getSourceManager();
  return sources.getFilename(sources.getExpansionLoc(function.getLocation()));
}

bool isOfStandardLibrary(const clang::FunctionDecl &function) {
  const clang::DeclContext *context = function.getDeclContext();
  while (!context->isTranslationUnit() && !context->getParent()->getRedeclContext()->isTranslationUnit())
    context = context->getParent();
  return context->isStdNamespace();
}

// isKnownToNvcc(): functions of the standard library that nvcc takes for both sides, or has its own for the device.
bool isKnownToNvcc(const clang::FunctionDecl &function) {
  if (fileOf(function).ends_with("/cmath") || fileOf(function).ends_with("/std_abs.h")) return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const clang::NamedDecl &named = method ? static_cast<const clang::NamedDecl &>(*method->getParent()) : function;
  if (!named.getIdentifier()) return false;
  return method ? named.getName() == "initializer_list" : llvm::is_contained({"forward", "move"}, named.getName());
}

// isForDevice() is not deceived by std::min() and std::max() of clang's own headers.
bool isForDevice(const clang::FunctionDecl &function) {
  return sidesOf(function).device && !fileOf(function).ends_with("/cuda_wrappers/algorithm");
}

bool isHostsConstexpr(const clang::FunctionDecl &function, const Report &report) {
  if (!function.isConstexprSpecified() || function.isConsteval() || function.isDefaulted()) return false;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && (method->getParent()->isLambda() || llvm::isa<clang::CXXDestructorDecl>(method))) return false;
  if (isForDevice(function)) return false;
  // Of other system headers nvcc may know functions for the device.
  return !report.inSystemHeader(function.getLocation()) || (isOfStandardLibrary(function) && !isKnownToNvcc(function));
}

}  // namespace

void checkCall(const clang::FunctionDecl &caller, const clang::FunctionDecl &callee, clang::SourceLocation where,
               Report &report) {
  if (report.allowsConstexprCalls() || sidesOf(caller).host) return;
  const clang::FunctionDecl &declared = *callee.getMostRecentDecl();
  if (!isHostsConstexpr(declared, report)) return;
  const std::string kind = caller.hasAttr<clang::CUDAGlobalAttr>() ? "__global__" : "__device__";
  report.error(where, "calling a constexpr __host__ function(\"" + declared.getNameAsString() + "\") from a " + kind +
                          " function(\"" + caller.getNameAsString() +
                          "\") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used "
                          "to allow this");
}

}  // namespace hostwarp::restrictions
