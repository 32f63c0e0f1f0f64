// Copies every function once per instruction-set level. Direct calls and addresses taken in code stay within a level;
// addresses in initialisers (vtables, function-pointer tables) go to a dispatcher that follows hw_isa_level. Launch
// stubs exist once: their addresses stand for kernels.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <utility>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

struct IsaLevel {
  const char *suffix;
  const char *cpu;
  const char *features;
};

// The baseline has cmpxchg16b, as every x86-64 CPU since 2006: 128-bit atomics need it.
constexpr IsaLevel x86Levels[HW_ISA_COUNT] = {
    {"", "x86-64", "+cx16"}, {".avx2", "x86-64-v3", ""}, {".avx512", "x86-64-v4", ""}};

struct Family {
  llvm::Function *level[HW_ISA_COUNT] = {};
};

bool isDeviceFunction(const llvm::Function &function) {
  return !function.isIntrinsic() && (!function.isDeclaration() || function.getName().starts_with("__hwd_"));
}

void setCpu(llvm::Function &function, const IsaLevel &level) {
  function.addFnAttr("target-cpu", level.cpu);
  if (*level.features) function.addFnAttr("target-features", level.features);
}

// isSpare(): the entry only serves where its kernel's block entry does not, so the finest variants are not worth their
// compile time.
bool isSpare(const DeviceModule &device, const llvm::Function &function) {
  return llvm::any_of(device.kernels, [&](const Kernel &kernel) {
    return kernel.entry[HW_ISA_BASELINE] == &function && kernel.blockEntry[HW_ISA_BASELINE];
  });
}

bool isLarge(const DeviceModule &device, const llvm::Function &function) {
  return isLargeBlockEntry(function) && llvm::any_of(device.kernels, [&](const Kernel &kernel) {
           return kernel.blockEntry[HW_ISA_BASELINE] == &function;
         });
}

bool isEntry(const DeviceModule &device, const llvm::Constant *value) {
  return llvm::any_of(device.kernels, [&](const Kernel &kernel) {
    return kernel.entry[HW_ISA_BASELINE] == value || kernel.blockEntry[HW_ISA_BASELINE] == value;
  });
}

llvm::Function *declareVariant(llvm::Function &original, const IsaLevel &level) {
  auto *variant = llvm::Function::Create(original.getFunctionType(), original.getLinkage(),
                                         original.getName() + level.suffix, original.getParent());
  variant->copyAttributesFrom(&original);
  if (original.hasComdat()) variant->setComdat(original.getParent()->getOrInsertComdat(variant->getName()));
  return variant;
}

void cloneBody(llvm::Function &original, llvm::Function &variant, llvm::ValueToValueMapTy &map) {
  auto parameter = variant.arg_begin();
  for (llvm::Argument &argument : original.args()) {
    parameter->setName(argument.getName());
    map[&argument] = &*parameter++;
  }
  llvm::SmallVector<llvm::ReturnInst *, 8> returns;
  llvm::CloneFunctionInto(&variant, &original, map, llvm::CloneFunctionChangeType::GlobalChanges, returns);
  // Cloning notes the debug information of other functions that this one refers to as not to be copied.
  map.getMDMap().reset();
}

// makeDispatcher() returns a function with the original's signature that calls the variant of this CPU.
llvm::Function *makeDispatcher(const Family &family) {
  llvm::Function &original = *family.level[0];
  llvm::Module &module = *original.getParent();
  llvm::LLVMContext &context = module.getContext();
  auto *dispatcher = llvm::Function::Create(original.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                            original.getName() + ".dispatch", module);
  dispatcher->setAttributes(original.getAttributes());
  setCpu(*dispatcher, x86Levels[0]);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", dispatcher));
  llvm::Constant *isaLevel = module.getOrInsertGlobal("hw_isa_level", builder.getInt32Ty());
  llvm::SwitchInst *choice = nullptr;
  llvm::Value *level = builder.CreateLoad(builder.getInt32Ty(), isaLevel);
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : dispatcher->args()) arguments.push_back(&argument);
  // LLVM 19 overwrites the return address where such a call hands on what was passed by value.
  const bool byValue = llvm::any_of(original.args(), [](const llvm::Argument &a) { return a.hasByValAttr(); });
  const auto tail = byValue ? llvm::CallInst::TCK_NoTail : llvm::CallInst::TCK_MustTail;
  for (unsigned i = 0; i < HW_ISA_COUNT; ++i) {
    llvm::BasicBlock *block = llvm::BasicBlock::Create(context, "", dispatcher);
    if (i == 0)
      choice = builder.CreateSwitch(level, block);
    else
      choice->addCase(builder.getInt32(i), block);
    llvm::IRBuilder<> caller(block);
    llvm::CallInst *call = caller.CreateCall(family.level[i], arguments);
    call->setAttributes(original.getAttributes().removeFnAttributes(context));
    call->setTailCallKind(tail);
    if (call->getType()->isVoidTy())
      caller.CreateRetVoid();
    else
      caller.CreateRet(call);
  }
  return dispatcher;
}

