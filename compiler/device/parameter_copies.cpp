// A structure that a kernel gets by value is the thread's own, so inlining makes a copy of the launch's. Where the
// thread only reads its copy, it may as well read the launch's: all threads have that in common, and an index into it
// needs no array for each of them.
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// parameterAt() is the parameter whose address, as the launch has stored it, the value is; null: it is none.
const hw_parameter *parameterAt(const Kernel &kernel, const llvm::Value &value) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
  const llvm::Function &entry = threadEntry(kernel);
  const llvm::DataLayout &layout = entry.getParent()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(value.getType()), 0);
  if (!load || load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true) != entry.getArg(0))
    return nullptr;
  const uint64_t index = offset.getZExtValue() / layout.getPointerSize();
  return index < kernel.parameters.size() ? &kernel.parameters[index] : nullptr;
}

// isOnlyRead() looks at all uses of an address, but for the copy that gives the memory its value.
bool isOnlyRead(const llvm::Value &address, const llvm::MemCpyInst &copy) {
  return llvm::all_of(address.uses(), [&](const llvm::Use &use) {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    if (user == &copy) return true;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) return load->isSimple();
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return isOnlyRead(*user, copy);
    if (auto *other = llvm::dyn_cast<llvm::MemCpyInst>(user)) return &use == &other->getRawSourceUse();
    return user->isLifetimeStartOrEnd();
  });
}

// isWhole(): the copy fills the variable, before anything else happens to it.
bool isWhole(const llvm::AllocaInst &variable, const llvm::MemCpyInst &copy) {
  const auto bytes = variable.getAllocationSize(copy.getModule()->getDataLayout());
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  return bytes && length && length->getZExtValue() == bytes->getFixedValue() && !copy.isVolatile() &&
         copy.getParent() == variable.getParent();
}

// expectAlignment(): the launch's copy may be less aligned than the variable.
void expectAlignment(llvm::Value &address, llvm::Align known) {
  for (llvm::User *user : address.users()) {
    if (llvm::isa<llvm::GetElementPtrInst>(user)) expectAlignment(*user, known);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) load->setAlignment(std::min(load->getAlign(), known));
    if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(user))
      copy->setSourceAlignment(std::min(copy->getSourceAlign().valueOrOne(), known));
  }
}

void readInPlace(llvm::AllocaInst &variable, llvm::MemCpyInst &copy, llvm::Align known) {
  llvm::Value *place = copy.getRawSource();
  copy.eraseFromParent();
  expectAlignment(variable, known);
  for (llvm::User *user : llvm::make_early_inc_range(variable.users()))
    if (auto *instruction = llvm::cast<llvm::Instruction>(user); instruction->isLifetimeStartOrEnd())
      instruction->eraseFromParent();
  variable.replaceAllUsesWith(place);
  variable.eraseFromParent();
}

}  // namespace

void readParametersInPlace(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  for (Kernel &kernel : device.kernels) {
    llvm::SmallVector<llvm::MemCpyInst *> copies;
    for (llvm::Instruction &instruction : threadEntry(kernel).getEntryBlock())
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) copies.push_back(copy);
    for (llvm::MemCpyInst *copy : copies) {
      const hw_parameter *parameter = parameterAt(kernel, *copy->getRawSource());
      auto *variable = llvm::dyn_cast<llvm::AllocaInst>(copy->getRawDest());
      if (parameter && variable && isWhole(*variable, *copy) && isOnlyRead(*variable, *copy))
        readInPlace(*variable, *copy, llvm::Align(parameter->alignment));
    }
  }
}

}  // namespace hostwarp::compiler
