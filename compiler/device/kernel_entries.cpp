// Makes, for each kernel, the function the engine calls for each thread: void entry(void *const *args), which loads the
// parameters from where the launch stored them; and finds out whether a kernel can ever block.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/indirect_calls.h"
#include "compiler/device/passes.h"
#include "compiler/device/spin_boundaries.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

// loadArgument() reads parameter `index`. A parameter passed in memory is handed on by address: byval makes the
// thread's own copy, byref does not.
llvm::Value *loadArgument(llvm::IRBuilder<> &builder, llvm::Argument &parameter, llvm::Value *args) {
  llvm::Type *ptr = builder.getPtrTy();
  llvm::Value *slot = builder.CreateConstInBoundsGEP1_32(ptr, args, parameter.getArgNo());
  llvm::Value *address = markInvariant(builder.CreateLoad(ptr, slot));
  if (parameter.hasPointeeInMemoryValueAttr()) return address;
  if (parameter.getType()->isIntegerTy(1))
    return builder.CreateTrunc(markInvariant(builder.CreateLoad(builder.getInt8Ty(), address)), builder.getInt1Ty());
  return markInvariant(builder.CreateLoad(parameter.getType(), address));
}

// storageOf() is the size and alignment with which a launch stores the parameter.
hw_parameter storageOf(const llvm::Argument &parameter, const llvm::DataLayout &layout) {
  const bool inMemory = parameter.hasPointeeInMemoryValueAttr();
  llvm::Type *type = inMemory ? parameter.getPointeeInMemoryValueType() : parameter.getType();
  uint64_t align = layout.getABITypeAlign(type).value();
  if (inMemory) align = std::max(align, parameter.getParamAlign().valueOrOne().value());
  return {static_cast<uint32_t>(layout.getTypeAllocSize(type)), static_cast<uint32_t>(align)};
}

// describeEntry() gives the entry a place in the source, the kernel's own: code inlined into a function that has none
// loses its lines.
void describeEntry(llvm::Function &entry, llvm::CallInst &call, const llvm::Function &kernel) {
  llvm::DISubprogram *of = kernel.getSubprogram();
  if (!of) return;
  llvm::LLVMContext &context = entry.getContext();
  auto *subprogram = llvm::DISubprogram::getDistinct(
      context, of->getScope(), of->getName(), entry.getName(), of->getFile(), of->getLine(), of->getType(),
      of->getScopeLine(), nullptr, 0, 0, llvm::DINode::FlagArtificial, of->getSPFlags(), of->getUnit());
  entry.setSubprogram(subprogram);
  call.setDebugLoc(llvm::DILocation::get(context, of->getLine(), 0, subprogram));
}

llvm::Function *makeEntry(const Kernel &kernel, bool isDebug) {
  llvm::Module &module = *kernel.function->getParent();
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::get(context, 0)}, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "__hwd_entry." + kernel.name, module);
  entry->setDoesNotThrow();
  entry->setUWTableKind(llvm::UWTableKind::Async);
  entry->addFnAttr("disable-tail-calls", "true");
  entry->addFnAttr("probe-stack", "inline-asm");
  entry->addFnAttr(llvm::Attribute::NullPointerIsValid);  // as all device code: else nothing is inlined
  // The kernel becomes a part of it, and with that the floats that are to be flushed.
  if (const llvm::Attribute mode = kernel.function->getFnAttribute("denormal-fp-math-f32"); mode.isValid())
    entry->addFnAttr(mode);
  entry->addParamAttr(0, llvm::Attribute::NoAlias);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  llvm::SmallVector<llvm::Value *> values;
  for (llvm::Argument &parameter : kernel.function->args())
    values.push_back(loadArgument(builder, parameter, entry->getArg(0)));
  llvm::CallInst *call = builder.CreateCall(kernel.function, values);
  call->setAttributes(kernel.function->getAttributes().removeFnAttributes(context));
  builder.CreateRetVoid();
  // Where nothing is inlined it would only be another place that goes by the kernel's name.
  if (!isDebug) describeEntry(*entry, *call, *kernel.function);
  return entry;
}

// mayTrigger(): the function is the one that does, or one of another translation unit.
bool mayTrigger(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  if (name == "hw_trigger_dependents") return true;
  return function.isDeclaration() && !function.isIntrinsic() && name.starts_with("_Z");
}

// launches() gives the flags of what device code launches by calling `name`.
uint32_t launches(llvm::StringRef name) {
  static constexpr llvm::StringRef kernels[] = {"hw_start_launch", "hw_launch_buffer", "hw_launch_configured_buffer"};
  if (llvm::is_contained(kernels, name)) return HW_KERNEL_LAUNCHES_KERNELS;
  return name == "hw_cuda_graph_launch" ? HW_KERNEL_LAUNCHES_GRAPHS : 0;
}

// Spins remembers which functions have loops that wait for others.
class Spins {
 public:
  bool has(llvm::Function &function) {
    const auto [entry, isNew] = known_.try_emplace(&function, false);
    if (isNew) entry->second = !function.isDeclaration() && hasSpinLoop(function);
    return entry->second;
  }

 private:
  llvm::DenseMap<const llvm::Function *, bool> known_;
};

// calleesOf() are the functions that a call may be of; none: that is not known.
llvm::SmallVector<llvm::Function *> calleesOf(const llvm::CallBase &call, bool relocatable) {
  if (llvm::Function *callee = call.getCalledFunction()) return {callee};
  if (relocatable || call.isInlineAsm()) return {};
  return possibleCallees(call);
}

uint32_t behaviour(llvm::Function *root, Spins &spins, bool relocatable) {
  uint32_t flags = 0;
  llvm::SmallSetVector<llvm::Function *, 16> seen;
  seen.insert(root);
  for (size_t next = 0; next < seen.size(); ++next) {
    const bool staysInside = !seen[next]->isDeclaration() || staysInBlock(seen[next]->getName());
    if (!staysInside || spins.has(*seen[next])) flags |= HW_KERNEL_MAY_BLOCK;
    flags |= launches(seen[next]->getName());
    if (mayTrigger(*seen[next])) flags |= HW_KERNEL_MAY_TRIGGER;
    for (llvm::BasicBlock &block : *seen[next])
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call) continue;
        const llvm::SmallVector<llvm::Function *> callees = calleesOf(*call, relocatable);
        seen.insert(callees.begin(), callees.end());
        if (callees.empty() && call->isIndirectCall()) flags |= HW_KERNEL_MAY_BLOCK | HW_KERNEL_MAY_TRIGGER;
      }
  }
  return flags;
}

}  // namespace

void markBlockingKernels(DeviceModule &device) {
  Spins spins;
  for (Kernel &kernel : device.kernels) kernel.flags |= behaviour(kernel.function, spins, device.options.relocatable);
}

void makeKernelEntries(DeviceModule &device) {
  for (Kernel &kernel : device.kernels) {
    for (const llvm::Argument &parameter : kernel.function->args())
      kernel.parameters.push_back(storageOf(parameter, device.module.getDataLayout()));
    kernel.entries.push_back({.function = makeEntry(kernel, device.options.debug)});
  }
}

}  // namespace hostwarp::compiler