bool usedByInitialiser(const llvm::Function &function) {
  return llvm::any_of(function.users(), [](const llvm::User *user) { return !llvm::isa<llvm::Instruction>(user); });
}

void redirectInitialisers(const std::vector<Family> &families) {
  for (const Family &family : families) {
    llvm::Function &original = *family.level[0];
    original.removeDeadConstantUsers();
    if (!usedByInitialiser(original)) continue;
    llvm::Function *dispatcher = makeDispatcher(family);
    original.replaceUsesWithIf(dispatcher, [](llvm::Use &use) { return !llvm::isa<llvm::Instruction>(use.getUser()); });
  }
}

// dropBaseline() drops the baseline's variants of large block entries, which hardly a CPU would use.
void dropBaseline(DeviceModule &device, std::vector<Family> &families) {
  for (Kernel &kernel : device.kernels) {
    llvm::Function *&baseline = kernel.blockEntry[HW_ISA_BASELINE];
    if (!baseline || !isLargeBlockEntry(*baseline)) continue;
    llvm::Function *unused = std::exchange(baseline, nullptr);
    llvm::erase_if(families, [&](const Family &family) { return family.level[0] == unused; });
    unused->eraseFromParent();
  }
}

// nameStubForLevels() lets other translation units, which only know that the kernel is a function, find it at each
// level.
void nameStubForLevels(llvm::Function &stub) {
  setCpu(stub, x86Levels[HW_ISA_BASELINE]);
  if (stub.hasLocalLinkage()) return;
  for (const IsaLevel &level : llvm::drop_begin(x86Levels)) {
    auto *alias = llvm::GlobalAlias::create(stub.getLinkage(), stub.getName() + level.suffix, &stub);
    alias->setVisibility(stub.getVisibility());
  }
}

}  // namespace

void makeIsaVariants(DeviceModule &device) {
  // What merely keeps an entry, which the image will, is not a use that would need a dispatcher.
  llvm::removeFromUsedLists(device.module, [&](llvm::Constant *value) { return isEntry(device, value); });
  llvm::SmallPtrSet<llvm::Function *, 8> stubs;
  for (Kernel &kernel : device.kernels)
    if (kernel.stub) stubs.insert(kernel.stub);
  std::vector<Family> families;
  for (llvm::Function &function : device.module)
    if (isDeviceFunction(function) && !stubs.contains(&function)) families.push_back({{&function}});
  for (unsigned i = 1; i < HW_ISA_COUNT; ++i) {
    llvm::ValueToValueMapTy map;
    for (Family &family : families) {
      const bool isShared = i > 1 && (isSpare(device, *family.level[0]) || isLarge(device, *family.level[0]));
      family.level[i] = isShared ? family.level[1] : declareVariant(*family.level[0], x86Levels[i]);
      map[family.level[0]] = family.level[i];
    }
    for (Family &family : families) {
      if (family.level[i] == family.level[i - 1]) continue;
      if (!family.level[0]->isDeclaration()) cloneBody(*family.level[0], *family.level[i], map);
      setCpu(*family.level[i], x86Levels[i]);
    }
    for (Kernel &kernel : device.kernels) {
      kernel.entry[i] = llvm::cast<llvm::Function>(map[kernel.entry[0]]);
      if (kernel.blockEntry[0]) kernel.blockEntry[i] = llvm::cast<llvm::Function>(map[kernel.blockEntry[0]]);
    }
  }
  dropBaseline(device, families);
  for (Family &family : families) setCpu(*family.level[0], x86Levels[0]);
  // A processor older than AVX2 is rare: its block entries are kept short, without vectors, for the compile time.
  for (Kernel &kernel : device.kernels)
    if (llvm::Function *entry = kernel.blockEntry[HW_ISA_BASELINE]) entry->addFnAttr(llvm::Attribute::OptimizeForSize);
  redirectInitialisers(families);
  for (llvm::Function *stub : stubs) nameStubForLevels(*stub);
}

}  // namespace hostwarp::compiler
