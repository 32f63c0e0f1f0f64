// Gives every __shared__ variable an offset in its kernels' shared memory [CUDA 3.2.4] and replaces its uses by
// base + offset.
//
// A variable that several kernels reach has one offset, behind everything else those kernels have; variables of
// different kernels overlap. With -rdc=true, a variable of a function that other translation units may call cannot be
// placed here: the runtime makes its storage per block at first use (hw_shared_object_address).
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

constexpr unsigned sharedSpace = 3;
constexpr uint64_t mostStaticShared = 0xc000;  // [CUDA 3.2.4]; a launch may ask for more, which is dynamic

using FunctionSet = llvm::SmallSetVector<llvm::Function *, 8>;

// reachable() collects the functions a kernel may run. A call through a pointer may reach every function whose address
// is taken.
FunctionSet reachable(llvm::Function *root, const FunctionSet &addressTaken) {
  FunctionSet seen;
  seen.insert(root);
  for (size_t next = 0; next < seen.size(); ++next) {
    for (llvm::BasicBlock &block : *seen[next])
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call) continue;
        if (llvm::Function *callee = call->getCalledFunction())
          seen.insert(callee);
        else if (call->isIndirectCall())
          for (llvm::Function *function : addressTaken) seen.insert(function);
      }
  }
  return seen;
}

// addressTakenFunctions() are those that may be called through pointers. A kernel is launched only.
FunctionSet addressTakenFunctions(const DeviceModule &device) {
  FunctionSet functions;
  for (llvm::Function &function : device.module)
    if (!function.isDeclaration() && function.hasAddressTaken()) functions.insert(&function);
  for (const Kernel &kernel : device.kernels) functions.remove(kernel.function);
  return functions;
}

FunctionSet functionsUsing(llvm::GlobalVariable &variable) {
  FunctionSet functions;
  for (llvm::User *user : variable.users())
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user)) functions.insert(instruction->getFunction());
  return functions;
}

// replaceInFunctions() replaces the variable's uses by the value `address` makes at the start of each using function.
template <class Address>
void replaceInFunctions(llvm::GlobalVariable &variable, Address address) {
  llvm::DenseMap<llvm::Function *, llvm::Value *> made;
  for (llvm::Use &use : llvm::make_early_inc_range(variable.uses())) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!instruction) continue;
    llvm::Value *&value = made[instruction->getFunction()];
    if (!value) {
      llvm::BasicBlock &entry = instruction->getFunction()->getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      value = builder.CreateAddrSpaceCast(address(builder), variable.getType());
    }
    use.set(value);
  }
}

class SharedLayout {
 public:
  explicit SharedLayout(DeviceModule &device) : device_(device) {
    const FunctionSet taken = addressTakenFunctions(device);
    for (Kernel &kernel : device.kernels) reachable_.push_back(reachable(kernel.function, taken));
  }

  void place(llvm::GlobalVariable &variable) {
    if (variable.isDeclaration()) return placeDynamic(variable);
    llvm::SmallVector<Kernel *> users = kernelsUsing(variable);
    if (device_.options.relocatable && usedByExportedFunction(variable)) return placePerBlock(variable);
    placeStatic(variable, users);
  }

  // refuseLargest() is an error for each kernel whose variables no GPU has room for, whatever lies between them. What
  // the checked builds put beside them does not count.
  void refuseLargest() {
    if (device_.options.build == Build::Checked) return;
    for (const Kernel &kernel : device_.kernels)
      if (const uint64_t bytes = sharedSizes_.lookup(&kernel); bytes > mostStaticShared)
        fail(device_, nullptr,
             "kernel '" + llvm::demangle(kernel.name) + "' uses too much shared data (" + std::to_string(bytes) +
                 " bytes, " + std::to_string(mostStaticShared) +
                 " max); an extern __shared__ array may be larger, if the launch asks for it");
  }

 private:
  llvm::SmallVector<Kernel *> kernelsUsing(llvm::GlobalVariable &variable) {
    llvm::SmallVector<Kernel *> users;
    FunctionSet functions = functionsUsing(variable);
    for (size_t i = 0; i < device_.kernels.size(); ++i)
      if (llvm::any_of(functions, [&](llvm::Function *f) { return reachable_[i].contains(f); }))
        users.push_back(&device_.kernels[i]);
    return users;
  }

