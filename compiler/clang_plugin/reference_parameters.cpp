// Parameters whose class has a copy constructor or destructor of its own. In C++, and for nvcc, the callee works on the
// caller's object, which is also the one destroyed; clang's NVPTX target copies it bit by bit. Which classes these are
// cannot be told from the code that clang makes, so an empty function that takes them all goes along with it, and
// hwcc-device makes references of all parameters that have one of its types (compiler/device/reference_parameters.cpp).
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/SetVector.h>

#include "compiler/clang_plugin/plugins.h"

namespace {

using Classes = llvm::SetVector<const clang::CXXRecordDecl *>;

bool isPassedByReference(const clang::CXXRecordDecl &record) {
  return record.isCompleteDefinition() && !record.isDependentType() && !record.isInvalidDecl() &&
         !record.canPassInRegisters();
}

// parameterClasses() looks at the types of functions and not at the functions: there are calls by pointer, too.
Classes parameterClasses(const clang::ASTContext &context) {
  Classes classes;
  // By number: looking at a class may read more types from precompiled headers.
  for (size_t i = 0; i < context.getTypes().size(); ++i) {
    const auto *function = llvm::dyn_cast<clang::FunctionProtoType>(context.getTypes()[i]);
    if (!function || function->isDependentType()) continue;
    for (const clang::QualType parameter : function->param_types()) {
      const clang::CXXRecordDecl *record = parameter->getAsCXXRecordDecl();
      if (record && (record = record->getDefinition()) && isPassedByReference(*record)) classes.insert(record);
    }
  }
  return classes;
}

// makeFunction() is `static __device__ void hostwarp.by_reference(Class...) {}`.
clang::FunctionDecl &makeFunction(clang::ASTContext &context, const Classes &classes, llvm::StringRef symbol) {
  llvm::SmallVector<clang::QualType> types;
  for (const clang::CXXRecordDecl *record : classes) types.push_back(context.getRecordType(record));
  const clang::QualType type = context.getFunctionType(context.VoidTy, types, {});
  clang::TranslationUnitDecl *unit = context.getTranslationUnitDecl();
  const clang::SourceLocation nowhere;
  auto *function =
      clang::FunctionDecl::Create(context, unit, nowhere, nowhere, clang::DeclarationName(&context.Idents.get(symbol)),
                                  type, context.getTrivialTypeSourceInfo(type), clang::SC_Static);
  llvm::SmallVector<clang::ParmVarDecl *> parameters;
  for (const clang::QualType parameter : types)
    parameters.push_back(clang::ParmVarDecl::Create(context, function, nowhere, nowhere, nullptr, parameter,
                                                    context.getTrivialTypeSourceInfo(parameter), clang::SC_None,
                                                    nullptr));
  function->setParams(parameters);
  function->setBody(clang::CompoundStmt::Create(context, {}, {}, nowhere, nowhere));
  function->setImplicit();
  function->addAttr(clang::AsmLabelAttr::CreateImplicit(context, symbol, true));
  function->addAttr(clang::CUDADeviceAttr::CreateImplicit(context));
  function->addAttr(clang::NoDebugAttr::CreateImplicit(context));
  function->addAttr(clang::UsedAttr::CreateImplicit(context));
  unit->addDecl(function);
  return *function;
}

class ReferenceParameters : public clang::ASTConsumer {
 public:
  explicit ReferenceParameters(clang::CompilerInstance &compiler) : compiler_(compiler) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!compiler_.getLangOpts().CUDAIsDevice || compiler_.getDiagnostics().hasErrorOccurred()) return;
    const Classes classes = parameterClasses(context);
    if (classes.empty()) return;
    // Precompiled headers bring a function of their own: their types are not read before code is made that needs them.
    const bool isOfHeaders = compiler_.getFrontendOpts().ProgramAction == clang::frontend::GeneratePCH;
    clang::FunctionDecl &function =
        makeFunction(context, classes, isOfHeaders ? "hostwarp.by_reference.headers" : "hostwarp.by_reference");
    compiler_.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(&function));
  }

 private:
  clang::CompilerInstance &compiler_;
};

class ReferenceParametersAction : public hostwarp::PluginAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<ReferenceParameters>(compiler);
  }
};

}  // namespace

void hostwarp::plugins::addReferenceParameters() {
  add<ReferenceParametersAction>("hostwarp-reference-parameters", "tells which classes are not passed by value");
}
