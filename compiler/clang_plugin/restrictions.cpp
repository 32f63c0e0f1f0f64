#include "compiler/clang_plugin/restrictions.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>

#include "compiler/clang_plugin/clang_versions.h"

namespace hostwarp::restrictions {

// Of what NVRTC compiles, functions without annotations may be the device's.
Report::Report(clang::CompilerInstance &compiler, bool checksCalls)
    : compiler_(compiler),
      allowsExtendedLambdas_(compiler.getPreprocessor().isMacroDefined("__CUDACC_EXTENDED_LAMBDA__")),
      allowsConstexprCalls_(!checksCalls || compiler.getPreprocessor().isMacroDefined("__CUDACC_RTC__") ||
                            compiler.getPreprocessor().isMacroDefined("__CUDACC_RELAXED_CONSTEXPR__")) {}

void Report::error(clang::SourceLocation where, const std::string &what) {
  if (!said_.emplace(where.getRawEncoding(), what).second) return;
  clang::DiagnosticsEngine &diagnostics = compiler_.getDiagnostics();
  diagnostics.Report(where, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << what;
}

bool Report::inSystemHeader(clang::SourceLocation where) const {
  const clang::SourceManager &sources = compiler_.getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(where));
}

bool hasNote(const clang::Decl &declaration, llvm::StringRef note) {
  return llvm::any_of(declaration.specific_attrs<clang::AnnotateAttr>(),
                      [&](const clang::AnnotateAttr *each) { return each->getAnnotation() == note; });
}

const clang::FunctionDecl *enclosingFunction(const clang::Decl &declaration) {
  for (const clang::DeclContext *context = declaration.getDeclContext(); context; context = context->getParent())
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(context)) return function;
  return nullptr;
}

Sides sidesOf(const clang::FunctionDecl &function) {
  const bool host = isAnnotated<clang::CUDAHostAttr>(function);
  const bool device = isAnnotated<clang::CUDADeviceAttr>(function) || function.hasAttr<clang::CUDAGlobalAttr>();
  if (host || device) return {host, device};
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const clang::FunctionDecl *outer =
      method && method->getParent()->isLambda() ? enclosingFunction(*method->getParent()) : nullptr;
  return outer ? sidesOf(*outer) : Sides{true, false};
}

bool isForDeviceOnly(clang::CompilerInstance &compiler) {
  if (compiler.getPreprocessor().isMacroDefined("__CUDACC_RTC__")) return true;
  const clang::FunctionDecl *function =
      compiler.hasSema() ? compiler.getSema().getCurFunctionDecl(/*AllowLambda=*/true) : nullptr;
  return function && !sidesOf(*function).host;
}

bool isHidden(const clang::Decl &declaration) {
  const auto *specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration);
  const clang::AccessSpecifier access =
      specialization ? specialization->getSpecializedTemplate()->getAccess() : declaration.getAccess();
  return access == clang::AS_private || access == clang::AS_protected;
}

namespace {

class HiddenTypes {
 public:
  HiddenTypes(const Report &report, llvm::function_ref<void(const HiddenType &)> found)
      : report_(report), found_(found) {}

  void search(const clang::TemplateArgument &argument) {
    if (argument.getKind() == clang::TemplateArgument::Type) return search(argument.getAsType());
    if (argument.getKind() != clang::TemplateArgument::Pack) return;
    for (const clang::TemplateArgument &part : argument.pack_elements()) search(part);
  }

 private:
  void search(clang::QualType type) {
    type = type.getCanonicalType();
    if (!seen_.insert(type.getTypePtr()).second) return;
    if (!type->getPointeeType().isNull()) search(type->getPointeeType());
    if (const auto *member = type->getAs<clang::MemberPointerType>())
      if (const clang::CXXRecordDecl *record = clang_versions::classOf(*member))
        search(clang::QualType(record->getTypeForDecl(), 0));
    if (const clang::ArrayType *array = type->getAsArrayTypeUnsafe()) search(array->getElementType());
    if (const auto *function = type->getAs<clang::FunctionProtoType>()) {
      search(function->getReturnType());
      for (clang::QualType parameter : function->param_types()) search(parameter);
    }
    if (const clang::TagDecl *tag = type->getAsTagDecl()) search(*tag);
  }

  void search(const clang::TagDecl &tag) {
    if (const auto *specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&tag))
      for (const clang::TemplateArgument &argument : specialization->getTemplateArgs().asArray()) search(argument);
    if (!report_.inSystemHeader(tag.getLocation())) judge(tag);
  }

  void judge(const clang::TagDecl &tag) {
    const clang::FunctionDecl *outer = enclosingFunction(tag);
    const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(&tag);
    if (record && record->isLambda()) {
      const clang::CXXMethodDecl *call = record->getLambdaCallOperator();
      const bool extended = call && isAnnotated<clang::CUDADeviceAttr>(*call);
      if (!outer || (!extended && !sidesOf(*outer).device)) say(HiddenType::Kind::Closure, tag);
    } else if (outer) {
      if (!sidesOf(*outer).device) say(HiddenType::Kind::Local, tag);
    } else if (!tag.getIdentifier() && !tag.getTypedefNameForAnonDecl()) {
      say(HiddenType::Kind::Unnamed, tag);
    } else {
      judgeAccess(tag);
    }
  }

  // A class may be private itself, or inside of one that is.
  void judgeAccess(const clang::TagDecl &tag) {
    for (const clang::TagDecl *each = &tag; each; each = llvm::dyn_cast<clang::TagDecl>(each->getDeclContext()))
      if (isHidden(*each)) return say(HiddenType::Kind::Private, *each);
  }

  void say(HiddenType::Kind kind, const clang::TagDecl &tag) {
    const clang::ASTContext &context = tag.getASTContext();
    found_({kind, context.getTagDeclType(&tag).getAsString(context.getPrintingPolicy())});
  }

  const Report &report_;
  llvm::function_ref<void(const HiddenType &)> found_;
  llvm::SmallPtrSet<const clang::Type *, 16> seen_;
};

}  // namespace

void findHiddenTypes(const clang::TemplateArgument &argument, const Report &report,
                     llvm::function_ref<void(const HiddenType &)> found) {
  HiddenTypes(report, found).search(argument);
}

}  // namespace hostwarp::restrictions
