// What a kernel may be [CUDA 5.3.9 __global__ functions].
#include <clang/AST/ASTContext.h>

#include "compiler/clang_plugin/restrictions.h"

namespace hostwarp::restrictions {

namespace {

// The parameters of one launch.
constexpr uint64_t mostParameterBytes = 32764;

// isVaList() goes by the names: for a GPU the type itself is a plain pointer.
bool isVaList(clang::QualType type) {
  while (const auto *alias = type->getAs<clang::TypedefType>()) {
    const llvm::StringRef name = alias->getDecl()->getName();
    if (name == "va_list" || name == "__gnuc_va_list" || name == "__builtin_va_list") return true;
    type = alias->desugar();
  }
  return false;
}

bool isInitializerList(clang::QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "initializer_list" && record->isInStdNamespace();
}

void checkParameter(const clang::ParmVarDecl &parameter, Report &report) {
  const clang::QualType type = parameter.getOriginalType();
  const clang::SourceLocation where = parameter.getLocation();
  if (type->isDependentType()) return;
  if (isInitializerList(type))
    report.error(where, "a __global__ function cannot have a parameter with type std::initializer_list");
  if (isVaList(type)) report.error(where, "a __global__ function cannot have a parameter with va_list type");
  if (type->isRValueReferenceType())
    report.error(where, "a __global__ function cannot have a parameter with rvalue reference type");
  if (hasNote(parameter, "hostwarp.grid_constant") && !type.isConstQualified())
    report.error(where, "a parameter annotated with __grid_constant__ must have const-qualified type");
}

void checkSize(const clang::FunctionDecl &kernel, Report &report) {
  const clang::ASTContext &context = kernel.getASTContext();
  uint64_t bytes = 0;
  for (const clang::ParmVarDecl *parameter : kernel.parameters()) {
    const clang::QualType type = parameter->getType();
    if (type->isIncompleteType()) return;
    const clang::TypeInfoChars info = context.getTypeInfoInChars(type);
    bytes = llvm::alignTo(bytes, info.Align.getQuantity()) + info.Width.getQuantity();
  }
  if (bytes > mostParameterBytes)
    report.error(kernel.getLocation(), "formal parameter space overflowed (" + std::to_string(bytes) +
                                           " bytes required, max " + std::to_string(mostParameterBytes) +
                                           " bytes allowed)");
}

// argumentsOf() counts what follows the name of one of our own annotations; 0 where there is none.
unsigned argumentsOf(const clang::FunctionDecl &kernel, llvm::StringRef note) {
  for (const auto *each : kernel.specific_attrs<clang::AnnotateAttr>())
    if (each->getAnnotation() == note) return each->args_size();
  return 0;
}

// checkPositive(): numbers that a template does not know yet are no concern here.
void checkPositive(const clang::FunctionDecl &kernel, llvm::StringRef note, const char *complaint, Report &report) {
  const auto isWrong = [&](const clang::Expr *number) {
    if (number->isValueDependent()) return false;
    const auto value = number->getIntegerConstantExpr(kernel.getASTContext());
    return value && !value->isStrictlyPositive();
  };
  for (const auto *each : kernel.specific_attrs<clang::AnnotateAttr>())
    if (each->getAnnotation() == note && llvm::any_of(each->args(), isWrong))
      report.error(kernel.getLocation(), complaint);
}

void checkAttributes(const clang::FunctionDecl &kernel, Report &report) {
  const clang::SourceLocation where = kernel.getLocation();
  checkPositive(kernel, "hostwarp.cluster_dims", "__cluster_dims__ arguments must be positive integers", report);
  checkPositive(kernel, "hostwarp.block_size", "__block_size__ arguments must be positive integers", report);
  checkPositive(kernel, "hostwarp.maxnreg",
                "The maximum number of registers that can be allocated per thread must be positive", report);
  constexpr unsigned bothTriples = 6;
  const bool bounded = kernel.hasAttr<clang::CUDALaunchBoundsAttr>() || hasNote(kernel, "hostwarp.launch_bounds");
  if (bounded && hasNote(kernel, "hostwarp.maxnreg"))
    report.error(where, "The __launch_bounds__ and __maxnreg__ qualifiers cannot be applied to the same kernel");
  if (bounded && hasNote(kernel, "hostwarp.block_size"))
    report.error(where, "The __launch_bounds__ and __block_size__ qualifiers cannot be applied to the same kernel");
  if (argumentsOf(kernel, "hostwarp.block_size") == bothTriples && argumentsOf(kernel, "hostwarp.cluster_dims"))
    report.error(where, "cannot specify the second tuple in __block_size__ while __cluster_dims__ is present");
}

void checkForm(const clang::FunctionDecl &kernel, Report &report) {
  const clang::SourceLocation where = kernel.getLocation();
  if (kernel.isVariadic()) report.error(where, "a __global__ function cannot have ellipsis");
  if (kernel.isConsteval())
    report.error(where, "a __global__ function or function template cannot be marked consteval");
  else if (kernel.isConstexprSpecified())
    report.error(where, "a __global__ function or function template cannot be marked constexpr");
  if (kernel.isOverloadedOperator()) report.error(where, "an operator function cannot be a __global__ function");
  if (!kernel.isDependentContext() && kernel.getDeclaredReturnType()->getContainedAutoType())
    report.error(where, "a __global__ function must not have a deduced return type");
  if (const auto *type = kernel.getType()->getAs<clang::FunctionProtoType>(); type && type->hasExceptionSpec())
    report.error(where, "an exception specification is not allowed for a __global__ function or function template");
  const bool isMember = llvm::isa<clang::CXXMethodDecl>(kernel);
  if (isMember) report.error(where, "a __global__ function or function template cannot be a member function");
  const clang::FunctionDecl *pattern = kernel.getTemplateInstantiationPattern();
  const clang::FunctionDecl &written = pattern ? *pattern : kernel;
  if (!isMember && written.isThisDeclarationADefinition() && written.getLexicalDeclContext()->isRecord())
    report.error(where, "a __global__ function or function template cannot be defined in a friend declaration");
}

std::string describe(const HiddenType &type) {
  switch (type.kind) {
    case HiddenType::Kind::Local:
      return "a type defined inside a __host__ function (\"" + type.name + "\")";
    case HiddenType::Kind::Private:
      return "a type that is defined inside a class and has private or protected access (\"" + type.name + "\")";
    case HiddenType::Kind::Unnamed:
      return "an unnamed type (\"" + type.name + "\")";
    case HiddenType::Kind::Closure:
      break;
  }
  return "the closure type of a lambda (\"" + type.name +
         "\"), unless the lambda is defined within a __device__ or __global__ function or is an extended lambda,";
}

}  // namespace

void checkKernel(const clang::FunctionDecl &kernel, Report &report) {
  checkForm(kernel, report);
  checkAttributes(kernel, report);
  for (const clang::ParmVarDecl *parameter : kernel.parameters()) checkParameter(*parameter, report);
  if (kernel.isDependentContext()) return;
  if (kernel.isThisDeclarationADefinition()) checkSize(kernel, report);
  const clang::TemplateArgumentList *arguments = kernel.getTemplateSpecializationArgs();
  if (!arguments) return;
  for (const clang::TemplateArgument &argument : arguments->asArray())
    findHiddenTypes(argument, report, [&](const HiddenType &type) {
      report.error(kernel.getPointOfInstantiation(),
                   describe(type) +
                       " cannot be used in the template argument type of a __global__ function template instantiation");
    });
}

void checkFunction(const clang::FunctionDecl &function, Report &report) {
  if (function.isDependentContext()) return;
  const bool isKernel = function.hasAttr<clang::CUDAGlobalAttr>() || hasNote(function, "hostwarp.kernel");
  if (!isKernel && (function.hasAttr<clang::CUDALaunchBoundsAttr>() || hasNote(function, "hostwarp.launch_bounds")))
    report.error(function.getLocation(), "__launch_bounds__ is only allowed on a __global__ function");
  if (function.isMain() && (isKernel || isAnnotated<clang::CUDADeviceAttr>(function)))
    report.error(function.getLocation(), "function main cannot be marked __device__ or __global__");
}

void checkKernelTemplate(const clang::FunctionTemplateDecl &kernel, Report &report) {
  const llvm::ArrayRef<clang::NamedDecl *> parameters = kernel.getTemplateParameters()->asArray();
  for (const clang::NamedDecl *parameter : parameters.drop_back())
    if (parameter->isParameterPack())
      report.error(parameter->getLocation(),
                   "a pack template parameter must be the last template parameter of a variadic __global__ function "
                   "template");
}

}  // namespace hostwarp::restrictions
