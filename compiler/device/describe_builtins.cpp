// Code to step through tells debuggers of threadIdx and its kin: as variables of each function, so that they can be
// printed, watched and asked for in conditions like any other, for each thread whose stack is looked at.
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr struct {
  llvm::StringLiteral name, type;
  uint64_t offset;  // in hw_thread
} describedBuiltins[] = {{"threadIdx", "uint3", offsetof(hw_thread, threadIdx)},
                {"blockIdx", "uint3", offsetof(hw_thread, blockIdx)},
                {"blockDim", "dim3", offsetof(hw_thread, blockDim)},
                {"gridDim", "dim3", offsetof(hw_thread, gridDim)}};
constexpr uint64_t memberBits = 32, lanesOfWarp = 32;

// withVariables() is the unit, or, where it tells of lines only, one in its place that may have variables.
llvm::DICompileUnit *withVariables(llvm::DICompileUnit &unit) {
  if (unit.getEmissionKind() == llvm::DICompileUnit::FullDebug) return &unit;
  return llvm::DICompileUnit::getDistinct(
      unit.getContext(), unit.getSourceLanguage(), unit.getFile(), unit.getProducer(), unit.isOptimized(),
      unit.getFlags(), unit.getRuntimeVersion(), unit.getSplitDebugFilename(), llvm::DICompileUnit::FullDebug,
      unit.getEnumTypes(), unit.getRetainedTypes(), unit.getGlobalVariables(), unit.getImportedEntities(),
      unit.getMacros(), unit.getDWOId(), unit.getSplitDebugInlining(), unit.getDebugInfoForProfiling(),
      unit.getNameTableKind(), unit.getRangesBaseAddress(), unit.getSysRoot(), unit.getSDK());
}

void allowVariables(llvm::Module &module) {
  llvm::NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units) return;
  llvm::DenseMap<llvm::DICompileUnit *, llvm::DICompileUnit *> replacements;
  for (unsigned i = 0; i < units->getNumOperands(); ++i) {
    auto *unit = llvm::cast<llvm::DICompileUnit>(units->getOperand(i));
    replacements[unit] = withVariables(*unit);
  }
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  for (llvm::DISubprogram *each : finder.subprograms())
    if (llvm::DICompileUnit *other = replacements.lookup(each->getUnit())) each->replaceUnit(other);
  for (unsigned i = 0; i < units->getNumOperands(); ++i)
    units->setOperand(i, replacements[llvm::cast<llvm::DICompileUnit>(units->getOperand(i))]);
}

// Describer describes the variables in the functions of one unit.
class Describer {
 public:
  Describer(llvm::Module &module, llvm::DICompileUnit &unit) : builder_(module, false, &unit), unit_(unit) {
    llvm::DIType *member = builder_.createBasicType("unsigned int", memberBits, llvm::dwarf::DW_ATE_unsigned);
    for (const llvm::StringRef name : {"uint3", "dim3"}) types_[name] = makeTriple(name, member);
    types_["int"] = builder_.createQualifiedType(
        llvm::dwarf::DW_TAG_const_type, builder_.createBasicType("int", memberBits, llvm::dwarf::DW_ATE_signed));
  }
  ~Describer() { builder_.finalize(); }
  Describer(const Describer &) = delete;
  Describer &operator=(const Describer &) = delete;

  // describe() keeps where the thread's hw_thread lies in the function's frame.
  void describe(llvm::Function &function) {
    llvm::DISubprogram &subprogram = *function.getSubprogram();
    llvm::IRBuilder<> code(&*function.getEntryBlock().getFirstInsertionPt());
    const auto *place = llvm::DILocation::get(function.getContext(), subprogram.getLine(), 0, &subprogram);
    llvm::Value *slot = code.CreateAlloca(code.getPtrTy(), nullptr, "self.slot");
    llvm::Instruction *store = code.CreateStore(selfCall(code), slot);
    for (const auto &[name, type, offset] : describedBuiltins) {
      const uint64_t steps[] = {llvm::dwarf::DW_OP_deref, llvm::dwarf::DW_OP_plus_uconst, offset};
      builder_.insertDeclare(slot, variable(subprogram, name, type), builder_.createExpression(steps), place,
                             store->getNextNode());
    }
    builder_.insertDbgValueIntrinsic(code.getInt32(lanesOfWarp), variable(subprogram, "warpSize", "int"),
                                     builder_.createExpression(), place, store->getNextNode());
  }

 private:
  llvm::DIType *makeTriple(llvm::StringRef name, llvm::DIType *member) {
    llvm::SmallVector<llvm::Metadata *> members;
    for (const llvm::StringRef each : {"x", "y", "z"})
      members.push_back(builder_.createMemberType(unit_.getFile(), each, unit_.getFile(), 0, memberBits, memberBits,
                                                  members.size() * memberBits, llvm::DINode::FlagZero, member));
    return builder_.createStructType(unit_.getFile(), name, unit_.getFile(), 0, members.size() * memberBits,
                                     memberBits, llvm::DINode::FlagZero, nullptr, builder_.getOrCreateArray(members));
  }

  llvm::DILocalVariable *variable(llvm::DISubprogram &scope, llvm::StringRef name, llvm::StringRef type) {
    return builder_.createAutoVariable(&scope, name, scope.getFile(), scope.getLine(), types_[type], true,
                                       llvm::DINode::FlagArtificial);
  }

  llvm::DIBuilder builder_;
  llvm::DICompileUnit &unit_;
  llvm::StringMap<llvm::DIType *> types_;
};

}  // namespace

void describeBuiltins(DeviceModule &device) {
  if (!device.options.debug) return;
  allowVariables(device.module);
  llvm::MapVector<llvm::DICompileUnit *, llvm::SmallVector<llvm::Function *>> functions;
  for (llvm::Function &function : device.module)
    if (llvm::DISubprogram *subprogram = function.getSubprogram(); subprogram && !function.isDeclaration())
      functions[subprogram->getUnit()].push_back(&function);
  for (const auto &[unit, own] : functions) {
    Describer describer(device.module, *unit);
    for (llvm::Function *function : own) describer.describe(*function);
  }
}

}  // namespace hostwarp::compiler
