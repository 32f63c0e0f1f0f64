// How functions of a module take their parameters and give their results: scalars as integers of their width, arrays in
// memory; an array as a result goes where a hidden first parameter points. Kernels read arrays where the launch has put
// them.
#ifndef HOSTWARP_COMPILER_PTX_CALL_H
#define HOSTWARP_COMPILER_PTX_CALL_H

#include <llvm/IR/Attributes.h>
#include <llvm/IR/DerivedTypes.h>

#include "compiler/ptx/syntax.h"

namespace hostwarp::compiler::ptx {

// storageType() is the type of the variable's memory.
llvm::Type *storageType(llvm::LLVMContext &context, const Variable &variable);
llvm::Align alignmentOf(const Variable &variable);

// runtimeName() is what the runtime calls the function that PTX knows by this name, "" if it is none of CUDA's.
llvm::StringRef runtimeName(llvm::StringRef name);

// returnsInMemory(): the function has the hidden parameter. Several results, which are registers, come as a structure.
bool returnsInMemory(const Prototype &prototype);
llvm::FunctionType *functionType(llvm::LLVMContext &context, const Prototype &prototype);
// `arrays` says how arrays are handed on: ByVal makes copies of the callee's own, ByRef does not; None knows of none.
llvm::AttributeList functionAttributes(llvm::LLVMContext &context, const Prototype &prototype,
                                       llvm::Attribute::AttrKind arrays);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_CALL_H
