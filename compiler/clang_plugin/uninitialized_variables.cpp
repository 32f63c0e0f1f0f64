// Variables whose constructor does not run, which clang refuses:
//  - shared ones, by the attribute hostwarp_uninitialized, which <host_defines.h> makes part of __shared__. CUDA never
//    runs their constructors and destructors, and nvcc only warns where a class has one that does something:
//    `__shared__ cuda::barrier<cuda::thread_scope_block> barrier;`;
//  - static ones of device functions, whose constructor has to be empty.
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Sema/ParsedAttr.h>

#include "compiler/clang_plugin/clang_versions.h"
#include "compiler/clang_plugin/declarations.h"

namespace {

// mayHaveInitializer() tells whether clang would look for a constructor of the variable's type.
bool mayHaveInitializer(const clang::VarDecl &variable) {
  clang::QualType type = variable.getASTContext().getBaseElementType(variable.getType());
  return type->isDependentType() || type->isRecordType();
}

class UninitializedAttribute : public clang::ParsedAttrInfo {
 public:
  UninitializedAttribute() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, "hostwarp_uninitialized"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                   const clang::ParsedAttr &) const override {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (!variable || !variable->isLocalVarDecl() || variable->hasExternalStorage()) return AttributeNotApplied;
    if (!mayHaveInitializer(*variable)) return AttributeNotApplied;
    if (!variable->getType()->isDependentType())
      (void)sema.isCompleteType(variable->getLocation(), variable->getType());
    hostwarp::declarations::leaveUninitialized(*variable);
    return AttributeApplied;
  }
};

clang::ParsedAttrInfoRegistry::Add<UninitializedAttribute> uninitializedVariablesRegistration("hostwarp_uninitialized",
                                                                        "no constructor runs, as CUDA has it");

}  // namespace

namespace hostwarp::declarations {

namespace {

bool isOfDeviceCode(clang::Sema &sema) {
  const clang::FunctionDecl *function = sema.getCurFunctionDecl(/*AllowLambda=*/true);
  if (!function) return false;
  using clang_versions::CUDAFunctionTarget;
  const auto target = clang_versions::targetOf(sema, function);
  return target == CUDAFunctionTarget::Device || target == CUDAFunctionTarget::Global ||
         (target == CUDAFunctionTarget::HostDevice && sema.getLangOpts().CUDAIsDevice);
}

// hasEmptyConstructor(): the class has a constructor and a destructor of its own, or of its members', that do nothing.
bool hasEmptyConstructor(clang::Sema &sema, clang::CXXRecordDecl &record, clang::SourceLocation where) {
  if (!record.hasDefinition() || record.isDependentType()) return false;
  if (!record.hasNonTrivialDefaultConstructor() && !record.hasNonTrivialDestructor()) return false;
  // Not by overload resolution: the constructor, which is not called, may be the host's.
  sema.ForceDeclarationOfImplicitMembers(&record);
  const auto constructors = record.ctors();
  const auto found = llvm::find_if(constructors, [](const auto *each) { return each->isDefaultConstructor(); });
  if (found == constructors.end() || found->isDeleted()) return false;
  clang::CXXConstructorDecl *constructor = *found;
  if (constructor->isDefaulted() && !constructor->isTrivial() && !constructor->hasBody())
    sema.DefineImplicitDefaultConstructor(where, constructor);
  return clang_versions::isEmptyConstructor(sema, where, constructor) &&
         clang_versions::isEmptyDestructor(sema, where, record.getDestructor());
}

}  // namespace

// An alias is the one kind of definition that clang gives no initialiser. For a variable of a function that is all that
// the attribute means: only names of the file are emitted as aliases.
void leaveUninitialized(clang::VarDecl &variable) {
  variable.addAttr(clang::AliasAttr::CreateImplicit(variable.getASTContext(), ""));
}

void leaveStaticUninitialized(clang::Sema &sema, clang::VarDecl &variable) {
  if (!variable.isStaticLocal() || variable.hasExternalStorage() || variable.hasAttr<clang::AliasAttr>()) return;
  if (variable.hasAttr<clang::CUDASharedAttr>() || !isOfDeviceCode(sema)) return;
  const clang::QualType type = sema.Context.getBaseElementType(variable.getType());
  clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (record && !type.isConstQualified() && hasEmptyConstructor(sema, *record, variable.getLocation()))
    leaveUninitialized(variable);
}

}  // namespace hostwarp::declarations
