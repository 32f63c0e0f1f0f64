// What LLVM 17 to 21 spell differently. The code is written for 19; here stands what the others need.
#ifndef HOSTWARP_COMPILER_DEVICE_LLVM_VERSIONS_H
#define HOSTWARP_COMPILER_DEVICE_LLVM_VERSIONS_H

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Local.h>

#if LLVM_VERSION_MAJOR >= 18
#include <llvm/IR/VFABIDemangler.h>
#else
#include <llvm/Analysis/VectorUtils.h>

namespace llvm {
struct CodeGenOptLevel {
  static constexpr CodeGenOpt::Level None = CodeGenOpt::None, Less = CodeGenOpt::Less, Default = CodeGenOpt::Default;
};
}  // namespace llvm
#endif

namespace hostwarp::compiler {

#if LLVM_VERSION_MAJOR >= 18
inline constexpr auto objectFile = llvm::CodeGenFileType::ObjectFile, assemblyFile = llvm::CodeGenFileType::AssemblyFile;
#else
inline constexpr auto objectFile = llvm::CGFT_ObjectFile, assemblyFile = llvm::CGFT_AssemblyFile;
#endif

// Where a target is named, up to LLVM 20 by the triple's text.
#if LLVM_VERSION_MAJOR >= 21
using TripleOrName = llvm::Triple;
inline void setTriple(llvm::Module &module, const llvm::Triple &triple) { module.setTargetTriple(triple); }
#else
using TripleOrName = llvm::StringRef;
inline void setTriple(llvm::Module &module, const llvm::Triple &triple) { module.setTargetTriple(triple.str()); }
#endif

// What a pattern finds of a comparison.
#if LLVM_VERSION_MAJOR >= 20
using ComparisonPredicate = llvm::CmpPredicate;
#else
using ComparisonPredicate = llvm::CmpInst::Predicate;
#endif

// IndexScales maps the variable indices of an address to their scales, with the class that this LLVM has for it.
template <class Map>
Map indexScalesOf(bool (llvm::GetElementPtrInst::*)(const llvm::DataLayout &, unsigned, Map &, llvm::APInt &) const);
using IndexScales = decltype(indexScalesOf(&llvm::GetElementPtrInst::collectOffset));

// demoteToStack() is llvm::DemoteRegToStack() with the variable before `place`.
inline llvm::AllocaInst *demoteToStack(llvm::Instruction &value, llvm::Instruction &place) {
#if LLVM_VERSION_MAJOR >= 19
  return llvm::DemoteRegToStack(value, false, place.getIterator());
#else
  return llvm::DemoteRegToStack(value, false, &place);
#endif
}

// dropDebugRecords() takes off what LLVM 19 and later keep beside an instruction; before, those are calls.
inline void dropDebugRecords([[maybe_unused]] llvm::Instruction &instruction) {
#if LLVM_VERSION_MAJOR >= 19
  instruction.dropDbgRecords();
#endif
}

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LLVM_VERSIONS_H
