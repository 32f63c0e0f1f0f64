// The checked build that follows values: what was never written is told of where it decides something, however far it
// has come. LLVM's MemorySanitizer, in the form that it has for kernels of operating systems, computes beside each
// value which of its bits were never written, and asks functions of the runtime where memory keeps that
// (emu_runtime/check/value_checks.cpp).
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Instrumentation/MemorySanitizer.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/passes.h"
#include "compiler/ptx/bitcode.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral unwrittenPrefix = "hw_unwritten.";

bool isFollowed(const llvm::Function &function) {
  return !function.isDeclaration() && !function.hasFnAttribute(ofLibrary);
}

const llvm::DILocalVariable *declaredAs(llvm::AllocaInst &variable) {
  for (llvm::DbgVariableRecord *record : llvm::findDVRDeclares(&variable)) return record->getVariable();
  for (llvm::DbgDeclareInst *declaration : llvm::findDbgDeclares(&variable)) return declaration->getVariable();
  return nullptr;
}

// nameOfVariable() is what messages call a local variable; clang keeps the names in debug information only.
std::string nameOfVariable(llvm::AllocaInst &variable) {
  const llvm::DILocalVariable *declared = declaredAs(variable);
  if (!declared || declared->getName().empty()) return "a local variable";
  return "'" + declared->getName().str() + "', declared in line " + std::to_string(declared->getLine());
}

// Unwritten makes the values that variables have before anybody writes them: calls, of which followValues() says that
// no bit of their result was written.
class Unwritten {
 public:
  explicit Unwritten(llvm::Module &module) : module_(module), builder_(module.getContext()) {}

  void put(llvm::AllocaInst &variable) {
    builder_.SetInsertPoint(variable.getNextNode());
    builder_.SetCurrentDebugLocation(llvm::DebugLoc());
    llvm::Constant *name = builder_.CreateGlobalString(nameOfVariable(variable), "__hwd_name");
    builder_.CreateStore(builder_.CreateCall(functionOf(*variable.getAllocatedType()), {name}), &variable);
  }

 private:
  llvm::FunctionCallee functionOf(llvm::Type &type) {
    const auto [known, isNew] = names_.try_emplace(&type, unwrittenPrefix.str() + std::to_string(names_.size()));
    return module_.getOrInsertFunction(known->second, &type, builder_.getPtrTy());
  }

  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<llvm::Type *, std::string> names_;
};

bool isUnwritten(const llvm::Function &function) { return function.getName().starts_with(unwrittenPrefix); }

template <class Visit>
void forEachUnwritten(llvm::Module &module, Visit visit) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!isUnwritten(function)) continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) visit(*llvm::cast<llvm::CallInst>(user));
    if (function.use_empty()) function.eraseFromParent();
  }
}

void dropUnusedValues(llvm::Module &module) {
  forEachUnwritten(module, [](llvm::CallInst &call) {
    if (call.use_empty()) call.eraseFromParent();
  });
}

// lowerUnwritten() has the runtime say of the result, which is 0, that it was never written.
void lowerUnwritten(llvm::Module &module) {
  forEachUnwritten(module, [&](llvm::CallInst &call) {
    llvm::IRBuilder<> builder(&call);
    const uint64_t bytes = module.getDataLayout().getTypeStoreSize(call.getType());
    builder.CreateCall(
        abiFunction(module, "hw_value_unwritten", builder.getVoidTy(), {builder.getPtrTy(), builder.getInt64Ty()}),
        {call.getArgOperand(0), builder.getInt64(bytes)});
    call.replaceAllUsesWith(llvm::Constant::getNullValue(call.getType()));
    call.eraseFromParent();
  });
}

bool calls(const llvm::Instruction &instruction, llvm::StringRef prefix) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(prefix);
}

