// Copies every function once per instruction-set level. Direct calls, and what is handed to the runtime, stay within a
// level; other addresses, in code and in initialisers (vtables, function-pointer tables), are those of a dispatcher
// that follows hw_isa_level: a function has one address, which programs compare. Launch stubs exist once: their
// addresses stand for kernels.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/device/code_parts.h"
#include "compiler/device/indirect_calls.h"
#include "compiler/device/lane_functions.h"
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

// Family is a function at all levels; after the last one it goes on with that one's variant.
struct Family {
  llvm::Function *level[HW_ISA_COUNT] = {};
  unsigned last = HW_ISA_AVX512;
};

bool isDeviceFunction(const llvm::Function &function) {
  return !function.isIntrinsic() && (!function.isDeclaration() || function.getName().starts_with("__hwd_"));
}

void setCpu(llvm::Function &function, const IsaLevel &level) {
  function.addFnAttr("target-cpu", level.cpu);
  if (*level.features) function.addFnAttr("target-features", level.features);
}

bool isEntry(const DeviceModule &device, const llvm::Constant *value) {
  return llvm::any_of(device.kernels, [&](const Kernel &kernel) {
    return llvm::any_of(kernel.entries, [&](const Entry &entry) { return entry.function == value; });
  });
}

// isSpare(): another entry of the kernel serves nearly always, so the finest variants are not worth their compile time.
bool isSpare(const Kernel &kernel, const Entry &entry) {
  return llvm::any_of(kernel.entries, [&](const Entry &other) {
    if (other.kind != HW_ENTRY_OF_BLOCK || entry.shape != anyBlock) return false;
    return entry.kind == HW_ENTRY_OF_THREAD || (other.shape != anyBlock && kernel.expectsNoOther);
  });
}

// hasMuchBlockCode() is true of modules with many of a library's kernels, few of which are launched often: AVX-512's
// variants would be a large part of the time that they take to compile.
bool hasMuchBlockCode(const DeviceModule &device) {
  constexpr size_t much = 50000;
  size_t instructions = 0;
  for (const Kernel &kernel : device.kernels)
    for (const Entry &entry : kernel.entries)
      if (entry.kind == HW_ENTRY_OF_BLOCK && entry.level == HW_ISA_BASELINE)
        instructions += entry.function->getInstructionCount();
  return instructions > much;
}

// dependsOnLevel(): the level makes a difference to what the instruction comes to (a product and a sum may be rounded
// once), or it leads to code of which that may be true.
bool dependsOnLevel(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee || isDeviceFunction(*callee)) return true;
  }
  if (llvm::isa<llvm::FCmpInst, llvm::PHINode, llvm::SelectInst>(instruction)) return false;
  return llvm::isa<llvm::FPMathOperator>(instruction);
}

// lastLevelAmongMuch() is the last level that an entry has a variant of its own for where there is much block code:
// AVX2 for whole blocks; the baseline's for a thread, where that hardly ever runs, or not for long, and the level makes
// no difference.
unsigned lastLevelAmongMuch(const Kernel &kernel, const Entry &entry) {
  if (entry.kind == HW_ENTRY_OF_BLOCK) return HW_ISA_AVX2;
  if (!isSpare(kernel, entry) && !(kernel.flags & HW_KERNEL_LEFT_OUT)) return HW_ISA_AVX512;
  return llvm::any_of(llvm::instructions(*entry.function), dependsOnLevel) ? HW_ISA_AVX2 : HW_ISA_BASELINE;
}

