// What nvcc rejects in CUDA code and clang lets pass, with nvcc's meaning at the user's line. Nothing in system headers
// is looked at, and nothing is rejected that nvcc might take.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_RESTRICTIONS_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_RESTRICTIONS_H

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Frontend/CompilerInstance.h>

#include <set>
#include <string>
#include <utility>

namespace hostwarp::restrictions {

// Report makes the errors: one for each place and text, because a template has many instances.
class Report {
 public:
  // checksCalls: nothing in the source forbids to look at what functions call.
  Report(clang::CompilerInstance &compiler, bool checksCalls);
  void error(clang::SourceLocation where, const std::string &what);
  bool inSystemHeader(clang::SourceLocation where) const;
  // allowsExtendedLambdas(): hwcc was given --extended-lambda.
  bool allowsExtendedLambdas() const { return allowsExtendedLambdas_; }
  // allowsConstexprCalls(): device code may call what is constexpr on the host, by --expt-relaxed-constexpr, or
  // somewhere by `#pragma nv_exec_check_disable`.
  bool allowsConstexprCalls() const { return allowsConstexprCalls_; }

 private:
  clang::CompilerInstance &compiler_;
  const bool allowsExtendedLambdas_, allowsConstexprCalls_;
  std::set<std::pair<unsigned, std::string>> said_;
};

// isAnnotated(): an attribute of the user's, not one that clang derived.
template <class Attribute>
bool isAnnotated(const clang::Decl &declaration) {
  const auto *attribute = declaration.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

// hasNote(): one of our own annotations, which <host_defines.h> makes of CUDA's keywords.
bool hasNote(const clang::Decl &declaration, llvm::StringRef note);

// enclosingFunction() is the function that the declaration is inside of, call operators of lambdas included.
const clang::FunctionDecl *enclosingFunction(const clang::Decl &declaration);

// Sides tells where a function runs, as far as it is written: constexpr functions are the host's.
struct Sides {
  bool host = false, device = false;
};
// sidesOf(): a lambda without annotations is for the sides of the function that it is in.
Sides sidesOf(const clang::FunctionDecl &function);

// isForDeviceOnly(): what is being compiled belongs to a function without a part on the host, of which g++ sees
// nothing.
bool isForDeviceOnly(clang::CompilerInstance &compiler);

// isHidden(): private or protected where it is a member. A specialisation is as its template.
bool isHidden(const clang::Decl &declaration);

// HiddenType is a type that code outside of where it is defined cannot name.
struct HiddenType {
  enum class Kind { Local, Private, Unnamed, Closure } kind;
  std::string name;
};
// findHiddenTypes() tells `found` of those that the argument of a template is made of.
void findHiddenTypes(const clang::TemplateArgument &argument, const Report &report,
                     llvm::function_ref<void(const HiddenType &)> found);

void checkKernel(const clang::FunctionDecl &kernel, Report &report);
// checkFunction() looks at what only kernels may have, and main() must not.
void checkFunction(const clang::FunctionDecl &function, Report &report);
void checkKernelTemplate(const clang::FunctionTemplateDecl &kernel, Report &report);
// checkCall() looks at a call that is evaluated. pre: device code.
void checkCall(const clang::FunctionDecl &caller, const clang::FunctionDecl &callee, clang::SourceLocation where,
               Report &report);
void checkLambda(const clang::LambdaExpr &lambda, Report &report);
// checkAsm() looks at what inline PTX gets. pre: device code.
void checkAsm(const clang::ASTContext &context, const clang::GCCAsmStmt &statement, Report &report);

}  // namespace hostwarp::restrictions

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_RESTRICTIONS_H