bool isOfThreadState(const llvm::LoadInst &load) {
  const auto *object = llvm::dyn_cast<llvm::Instruction>(llvm::getUnderlyingObject(load.getPointerOperand(), 0));
  return object && calls(*object, "hw_self");
}

// prepare() has the sanitizer know the names of arrays and structures, and leave what the runtime writes alone.
void prepare(llvm::Function &function) {
  function.addFnAttr(llvm::Attribute::SanitizeMemory);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variable->setName(nameOfVariable(*variable));
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && isOfThreadState(*load)) leaveAlone(instruction);
  }
}

// carryOn(): the sanitizer knows nothing of an operation that has no code yet. What it sees of the operands it shall
// see in the result, which x ^ x does not change.
void carryOn(llvm::CallInst &call) {
  llvm::IRBuilder<> builder(call.getNextNode());
  llvm::Value *nothing = builder.getInt16(0);
  for (llvm::Value *operand : call.args()) nothing = builder.CreateOr(nothing, builder.CreateXor(operand, operand));
  llvm::Value *result = builder.CreateXor(&call, nothing);
  call.replaceUsesWithIf(result, [&](const llvm::Use &use) { return use.getUser() != result; });
}

void carryOn(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.getName().starts_with(fusible))
      for (llvm::User *user : llvm::make_early_inc_range(function.users()))
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == &function)
          carryOn(*call);
}

void sanitize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  constexpr int origins = 1;
  constexpr bool goesOn = true, ofKernel = true;
  llvm::MemorySanitizerPass(llvm::MemorySanitizerOptions(origins, goesOn, ofKernel)).run(module, modules);
}

// isAccess(): before a store stands what keeps its value's shadow.
bool isAccess(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
         calls(instruction, "__msan_metadata_ptr_for_store");
}

// useBehind() is what the checked value is for: behind a check stands the next one of the same instruction, or the
// instruction.
hw_value_use useBehind(const llvm::CallInst &warning) {
  const llvm::BasicBlock *block = warning.getParent()->getSingleSuccessor();
  while (block) {
    const llvm::Instruction &first = block->front(), &last = *block->getTerminator();
    if (isAccess(first)) return HW_VALUE_ADDRESS;
    if (&first == &last) return last.getNumSuccessors() > 1 ? HW_VALUE_BRANCH : HW_VALUE_USED;
    const bool isCheck = last.getNumSuccessors() == 2 && calls(last.getSuccessor(0)->front(), "__msan_warning");
    if (!isCheck || llvm::isa<llvm::CallInst>(first)) break;
    block = last.getSuccessor(1);
  }
  return HW_VALUE_USED;
}

// tellOfUses() has the checks say what they are about. nameCheckSites() fills in where.
void tellOfUses(llvm::Module &module) {
  llvm::Function *warning = module.getFunction("__msan_warning");
  if (!warning) return;
  llvm::SmallVector<std::pair<llvm::CallInst *, hw_value_use>> checks;
  for (llvm::User *user : warning->users()) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    checks.emplace_back(call, useBehind(*call));
  }
  for (const auto &[call, use] : checks) {
    llvm::IRBuilder<> builder(call);
    const llvm::FunctionCallee check = abiFunction(module, "hw_check_value", builder.getVoidTy(),
                                                   {builder.getInt32Ty(), builder.getInt32Ty(), builder.getPtrTy()});
    builder
        .CreateCall(check,
                    {call->getArgOperand(0), builder.getInt32(use), llvm::ConstantPointerNull::get(builder.getPtrTy())})
        ->addFnAttr(llvm::Attribute::NoMerge);
    call->eraseFromParent();
  }
  warning->eraseFromParent();
}

// beginKernels(): what kernels are given was written; nobody has said so of their arguments.
void beginKernels(DeviceModule &device) {
  const llvm::FunctionCallee begin =
      abiFunction(device.module, "hw_value_begin", llvm::PointerType::get(device.module.getContext(), 0), {});
  for (const Kernel &kernel : device.kernels)
    for (llvm::Instruction &instruction : llvm::instructions(*kernel.function))
      if (calls(instruction, "__msan_get_context_state"))
        llvm::cast<llvm::CallInst>(instruction).setCalledFunction(begin);
}

