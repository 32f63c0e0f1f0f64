// The host's standard library where NVRTC has none:
//  - what its headers declare is the host's where everything else is for the device (`#pragma clang
//    force_cuda_host_device`, NVRTC's --device-as-default-execution-space): constexpr functions are for both all the
//    same. Functions that are declared twice would otherwise be on two sides;
//  - `namespace std { using cuda::std::is_same; }`, by which sources for NVRTC make up for the library, means nothing
//    where std has the name: a class would be declared twice, and calls of functions that are in both be ambiguous.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>

#include <memory>

#include "compiler/clang_plugin/clang_versions.h"
#include "compiler/clang_plugin/diagnostic_relay.h"
#include "compiler/clang_plugin/plugins.h"

namespace hostwarp {

namespace {

// LeftAlone takes the pragma back while the preprocessor is in a header of the standard library.
class LeftAlone : public clang::PPCallbacks {
 public:
  explicit LeftAlone(clang::CompilerInstance &compiler) : compiler_(compiler) {}

  void FileChanged(clang::SourceLocation place, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    if (!compiler_.hasSema()) return;
    clang::Sema &sema = compiler_.getSema();
    if (inLibrary_ == isOfLibrary(place)) return;
    inLibrary_ = !inLibrary_;
    if (inLibrary_)
      while (clang_versions::popForceHostDevice(sema)) ++taken_;
    else
      for (; taken_ > 0; --taken_) clang_versions::pushForceHostDevice(sema);
  }

 private:
  // isOfLibrary(): a header of the library, or one that it includes.
  bool isOfLibrary(clang::SourceLocation place) const {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    for (; place.isValid(); place = sources.getIncludeLoc(sources.getFileID(place)))
      if (sources.getFilename(place).contains("/c++/")) return true;
    return false;
  }

  clang::CompilerInstance &compiler_;
  bool inLibrary_ = false;
  unsigned taken_ = 0;
};

// Passer lets pass that a using-declaration in std finds the name taken. The declaration has no effect then.
class Passer : public DiagnosticRelay {
 public:
  explicit Passer(clang::CompilerInstance &compiler)
      : DiagnosticRelay(compiler.getDiagnostics()), compiler_(compiler) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    if (level == clang::DiagnosticsEngine::Note && passed_) return;
    const bool isConflict = diagnostic.getID() == clang::diag::err_using_decl_conflict;
    passed_ = isConflict && compiler_.getSema().CurContext->isStdNamespace();
    if (!passed_) DiagnosticRelay::HandleDiagnostic(isConflict ? clang::DiagnosticsEngine::Error : level, diagnostic);
  }

 private:
  clang::CompilerInstance &compiler_;
  bool passed_ = false;
};

// FunctionRemover takes functions out of std that a program's using-declaration has put beside std's own of the name.
// The library itself does so, too: `using ::div;` beside std::div(long, long).
class FunctionRemover : public clang::ASTConsumer {
 public:
  explicit FunctionRemover(const clang::SourceManager &sources) : sources_(sources) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      if (auto *space = llvm::dyn_cast<clang::NamespaceDecl>(declaration); space && isOfProgram(*space))
        removeFrom(*space);
    return true;
  }

 private:
  bool isOfProgram(const clang::NamespaceDecl &space) const {
    return space.isStdNamespace() && !sources_.isInSystemHeader(space.getLocation());
  }

  static void removeFrom(clang::NamespaceDecl &space) {
    llvm::SmallVector<clang::UsingShadowDecl *, 4> needless;
    for (clang::Decl *declaration : space.decls())
      if (auto *shadow = llvm::dyn_cast<clang::UsingShadowDecl>(declaration); shadow && isNeedless(space, *shadow))
        needless.push_back(shadow);
    for (clang::UsingShadowDecl *shadow : needless) space.removeDecl(shadow);
  }

  static bool isNeedless(clang::NamespaceDecl &space, const clang::UsingShadowDecl &shadow) {
    if (!shadow.getTargetDecl()->getAsFunction()) return false;
    return llvm::any_of(space.lookup(shadow.getDeclName()),
                        [](const clang::NamedDecl *other) { return other->getAsFunction() != nullptr; });
  }

  const clang::SourceManager &sources_;
};

class StandardHeaders : public PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<LeftAlone>(compiler));
    if (!isForNvrtc(compiler)) return std::make_unique<clang::ASTConsumer>();
    clang::DiagnosticsEngine &engine = compiler.getDiagnostics();
    // Clang lets nobody turn an error into a warning at once.
    engine.setSeverity(clang::diag::err_using_decl_conflict, clang::diag::Severity::Ignored, {});
    engine.setSeverity(clang::diag::err_using_decl_conflict, clang::diag::Severity::Warning, {});
    engine.setClient(new Passer(compiler), /*ShouldOwnClient=*/true);
    return std::make_unique<FunctionRemover>(compiler.getSourceManager());
  }

 private:
  // isForNvrtc(): no macro is defined yet.
  static bool isForNvrtc(const clang::CompilerInstance &compiler) {
    return llvm::any_of(compiler.getPreprocessorOpts().Macros, [](const std::pair<std::string, bool> &macro) {
      return llvm::StringRef(macro.first).starts_with("__CUDACC_RTC__");
    });
  }
};

}  // namespace

}  // namespace hostwarp

void hostwarp::plugins::addStandardHeaders() {
  add<hostwarp::StandardHeaders>("hostwarp-standard-headers", "the host's standard library in code for the device");
}
