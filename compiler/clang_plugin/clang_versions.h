// What clang 17 to 21 spell differently. The code is written for 19; here stands what the others need.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_CLANG_VERSIONS_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_CLANG_VERSIONS_H

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/Version.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#if CLANG_VERSION_MAJOR >= 19
#include <clang/Sema/SemaCUDA.h>
#endif

namespace hostwarp::clang_versions {

#if CLANG_VERSION_MAJOR >= 19
using clang::CUDAFunctionTarget;
inline CUDAFunctionTarget targetOf(clang::Sema &sema, const clang::FunctionDecl *function) {
  return sema.CUDA().IdentifyTarget(function);
}
inline bool isEmptyConstructor(clang::Sema &sema, clang::SourceLocation where, clang::CXXConstructorDecl *constructor) {
  return sema.CUDA().isEmptyConstructor(where, constructor);
}
inline bool isEmptyDestructor(clang::Sema &sema, clang::SourceLocation where, clang::CXXDestructorDecl *destructor) {
  return sema.CUDA().isEmptyDestructor(where, destructor);
}
inline void pushForceHostDevice(clang::Sema &sema) { sema.CUDA().PushForceHostDevice(); }
inline bool popForceHostDevice(clang::Sema &sema) { return sema.CUDA().PopForceHostDevice(); }
#else
struct CUDAFunctionTarget {
  static constexpr auto Device = clang::Sema::CFT_Device, Global = clang::Sema::CFT_Global,
                        HostDevice = clang::Sema::CFT_HostDevice;
};
inline clang::Sema::CUDAFunctionTarget targetOf(clang::Sema &sema, const clang::FunctionDecl *function) {
  return sema.IdentifyCUDATarget(function);
}
inline bool isEmptyConstructor(clang::Sema &sema, clang::SourceLocation where, clang::CXXConstructorDecl *constructor) {
  return sema.isEmptyCudaConstructor(where, constructor);
}
inline bool isEmptyDestructor(clang::Sema &sema, clang::SourceLocation where, clang::CXXDestructorDecl *destructor) {
  return sema.isEmptyCudaDestructor(where, destructor);
}
inline void pushForceHostDevice(clang::Sema &sema) { sema.PushForceCUDAHostDevice(); }
inline bool popForceHostDevice(clang::Sema &sema) { return sema.PopForceCUDAHostDevice(); }
#endif

// An attribute of that name, without arguments.
inline clang::ParsedAttr *makeAttribute(clang::AttributePool &pool, clang::IdentifierInfo *name) {
#if CLANG_VERSION_MAJOR >= 21
  return pool.create(name, {}, {}, nullptr, 0, clang::ParsedAttr::Form::GNU());
#else
  return pool.create(name, {}, nullptr, {}, nullptr, 0, clang::ParsedAttr::Form::GNU());
#endif
}

// The class whose member is pointed to. Null: that depends on a template's arguments.
inline const clang::CXXRecordDecl *classOf(const clang::MemberPointerType &pointer) {
#if CLANG_VERSION_MAJOR >= 21
  return pointer.getMostRecentCXXRecordDecl();
#else
  return pointer.getClass()->getAsCXXRecordDecl();
#endif
}

// What calls whatever has that name and is found by the arguments' namespaces.
inline clang::Expr *unresolvedCallee(clang::ASTContext &context, const clang::DeclarationNameInfo &name) {
  const clang::UnresolvedSetIterator none;
#if CLANG_VERSION_MAJOR >= 19
  return clang::UnresolvedLookupExpr::Create(context, nullptr, {}, name, true, none, none, false, false);
#else
  return clang::UnresolvedLookupExpr::Create(context, nullptr, {}, name, true, true, none, none);
#endif
}

// The error about `#pragma unroll -1`.
#if CLANG_VERSION_MAJOR >= 19
inline constexpr unsigned countNotPositive = clang::diag::err_requires_positive_value;
#else
inline constexpr unsigned countNotPositive = clang::diag::err_pragma_loop_invalid_argument_value;
#endif

}  // namespace hostwarp::clang_versions

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_CLANG_VERSIONS_H