// bytesUsed() is of how many bytes the shadow is used: of arguments by value the sanitizer asks for the first, and
// copies all, since an operating system's shadow has no gaps.
uint64_t bytesUsed(const llvm::CallInst &metadata, uint64_t bytes) {
  for (const llvm::User *part : metadata.users())
    for (const llvm::User *user : part->users())
      if (const auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(user))
        if (const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()))
          bytes = std::max(bytes, length->getZExtValue());
  return bytes;
}

// lowerMetadata(): the sanitizer has a function for each size.
void lowerMetadata(llvm::Function &function, llvm::StringRef size, llvm::FunctionCallee callee) {
  for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    uint64_t bytes = 0;
    llvm::Value *number =
        size.getAsInteger(10, bytes) ? call->getArgOperand(1) : builder.getInt64(bytesUsed(*call, bytes));
    call->replaceAllUsesWith(builder.CreateCall(callee, {call->getArgOperand(0), number}));
    call->eraseFromParent();
  }
}

struct RuntimeName {
  llvm::StringRef sanitizer, ours;
};
constexpr RuntimeName runtimeNames[] = {{"get_context_state", "context"},
                                        {"poison_alloca", "begin_variable"},
                                        {"unpoison_alloca", "variable_written"},
                                        {"instrument_asm_store", "written"},
                                        {"chain_origin", "stored_origin"},
                                        {"memcpy", "memcpy"},
                                        {"memmove", "memmove"},
                                        {"memset", "memset"}};

void renameFunction(llvm::Function &function, llvm::StringRef name) {
  llvm::Module &module = *function.getParent();
  for (const llvm::StringRef kind : {"load", "store"}) {
    llvm::StringRef size = name;
    if (!size.consume_front(("metadata_ptr_for_" + kind + "_").str())) continue;
    llvm::Type *pointer = llvm::PointerType::get(module.getContext(), 0);
    return lowerMetadata(function, size,
                         abiFunction(module, ("hw_value_" + kind + "_metadata").str(), function.getReturnType(),
                                     {pointer, llvm::Type::getInt64Ty(module.getContext())}));
  }
  for (const RuntimeName &known : runtimeNames)
    if (name == known.sanitizer) function.setName("hw_value_" + known.ours);
}

// useOurRuntime() calls the functions that the runtime has for what the sanitizer wants.
void useOurRuntime(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    const std::string name = function.getName().str();
    if (!llvm::StringRef(name).starts_with("__msan_")) continue;
    renameFunction(function, llvm::StringRef(name).drop_front(sizeof "__msan_" - 1));
    if (function.use_empty()) function.eraseFromParent();
  }
  describeAbi(module);
}

}  // namespace

void leaveAlone(llvm::Instruction &instruction) {
  instruction.setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(instruction.getContext(), {}));
}

void markUnwritten(DeviceModule &device) {
  if (!device.options.followsValues) return;
  Unwritten unwritten(device.module);
  for (llvm::Function &function : device.module) {
    if (!isFollowed(function)) continue;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(function.getEntryBlock()))
      if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable && llvm::isAllocaPromotable(variable))
        unwritten.put(*variable);
  }
}

void followValues(DeviceModule &device, llvm::TargetMachine &machine) {
  if (!device.options.followsValues) return;
  dropUnusedValues(device.module);
  carryOn(device.module);
  for (llvm::Function &function : device.module)
    if (isFollowed(function)) prepare(function);
  sanitize(device.module, machine);
  lowerUnwritten(device.module);
  tellOfUses(device.module);
  beginKernels(device);
  useOurRuntime(device.module);
}

}  // namespace hostwarp::compiler
