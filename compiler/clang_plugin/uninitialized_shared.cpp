// The clang plugin of both passes over a .cu file: the attribute hostwarp_uninitialized, which <host_defines.h> makes
// part of __shared__. CUDA never runs the constructor or destructor of a shared variable, and nvcc only warns where a
// class has one that does something: `__shared__ cuda::barrier<cuda::thread_scope_block> barrier;`. Clang refuses.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>

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
    // An alias is the one kind of definition that clang gives no initialiser. For a variable of a function that is all
    // that the attribute means: only names of the file are emitted as aliases.
    variable->addAttr(clang::AliasAttr::CreateImplicit(sema.Context, ""));
    return AttributeApplied;
  }
};

clang::ParsedAttrInfoRegistry::Add<UninitializedAttribute> registration("hostwarp_uninitialized",
                                                                        "no constructor runs, as CUDA has it");

}  // namespace