  bool usedByExportedFunction(llvm::GlobalVariable &variable) {
    auto isKernel = [&](llvm::Function *f) {
      return llvm::any_of(device_.kernels, [&](Kernel &kernel) { return kernel.function == f; });
    };
    return llvm::any_of(functionsUsing(variable), [&](llvm::Function *f) {
      return !isKernel(f) && (!f->hasLocalLinkage() || f->hasAddressTaken());
    });
  }

  llvm::Align alignmentOf(llvm::GlobalVariable &variable) {
    return std::max(variable.getAlign().valueOrOne(),
                    device_.module.getDataLayout().getABITypeAlign(variable.getValueType()));
  }

  void placeStatic(llvm::GlobalVariable &variable, llvm::ArrayRef<Kernel *> users) {
    llvm::Align align = alignmentOf(variable);
    uint64_t offset = 0;
    for (Kernel *kernel : users) offset = std::max(offset, llvm::alignTo(kernel->staticSharedBytes, align));
    uint64_t bytes = device_.module.getDataLayout().getTypeAllocSize(variable.getValueType());
    for (Kernel *kernel : users) {
      sharedSizes_[kernel] += bytes;
      kernel->staticSharedBytes = offset + bytes;
      kernel->sharedAlignment = std::max<uint32_t>(kernel->sharedAlignment, align.value());
    }
    replaceInFunctions(variable, [&](llvm::IRBuilder<> &builder) {
      llvm::Value *base = loadField(builder, offsetof(hw_thread, sharedBase), builder.getPtrTy());
      return builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset, variable.getName());
    });
  }

  // `extern __shared__` arrays all start where the dynamic part starts.
  void placeDynamic(llvm::GlobalVariable &variable) {
    for (Kernel *kernel : kernelsUsing(variable)) {
      kernel->flags |= HW_KERNEL_DYNAMIC_SHARED;
      kernel->sharedAlignment = std::max<uint32_t>(kernel->sharedAlignment, alignmentOf(variable).value());
    }
    replaceInFunctions(variable, [](llvm::IRBuilder<> &builder) {
      return loadField(builder, offsetof(hw_thread, dynamicShared), builder.getPtrTy());
    });
  }

  void placePerBlock(llvm::GlobalVariable &variable) {
    llvm::Module &module = device_.module;
    llvm::Type *i64 = llvm::Type::getInt64Ty(module.getContext());
    uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    auto *type = llvm::StructType::get(i64, i64);
    auto *value = llvm::ConstantStruct::get(type, llvm::ConstantInt::get(i64, bytes),
                                            llvm::ConstantInt::get(i64, alignmentOf(variable).value()));
    auto *object = new llvm::GlobalVariable(module, type, true, variable.getLinkage(), value,
                                            "__hwd_shared." + variable.getName());
    if (variable.hasComdat()) object->setComdat(module.getOrInsertComdat(object->getName()));
    replaceInFunctions(variable, [&](llvm::IRBuilder<> &builder) {
      auto address = abiFunction(module, "hw_shared_object_address", builder.getPtrTy(), {builder.getPtrTy()});
      return builder.CreateCall(address, object);
    });
  }

  DeviceModule &device_;
  std::vector<FunctionSet> reachable_;
  llvm::DenseMap<const Kernel *, uint64_t> sharedSizes_;  // of the variables with static sizes, without padding
};

}  // namespace

void lowerSharedMemory(DeviceModule &device) {
  llvm::SmallVector<llvm::GlobalVariable *> variables;
  llvm::SmallVector<llvm::Constant *> constants;
  for (llvm::GlobalVariable &global : device.module.globals())
    if (global.getAddressSpace() == sharedSpace) variables.push_back(&global), constants.push_back(&global);
  llvm::convertUsersOfConstantsToInstructions(constants);
  SharedLayout layout(device);
  // In the program's order, as on a GPU: which variable is aligned for more than its type shows depends on it.
  for (llvm::GlobalVariable *variable : variables) {
    layout.place(*variable);
    variable->removeDeadConstantUsers();
    if (variable->use_empty()) variable->eraseFromParent();
  }
  layout.refuseLargest();
}

}  // namespace hostwarp::compiler
