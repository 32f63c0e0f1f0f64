#include "compiler/clang_plugin/declarations.h"

#include <optional>

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

// isSpecialization(): `template <>` stands before the function, or before its class.
bool isSpecialization(const clang::FunctionDecl &function) {
  const unsigned lists = function.getNumTemplateParameterLists();
  return lists > 0 && !function.getDescribedFunctionTemplate() &&
         function.getTemplateParameterList(lists - 1)->size() == 0;
}

// inherit() gives a specialisation without annotations those of its template. Where templates of that name differ, it
// is left alone.
void inherit(clang::ASTContext &context, clang::FunctionDecl &function, const clang::DeclContext &scope) {
  if (isAnnotated<clang::CUDAHostAttr>(function) || isAnnotated<clang::CUDADeviceAttr>(function)) return;
  std::optional<Sides> inherited;
  for (clang::NamedDecl *each : scope.lookup(function.getDeclName())) {
    const clang::FunctionDecl *primary = each->getAsFunction();
    const bool mayBeIt = primary && primary != &function && (primary->getDescribedTemplate() || scope.isRecord());
    if (!mayBeIt) continue;
    const Sides is = sidesOf(*primary);
    if (!is.device || (inherited && inherited->host != is.host)) return;
    inherited = is;
  }
  if (!inherited) return;
  function.addAttr(clang::CUDADeviceAttr::Create(context));
  if (inherited->host) function.addAttr(clang::CUDAHostAttr::Create(context));
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
  if (isSpecialization(function)) return inherit(sema.Context, function, *context);
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
