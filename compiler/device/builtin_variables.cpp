// threadIdx, blockIdx, blockDim and gridDim are variables to the front end: they have a size, a type and, where code
// asks for it, an address. Here reads of their members become reads of special registers; everything else sees a copy.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

constexpr struct {
  llvm::StringLiteral name, registers;
} builtins[] = {{"threadIdx", "llvm.nvvm.read.ptx.sreg.tid"},
                {"blockIdx", "llvm.nvvm.read.ptx.sreg.ctaid"},
                {"blockDim", "llvm.nvvm.read.ptx.sreg.ntid"},
                {"gridDim", "llvm.nvvm.read.ptx.sreg.nctaid"}};
constexpr int64_t memberBytes = 4, members = 3;

// Reader reads one of the variables.
class Reader {
 public:
  Reader(llvm::GlobalVariable &variable, llvm::StringRef registers) : variable_(variable), registers_(registers) {}

  llvm::Value *member(llvm::IRBuilder<> &builder, int64_t index) const {
    const llvm::FunctionCallee read =
        variable_.getParent()->getOrInsertFunction((registers_ + llvm::StringRef(index == 0   ? ".x"
                                                                                 : index == 1 ? ".y"
                                                                                              : ".z"))
                                                       .str(),
                                                   builder.getInt32Ty());
    return builder.CreateCall(read);
  }

  // replaceLoads() replaces the reads of whole members from `address`, which is `offset` bytes behind the beginning.
  void replaceLoads(llvm::Value &address, int64_t offset) const {
    for (llvm::User *user : llvm::make_early_inc_range(address.users())) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        replaceLoad(*load, offset);
      } else if (llvm::isa<llvm::AddrSpaceCastInst, llvm::BitCastInst>(user)) {
        replaceLoads(*user, offset);
      } else if (auto *step = llvm::dyn_cast<llvm::GEPOperator>(user)) {
        const llvm::DataLayout &layout = variable_.getParent()->getDataLayout();
        llvm::APInt bytes(layout.getIndexTypeSizeInBits(step->getType()), uint64_t(offset));
        if (step->accumulateConstantOffset(layout, bytes)) replaceLoads(*step, bytes.getSExtValue());
      }
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user); instruction && isSpent(*instruction))
        instruction->eraseFromParent();
    }
  }

  // replaceRest() has what is left of the uses in functions see copies.
  void replaceRest() const {
    llvm::DenseMap<llvm::Function *, llvm::Value *> copies;
    for (llvm::User *user : llvm::make_early_inc_range(variable_.users())) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction) continue;
      llvm::Value *&copy = copies[instruction->getFunction()];
      if (!copy) copy = makeCopy(*instruction->getFunction());
      if (llvm::isa<llvm::AddrSpaceCastInst>(instruction) && instruction->getType() == copy->getType()) {
        instruction->replaceAllUsesWith(copy);
        instruction->eraseFromParent();
      } else {
        instruction->replaceUsesOfWith(&variable_, castBehind(*copy));
      }
    }
  }

 private:
  static bool isSpent(const llvm::Instruction &instruction) {
    return instruction.use_empty() && !instruction.mayHaveSideEffects() && !instruction.isTerminator();
  }

  void replaceLoad(llvm::LoadInst &load, int64_t offset) const {
    const bool isMember = offset >= 0 && offset < members * memberBytes && offset % memberBytes == 0;
    if (!isMember || !load.getType()->isIntegerTy(32)) return;
    llvm::IRBuilder<> builder(&load);
    load.replaceAllUsesWith(member(builder, offset / memberBytes));
  }

  // makeCopy() is at the function's beginning: the values stay the same for a thread's life.
  llvm::Instruction *makeCopy(llvm::Function &function) const {
    llvm::BasicBlock &entry = function.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    llvm::ArrayType *type = llvm::ArrayType::get(builder.getInt32Ty(), members);
    llvm::AllocaInst *copy = builder.CreateAlloca(type, nullptr, variable_.getName());
    copy->setAlignment(variable_.getAlign().valueOrOne());
    for (int64_t i = 0; i < members; ++i)
      builder.CreateStore(member(builder, i), builder.CreateConstInBoundsGEP2_32(type, copy, 0, unsigned(i)));
    return copy;
  }

  llvm::Value *castBehind(llvm::Value &copy) const {
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(&copy)->getNextNode());
    return builder.CreateAddrSpaceCast(&copy, variable_.getType());
  }

  llvm::GlobalVariable &variable_;
  llvm::StringRef registers_;
};

}  // namespace

// replaceInLists(): with -rdc=true clang lists what host code may name of other units, and means the built-in
// variables, too. A list is no use of a value.
static void replaceInLists(llvm::GlobalVariable &variable) {
  variable.removeDeadConstantUsers();
  llvm::GlobalVariable *list = variable.getParent()->getGlobalVariable("__clang_gpu_used_external", true);
  if (!list || !list->hasInitializer()) return;
  llvm::Constant *const old = list->getInitializer();
  llvm::SmallVector<llvm::Constant *> kept;
  for (llvm::Value *element : old->operand_values()) {
    auto *constant = llvm::cast<llvm::Constant>(element);
    const bool isVariable = constant->stripPointerCasts() == &variable;
    kept.push_back(isVariable ? llvm::Constant::getNullValue(constant->getType()) : constant);
  }
  list->setInitializer(llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(old->getType()), kept));
  variable.removeDeadConstantUsers();
}

void readBuiltinVariables(DeviceModule &device) {
  for (const auto &[name, registers] : builtins) {
    llvm::GlobalVariable *variable = device.module.getGlobalVariable(name);
    if (!variable || !variable->isDeclaration()) continue;
    replaceInLists(*variable);
    llvm::convertUsersOfConstantsToInstructions({variable});
    const Reader reader(*variable, registers);
    reader.replaceLoads(*variable, 0);
    reader.replaceRest();
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
    else
      fail(device, nullptr, "the address of " + name.str() + " is no constant");
  }
}

}  // namespace hostwarp::compiler
