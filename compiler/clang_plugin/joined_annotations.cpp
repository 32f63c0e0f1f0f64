#include "compiler/clang_plugin/declarations.h"
#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::declarations {

namespace {

using restrictions::isAnnotated;
using restrictions::Sides;
using restrictions::sidesOf;

bool isKernel(const clang::FunctionDecl &function) {
  return function.hasAttr<clang::CUDAGlobalAttr>() || restrictions::hasNote(function, "hostwarp.kernel");
}

// isSame(): but for the annotations, the declarations are of one function.
bool isSame(clang::Sema &sema, const clang::FunctionDecl &a, const clang::FunctionDecl &b) {
  const clang::FunctionTemplateDecl *first = a.getDescribedFunctionTemplate(),
                                    *second = b.getDescribedFunctionTemplate();
  if (!first != !second || !sema.Context.hasSameFunctionTypeIgnoringExceptionSpec(a.getType(), b.getType()))
    return false;
  return !first || sema.TemplateParameterListsAreEqual(first->getTemplateParameters(), second->getTemplateParameters(),
                                                       false, clang::Sema::TPL_TemplateMatch);
}

void makeBoth(clang::ASTContext &context, clang::FunctionDecl &function) {
  if (!isAnnotated<clang::CUDAHostAttr>(function)) function.addAttr(clang::CUDAHostAttr::Create(context));
  if (!isAnnotated<clang::CUDADeviceAttr>(function)) function.addAttr(clang::CUDADeviceAttr::Create(context));
}

// join(): of a function that is __device__ first and nothing later, nvcc makes one for both sides, too, but lets it use
// what only the device has. That is what such functions do, so here it stays the device's.
void join(clang::ASTContext &context, clang::FunctionDecl &before, clang::FunctionDecl &function) {
  const Sides was = sidesOf(before), is = sidesOf(function);
  if (was.host == is.host && was.device == is.device) return;
  if ((was.host && was.device) || (is.host && is.device)) {
    makeBoth(context, before);
    makeBoth(context, function);
  } else if (was.device && !isAnnotated<clang::CUDAHostAttr>(function)) {
    function.addAttr(clang::CUDADeviceAttr::Create(context));
  } else if (is.device && !isAnnotated<clang::CUDAHostAttr>(before)) {
    annotatedLater().push_back(before.getBeginLoc());
  }
}

}  // namespace

std::vector<clang::SourceLocation> &annotatedLater() {
  static std::vector<clang::SourceLocation> places;
  return places;
}

void shareUncalled(clang::ASTContext &context, clang::FunctionDecl &function) {
  const clang::IdentifierInfo *name = function.getIdentifier();
  const bool isDeclval = name && (name->isStr("declval") || name->isStr("__declval")) && function.isInStdNamespace();
  if (isDeclval || llvm::isa<clang::CXXDeductionGuideDecl>(function)) makeBoth(context, function);
}

void joinAnnotations(clang::Sema &sema, clang::FunctionDecl &function) {
  const clang::DeclContext *context = function.getDeclContext()->getRedeclContext();
  if (!(context->isFileContext() || context->isRecord()) || isKernel(function)) return;
  const clang::SourceManager &sources = sema.getSourceManager();
  for (clang::NamedDecl *each : context->lookup(function.getDeclName())) {
    clang::FunctionDecl *before = each->getAsFunction();
    // Overloads for either side that have bodies are functions of their own.
    if (!before || before == &function || isKernel(*before) || before->isDefined()) continue;
    if (sources.isInSystemHeader(sources.getExpansionLoc(before->getLocation()))) continue;
    if (isSame(sema, *before, function)) join(sema.Context, *before, function);
  }
}

}  // namespace hostwarp::declarations
