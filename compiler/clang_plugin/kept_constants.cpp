#include "compiler/clang_plugin/declarations.h"

namespace hostwarp::declarations {

namespace {

template <class Attribute>
bool isMarked(const clang::VarDecl &variable) {
  const auto *attribute = variable.getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

}  // namespace

void keepConstant(clang::Sema &sema, clang::VarDecl &variable) {
  if (!sema.getLangOpts().CUDAIsDevice || !variable.isFileVarDecl() || variable.hasExternalStorage()) return;
  if (!variable.getType().isConstQualified() || variable.getType()->isDependentType()) return;
  if (variable.getDeclContext()->isDependentContext() || variable.getDescribedVarTemplate()) return;
  if (!isMarked<clang::CUDADeviceAttr>(variable) && !isMarked<clang::CUDAConstantAttr>(variable)) return;
  variable.addAttr(clang::UsedAttr::CreateImplicit(sema.Context));
}

}  // namespace hostwarp::declarations
