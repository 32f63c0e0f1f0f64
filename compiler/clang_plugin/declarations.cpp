// An attribute that every declaration has, as if `#pragma clang attribute push` stood before the first line: clang
// shows the plugin each declaration when it comes to its attributes.
#include "compiler/clang_plugin/declarations.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/SemaConsumer.h>

#include "compiler/clang_plugin/clang_versions.h"
#include "compiler/clang_plugin/plugins.h"

namespace {

constexpr const char *attributeName = "hostwarp_declared";

class DeclaredAttribute : public clang::ParsedAttrInfo {
 public:
  DeclaredAttribute() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, attributeName}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                   const clang::ParsedAttr &) const override {
    if (clang::FunctionDecl *function = declaration->getAsFunction())
      hostwarp::declarations::shareUncalled(sema.Context, *function);
    const clang::SourceManager &sources = sema.getSourceManager();
    if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()))) return AttributeNotApplied;
    if (clang::FunctionDecl *function = declaration->getAsFunction()) {
      hostwarp::declarations::joinAnnotations(sema, *function);
      hostwarp::declarations::expectAnnotations(sema, *function);
    } else if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      hostwarp::declarations::leaveStaticUninitialized(sema, *variable);
      hostwarp::declarations::keepConstant(sema, *variable);
    }
    return AttributeNotApplied;
  }
};

clang::ParsedAttrInfoRegistry::Add<DeclaredAttribute> attribute(attributeName, "shows the plugin each declaration");

class GivesAttribute : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override {
    clang::ParsedAttr *given = hostwarp::clang_versions::makeAttribute(pool_, sema.PP.getIdentifierInfo(attributeName));
    given->setIsPragmaClangAttribute();
    const llvm::SmallVector<clang::attr::SubjectMatchRule, 4> rules{clang::attr::SubjectMatchRule_function,
                                                                    clang::attr::SubjectMatchRule_variable};
    sema.PragmaAttributeStack.push_back({{}, nullptr, {{{}, given, rules, true}}});
  }

 private:
  clang::AttributeFactory factory_;
  clang::AttributePool pool_{factory_};
};

class ShowsDeclarations : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<GivesAttribute>();
  }
};

}  // namespace

void hostwarp::declarations::atEndOfFile(clang::Sema &sema) {
  if (sema.PragmaAttributeStack.empty()) return;
  const auto &entries = sema.PragmaAttributeStack.front().Entries;
  if (entries.size() == 1 && entries.front().Attribute->getAttrName()->isStr(attributeName))
    sema.PragmaAttributeStack.erase(sema.PragmaAttributeStack.begin());
}

void hostwarp::plugins::addDeclarations() {
  add<ShowsDeclarations>("hostwarp-declarations", "what nvcc and clang see differently in them");
}