// lastLevel() is the last level that the function has a variant of its own for. Code that is not optimised has no
// vectors; but other units look for a function's variants by their names.
unsigned lastLevel(const DeviceModule &device, const llvm::Function &function, bool hasMuchBlockCode) {
  const bool isUnwanted = device.options.endsWithAvx2 || device.options.optimisation == 0;
  unsigned last = isUnwanted && !device.options.relocatable ? HW_ISA_AVX2 : HW_ISA_AVX512;
  for (const Kernel &kernel : device.kernels)
    for (const Entry &entry : kernel.entries) {
      if (entry.function != &function) continue;
      if (isSpare(kernel, entry) || isLarge(function)) last = std::min<unsigned>(last, HW_ISA_AVX2);
      if (hasMuchBlockCode) last = std::min(last, lastLevelAmongMuch(kernel, entry));
    }
  return last;
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

// keepFused() says of what fuseProducts() has decided that it is to be done, where the level has the instruction. LLVM
// takes fmuladd apart where it knows both factors, which it does in some forms only: those of lanes whose numbers are
// constants.
void keepFused(llvm::Function &variant) {
  for (llvm::Instruction &instruction : llvm::instructions(variant)) {
    auto *sum = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!sum || sum->getIntrinsicID() != llvm::Intrinsic::fmuladd) continue;
    sum->setCalledFunction(
        llvm::Intrinsic::getDeclaration(variant.getParent(), llvm::Intrinsic::fma, {sum->getType()}));
  }
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

void redirectAddresses(const std::vector<Family> &families) {
  for (const Family &family : families) {
    llvm::Function *dispatcher = nullptr;
    for (llvm::Function *function : family.level) {
      function->removeDeadConstantUsers();
      if (llvm::none_of(function->uses(), isAddress)) continue;
      if (!dispatcher) dispatcher = makeDispatcher(family);
      function->replaceUsesWithIf(dispatcher, isAddress);
    }
  }
}

// addVariants() gives the kernel its entries of a level, which `map` leads to from the baseline's.
void addVariants(Kernel &kernel, uint32_t level, const llvm::ValueToValueMapTy &map) {
  const std::vector<Entry> known = kernel.entries;
  for (Entry entry : known) {
    if (entry.level != HW_ISA_BASELINE) continue;
    entry.function = llvm::cast<llvm::Function>(map.lookup(entry.function));
    entry.level = level;
    const auto isSame = [&](const Entry &other) { return other.function == entry.function; };
    if (!llvm::any_of(known, isSame)) kernel.entries.push_back(entry);
  }
}

// Of longer block entries there is none for processors before AVX2, whose vectors have 4 elements: a warp takes eight
// instructions where AVX-512 takes two, and more where one is missing, so that it would be most of the code.
constexpr unsigned mostOfBaseline = 1500;

// dropBaseline() drops the baseline's variants of block entries that are large or for one shape of block, which hardly
// a CPU would use.
void dropBaseline(DeviceModule &device, std::vector<Family> &families) {
  for (Kernel &kernel : device.kernels)
    llvm::erase_if(kernel.entries, [&](const Entry &entry) {
      if (entry.kind != HW_ENTRY_OF_BLOCK || entry.level != HW_ISA_BASELINE) return false;
      if (entry.shape == anyBlock && entry.function->getInstructionCount() <= mostOfBaseline) return false;
      llvm::erase_if(families, [&](const Family &family) { return family.level[0] == entry.function; });
      entry.function->eraseFromParent();
      return true;
    });
}

void completeLaneFunctions(const Family &family) {
  if (family.level[0]->isDeclaration()) return;
  for (llvm::Function *variant : family.level) setLaneCount(*variant);
  family.level[0]->addFnAttr(llvm::Attribute::OptimizeForSize);
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

// keepOneLevel() makes what there is the variant of the last instruction set.
void keepOneLevel(DeviceModule &device, const std::vector<Family> &families) {
  const uint32_t level = device.options.endsWithAvx2 ? HW_ISA_AVX2 : HW_ISA_AVX512;
  for (const Family &family : families) {
    keepFused(*family.level[0]);
    setCpu(*family.level[0], x86Levels[level]);
    if (isLaneFunction(*family.level[0])) setLaneCount(*family.level[0]);
  }
  for (Kernel &kernel : device.kernels)
    for (Entry &entry : kernel.entries)
      if (entry.kind == HW_ENTRY_OF_BLOCK) entry.level = level;
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
  if (device.options.build == Build::Specialised) return keepOneLevel(device, families);
  const bool isMuch = hasMuchBlockCode(device);
  for (Family &family : families) family.last = lastLevel(device, *family.level[0], isMuch);
  for (unsigned i = 1; i < HW_ISA_COUNT; ++i) {
    llvm::ValueToValueMapTy map;
    for (Family &family : families) {
      const bool isShared = i > family.last;
      family.level[i] = isShared ? family.level[family.last] : declareVariant(*family.level[0], x86Levels[i]);
      map[family.level[0]] = family.level[i];
    }
    for (Family &family : families) {
      if (family.level[i] == family.level[i - 1]) continue;
      if (!family.level[0]->isDeclaration()) cloneBody(*family.level[0], *family.level[i], map);
      keepFused(*family.level[i]);
      setCpu(*family.level[i], x86Levels[i]);
    }
    for (Kernel &kernel : device.kernels) addVariants(kernel, i, map);
  }
  dropBaseline(device, families);
  for (Family &family : families) setCpu(*family.level[0], x86Levels[0]);
  // A processor older than AVX2 is rare, and so are blocks of a shape that no launch is known to have: their entries
  // are kept short, with few vectors, for the compile time.
  for (const Kernel &kernel : device.kernels)
    for (const Entry &entry : kernel.entries)
      if (entry.kind == HW_ENTRY_OF_BLOCK && (entry.level == HW_ISA_BASELINE || isSpare(kernel, entry)))
        entry.function->addFnAttr(llvm::Attribute::OptimizeForSize);
  for (Family &family : families)
    if (isLaneFunction(*family.level[0])) completeLaneFunctions(family);
  redirectAddresses(families);
  for (llvm::Function *stub : stubs) nameStubForLevels(*stub);
}

}  // namespace hostwarp::compiler
