// The checked build: before each access of memory stands a call that tells the runtime of it (emu_runtime/check). The
// calls come in while the address still says which variable is meant, and learn where they stand in the source once
// functions are inlined, so that reports have the whole way from the kernel.
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/Path.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/check_calls.h"
#include "compiler/device/check_values.h"
#include "compiler/device/check_variables.h"
#include "compiler/device/collectives.h"
#include "compiler/device/local_checks.h"
#include "compiler/device/passes.h"
#include "compiler/device/product_registers.h"
#include "compiler/device/thread_state.h"
#include "compiler/ptx/async_markers.h"
#include "compiler/ptx/bitcode.h"
#include "compiler/ptx/memory_scopes.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral checkValue = "hw_check_value";

struct MemoryAccess {
  llvm::Instruction *instruction;
  llvm::Value *address;
  llvm::Value *bytes;
  uint32_t traits;  // hw_access_traits
  llvm::Value *value = nullptr;
};

uint32_t orderTraits(llvm::AtomicOrdering ordering) {
  uint32_t traits = ordering == llvm::AtomicOrdering::NotAtomic ? 0 : HW_ACCESS_ATOMIC;
  if (llvm::isAcquireOrStronger(ordering)) traits |= HW_ACCESS_ACQUIRES;
  if (llvm::isReleaseOrStronger(ordering)) traits |= HW_ACCESS_RELEASES;
  return traits;
}

// scopeTraits(): who is meant. Fences within the thread are the compiler's business.
uint32_t scopeTraits(const llvm::Instruction &instruction, llvm::SyncScope::ID scope) {
  return scope == instruction.getContext().getOrInsertSyncScopeID(scopeOfBlock) ? HW_ACCESS_IN_BLOCK : 0;
}

template <class Access>
uint32_t accessTraits(const Access &access) {
  return orderTraits(access.getOrdering()) | scopeTraits(access, access.getSyncScopeID()) |
         (access.isVolatile() ? HW_ACCESS_VOLATILE : 0) | (access.hasMetadata(strongAccess) ? HW_ACCESS_ATOMIC : 0);
}

// updateKind() numbers the updates that may change places with others of their kind: of integers, and exchanges for the
// same constant. 0: it may not.
uint32_t updateKind(const llvm::AtomicRMWInst &update) {
  constexpr llvm::AtomicRMWInst::BinOp kinds[] = {
      llvm::AtomicRMWInst::Add, llvm::AtomicRMWInst::And, llvm::AtomicRMWInst::Or,   llvm::AtomicRMWInst::Xor,
      llvm::AtomicRMWInst::Max, llvm::AtomicRMWInst::Min, llvm::AtomicRMWInst::UMax, llvm::AtomicRMWInst::UMin};
  constexpr uint32_t ofConstants = std::size(kinds) + 1;
  llvm::AtomicRMWInst::BinOp operation = update.getOperation();
  if (operation == llvm::AtomicRMWInst::Xchg) {
    const auto *value = llvm::dyn_cast<llvm::ConstantInt>(update.getValOperand());
    if (!value) return 0;
    return value->isZero() ? ofConstants : value->isOne() ? ofConstants + 1 : value->isMinusOne() ? ofConstants + 2 : 0;
  }
  if (operation == llvm::AtomicRMWInst::Sub) operation = llvm::AtomicRMWInst::Add;
  const auto *found = llvm::find(kinds, operation);
  return found == std::end(kinds) ? 0 : static_cast<uint32_t>(found - std::begin(kinds) + 1);
}

// runtimeUpdate() is an atomic update that the runtime does: hw_atomic_*() take the address first.
std::optional<MemoryAccess> runtimeUpdate(llvm::CallInst &call) {
  const llvm::Function *function = call.getCalledFunction();
  if (!function || !function->getName().starts_with("hw_atomic_")) return std::nullopt;
  const uint64_t bytes = function->getName().ends_with("_128") ? 16 : 4;
  const uint32_t scope = call.hasMetadata(scopeOfBlock) ? HW_ACCESS_IN_BLOCK : 0;
  return MemoryAccess{&call, call.getArgOperand(0),
                      llvm::ConstantInt::get(llvm::Type::getInt64Ty(call.getContext()), bytes),
                      HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_ATOMIC | scope};
}

// accessesBy() lists what the instruction does to memory: a copy does two things.
llvm::SmallVector<MemoryAccess, 2> accessesBy(llvm::Instruction &instruction) {
  const llvm::DataLayout &layout = instruction.getDataLayout();
  const auto sizeOf = [&](llvm::Type *type) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(type->getContext()), layout.getTypeStoreSize(type));
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {{load, load->getPointerOperand(), sizeOf(load->getType()),
             HW_ACCESS_READS | accessTraits(*load) | kindTraits(*load->getType(), layout)}};
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {{store, store->getPointerOperand(), sizeOf(store->getValueOperand()->getType()),
             HW_ACCESS_WRITES | HW_ACCESS_VALUE_KNOWN | accessTraits(*store) |
                 kindTraits(*store->getValueOperand()->getType(), layout),
             store->getValueOperand()}};
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {{update, update->getPointerOperand(), sizeOf(update->getValOperand()->getType()),
             HW_ACCESS_READS | HW_ACCESS_WRITES | accessTraits(*update) |
                 updateKind(*update) << HW_ACCESS_UPDATE_SHIFT |
                 kindTraits(*update->getValOperand()->getType(), layout) |
                 (update->isFloatingPointOperation() ? HW_ACCESS_ROUNDS : 0)}};
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {{exchange, exchange->getPointerOperand(), sizeOf(exchange->getNewValOperand()->getType()),
             HW_ACCESS_READS | HW_ACCESS_WRITES | HW_ACCESS_COMPARES | orderTraits(exchange->getSuccessOrdering()) |
                 scopeTraits(*exchange, exchange->getSyncScopeID()),
             exchange->getCompareOperand()}};
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    if (const auto update = runtimeUpdate(*call)) return {*update};
  llvm::SmallVector<MemoryAccess, 2> found;
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    found.push_back(
        {copy, copy->getRawSource(), copy->getLength(), HW_ACCESS_READS | HW_ACCESS_COPIES | kindTraits(*copy)});
  if (auto *write = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(write);
    found.push_back({write, write->getRawDest(), write->getLength(),
                     HW_ACCESS_WRITES | (copy ? HW_ACCESS_COPIES | kindTraits(*copy) : 0),
                     copy ? copy->getRawSource() : nullptr});
  }
  return found;
}

// describe() is what messages call the variable. Clang keeps no names of local ones.
llvm::Constant *describe(llvm::IRBuilder<> &builder, const llvm::Value &object) {
  std::string text = "a local variable";
  if (llvm::isa<llvm::Argument>(object)) text = "a parameter";
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
    text = variable->isConstant() && variable->hasPrivateLinkage() ? "a literal"
                                                                   : "'" + llvm::demangle(variable->getName()) + "'";
  return builder.CreateGlobalString(text, "__hwd_name");
}

// isDynamicShared(): the launch decides about its size.
bool isDynamicShared(const llvm::Value &object) {
  constexpr unsigned sharedSpace = 3;
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return variable && variable->getAddressSpace() == sharedSpace;
}

// isThreadState(): what the device ABI keeps of the thread.
bool isThreadState(const llvm::Value &object) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&object);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == "hw_self";
}

// isPrivate(): no other thread can reach the variable, or none writes it.
bool isPrivate(const llvm::Value &object) {
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object)) return variable->isConstant();
  return llvm::isa<llvm::AllocaInst, llvm::Argument>(object);
}

class Check {
 public:
  // tellsOfLocals: of accesses to local variables, too.
  explicit Check(const MemoryAccess &access, bool tellsOfLocals = false)
      : access_(access),
        tellsOfLocals_(tellsOfLocals),
        module_(*access.instruction->getModule()),
        builder_(access.instruction) {}

  void emit() {
    const llvm::DataLayout &layout = module_.getDataLayout();
    llvm::Value *object = llvm::getUnderlyingObject(access_.address, 0);
    if (isThreadState(*object)) return;
    const uint64_t bytes = objectBytes(*object, layout);
    const bool isDynamic = bytes == 0 && isDynamicShared(*object);
    if (bytes != 0 || isDynamic) {
      if (isDynamic || !isInside(*access_.address, *access_.bytes, *object, bytes, layout))
        emitObject(*object, isDynamic ? HW_DYNAMIC_BYTES : bytes);
      if (bytes != 0 && isPrivate(*object) && !(tellsOfLocals_ && llvm::isa<llvm::AllocaInst>(object))) return;
      access_.traits |= HW_ACCESS_BOUNDS_KNOWN;
    }
    emitAccess();
  }

  // emitWithin() tells of it only where it leaves the variable.
  void emitWithin(llvm::Value &object) { emitObject(object, objectBytes(object, module_.getDataLayout())); }

  // emitAccess() tells of it as it is, with nothing known of the variable.
  void emitAccess() {
    llvm::Value *value = access_.value ? wide(builder_, access_.value) : nullptr;
    if (!value && (access_.traits & HW_ACCESS_VALUE_KNOWN) != 0) value = storedValue();
    createCall(abiFunction(module_, checkAccess, builder_.getVoidTy(),
                           {pointer(), number(), builder_.getInt32Ty(), pointer(), number()}),
               {address(), length(), traits(), noSite(), value ? value : builder_.getInt64(0)});
  }

  // storedValue(): values of more than 64 bits are told of as if they were copied from somewhere.
  llvm::Value *storedValue() {
    access_.traits &= ~uint32_t{HW_ACCESS_VALUE_KNOWN};
    llvm::Value *const place = stored(builder_, access_.value);
    if (!place) return nullptr;
    const auto &store = llvm::cast<llvm::StoreInst>(*access_.instruction);
    const bool isAligned = store.getAlign() >= module_.getDataLayout().getTypeStoreSize(access_.value->getType());
    access_.traits |= HW_ACCESS_COPIES | (isAligned ? HW_ACCESS_ALIGNED : 0);
    return place;
  }

  // emitResult() tells that the product that has begun last writes there.
  void emitResult() {
    createCall(
        abiFunction(module_, checkAsync, builder_.getVoidTy(), {pointer(), number(), builder_.getInt32Ty(), pointer()}),
        {address(), length(), builder_.getInt32(HW_ASYNC_WRITES), noSite()});
  }

 private:
  // emitObject() compares, and calls only where the access is outside.
  void emitObject(llvm::Value &object, uint64_t bytes) {
    llvm::Instruction *outside = llvm::SplitBlockAndInsertIfThen(
        builder_.CreateNot(isInsideOf(object, bytes)), access_.instruction->getIterator(), false,
        llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights());
    outside->setDebugLoc(access_.instruction->getDebugLoc());
    builder_.SetInsertPoint(outside);
    createCall(abiFunction(module_, checkObject, builder_.getVoidTy(),
                           {pointer(), number(), builder_.getInt32Ty(), pointer(), pointer(), number(), pointer()}),
               {address(), length(), traits(), noSite(), builder_.CreateAddrSpaceCast(&object, pointer()),
                builder_.getInt64(bytes), describe(builder_, object)});
    builder_.SetInsertPoint(access_.instruction);
  }

  llvm::Value *isInsideOf(llvm::Value &object, uint64_t bytes) {
    llvm::Value *first = asNumber(&object), *size = builder_.getInt64(bytes);
    if (bytes == HW_DYNAMIC_BYTES) {
      llvm::Value *base = asNumber(loadField(builder_, offsetof(hw_thread, sharedBase), pointer()));
      llvm::Value *all = loadField(builder_, offsetof(hw_thread, sharedBytes), number());
      size = builder_.CreateSub(builder_.CreateAdd(base, all), first);
    }
    llvm::Value *offset = builder_.CreateSub(asNumber(access_.address), first);
    llvm::Value *beginsInside = builder_.CreateICmpULE(offset, size);
    llvm::Value *fits = builder_.CreateICmpULE(length(), builder_.CreateSub(size, offset));
    return builder_.CreateAnd(beginsInside, fits);
  }

  llvm::Value *asNumber(llvm::Value *value) {
    return builder_.CreatePtrToInt(builder_.CreateAddrSpaceCast(value, pointer()), number());
  }

  // createCall(): each check keeps its place in the source, even if others are like it. What is inlined shall not
  // depend on them.
  void createCall(llvm::FunctionCallee callee, llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::CallInst *const call = builder_.CreateCall(callee, arguments);
    call->addFnAttr(llvm::Attribute::NoMerge);
    call->addFnAttr(llvm::Attribute::get(module_.getContext(), "call-inline-cost", "0"));
  }

  llvm::PointerType *pointer() { return builder_.getPtrTy(); }
  llvm::Type *number() { return builder_.getInt64Ty(); }
  llvm::Value *address() { return builder_.CreateAddrSpaceCast(access_.address, pointer()); }
  llvm::Value *length() { return builder_.CreateZExtOrTrunc(access_.bytes, number()); }
  llvm::Value *traits() { return builder_.getInt32(access_.traits); }
  llvm::Value *noSite() { return llvm::ConstantPointerNull::get(pointer()); }

  MemoryAccess access_;
  bool tellsOfLocals_;
  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
};

// fenceAccess() is a fence that other threads may depend on, as an access of nothing.
std::optional<MemoryAccess> fenceAccess(llvm::Instruction &instruction) {
  auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
  if (!fence || fence->getSyncScopeID() == llvm::SyncScope::SingleThread) return std::nullopt;
  llvm::LLVMContext &context = fence->getContext();
  const bool isSequential = fence->getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent;
  return MemoryAccess{fence, llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0)),
                      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), 0),
                      orderTraits(fence->getOrdering()) | scopeTraits(*fence, fence->getSyncScopeID()) |
                          (isSequential ? HW_ACCESS_SEQUENTIAL : 0)};
}

// isUnseen(): an access of memory that a library function has been given, and nobody is told of.
bool isUnseen(const MemoryAccess &access) {
  return (access.traits & HW_ACCESS_ATOMIC) == 0 &&
         llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(access.address, 0));
}

using Functions = llvm::SmallPtrSet<const llvm::Function *, 32>;

// isUsedIn() tells whether all uses of the function stand in those.
bool isUsedIn(const llvm::Function &function, const Functions &users) {
  return !function.use_empty() && llvm::all_of(function.users(), [&](const llvm::User *user) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction && users.contains(instruction->getFunction());
  });
}

void addCallers(const llvm::Function &callee, Functions &callers) {
  for (const llvm::User *user : callee.users()) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    const llvm::Function *caller = call ? call->getFunction() : nullptr;
    if (caller && caller->hasFnAttribute(ofLibrary) && callers.insert(caller).second) addCallers(*caller, callers);
  }
}

// tellingFunctions() are those of the library that tell of the accesses that they make, and what only they call.
Functions tellingFunctions(llvm::Module &module) {
  Functions telling;
  if (const llvm::Function *marker = module.getFunction(checkAsync)) addCallers(*marker, telling);
  for (size_t known = 0; known != telling.size();) {
    known = telling.size();
    for (const llvm::Function &function : module)
      if (function.hasFnAttribute(ofLibrary) && isUsedIn(function, telling)) telling.insert(&function);
  }
  return telling;
}

// keepAsyncChecksApart(): each of them keeps its place in the source.
void keepAsyncChecksApart(llvm::Module &module) {
  if (llvm::Function *marker = module.getFunction(checkAsync))
    for (llvm::User *user : marker->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) call->addFnAttr(llvm::Attribute::NoMerge);
}

void tellOfUnseen(llvm::Function &function) {
  llvm::LLVMContext &context = function.getContext();
  MemoryAccess nothing{&*function.getEntryBlock().getFirstInsertionPt(),
                       llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0)),
                       llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), 0), HW_ACCESS_OF_LIBRARY};
  Check(nothing).emitAccess();
}

// isOfTextures(): it touches descriptions of textures and results, which are local variables, but no texels.
bool isOfTextures(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  return name.contains("14texture_detail") && !name.contains("channelOf") && !name.contains("Surface");
}

// checkFunction() puts checks before all accesses. Of the library that stands for instructions only what synchronises
// counts: it touches memory of its own, too.
void checkFunction(llvm::Function &function, const Functions &telling, const ProductRegisters &products) {
  if (isOfTextures(function)) return;
  const bool isLibrary = function.hasFnAttribute(ofLibrary);
  llvm::SmallVector<MemoryAccess> accesses, fences;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    llvm::append_range(accesses, accessesBy(instruction));
    if (const auto fence = fenceAccess(instruction)) fences.push_back(*fence);
  }
  for (const MemoryAccess &fence : fences) Check(fence).emitAccess();
  if (isLibrary && !telling.contains(&function) && llvm::any_of(accesses, isUnseen)) tellOfUnseen(function);
  for (MemoryAccess &access : accesses) {
    if (!isLibrary && products.isResult(*access.instruction)) {
      Check(access).emitResult();
    } else if (!isLibrary) {
      if (products.none() || !products.isOperand(*access.instruction)) Check(access, !products.none()).emit();
    } else if ((access.traits & HW_ACCESS_ATOMIC) != 0) {
      access.traits |= HW_ACCESS_OF_LIBRARY;
      Check(access).emitAccess();
    }
  }
}

// Sites makes the tables that say where a check stands: the functions that were inlined there, from the access
// outwards.
class Sites {
 public:
  explicit Sites(DeviceModule &device)
      : module_(device.module), builder_(module_.getContext()), variables_(device), shared_(nullptr) {}

  // enter() is for the function's checks from now on.
  void enter(llvm::Function &function) { shared_ = variables_.sharedOf(function); }

  llvm::Constant *siteOf(const llvm::CallInst &check) { return siteOf(check.getDebugLoc(), *check.getFunction()); }

  // callerOf() is where the program calls what its headers make the call of.
  llvm::Constant *callerOf(const llvm::CallInst &call) {
    const llvm::DILocation *place = call.getDebugLoc();
    while (place && place->getInlinedAt() && isOfHeaders(*place)) place = place->getInlinedAt();
    return siteOf(place, *call.getFunction());
  }

 private:
  llvm::Constant *siteOf(const llvm::DILocation *place, const llvm::Function &function) {
    llvm::Constant *&site = made_[place ? static_cast<const void *>(place) : &function];
    if (!site) site = makeSite(place, function);
    return site;
  }

  // isOfHeaders(): what <new> has, operator new and its kin, and what launches come down to.
  static bool isOfHeaders(const llvm::DILocation &place) {
    const llvm::StringRef file = llvm::sys::path::filename(place.getFilename());
    return file == "new" || file == "cuda_device_runtime_api.h";
  }

  llvm::Constant *text(const std::string &content) {
    llvm::Constant *&known = texts_[content];
    if (!known) known = global(llvm::ConstantDataArray::getString(module_.getContext(), content));
    return known;
  }

  llvm::Constant *global(llvm::Constant *value) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                    "__hwd_site");
  }

  // frame(): paths are as the compiler was given them. Clang cuts others where they leave the folder that it ran in.
  llvm::Constant *frame(const llvm::DILocation &place) {
    const llvm::DISubprogram *function = place.getScope()->getSubprogram();
    const llvm::DICompileUnit *unit = function ? function->getUnit() : nullptr;
    const std::string name = function ? function->getName().str() : "";
    llvm::SmallString<128> file(place.getFilename());
    if (unit && place.getDirectory() != unit->getDirectory() && !llvm::sys::path::is_absolute(file)) {
      file = place.getDirectory();
      llvm::sys::path::append(file, place.getFilename());
    }
    return llvm::ConstantStruct::getAnon({text(std::string(file)), text(name), builder_.getInt32(place.getLine()),
                                          builder_.getInt32(place.getColumn()), text(place.getDirectory().str())});
  }

  static std::string nameOf(const llvm::Function &function) {
    llvm::StringRef name = function.getName();
    for (const char *prefix : {"__hwd_entry.", "__hwd_"})
      if (name.consume_front(prefix)) break;
    return llvm::demangle(name);
  }

  static bool isEntry(const llvm::DILocation &place) {
    const llvm::DISubprogram *function = place.getScope()->getSubprogram();
    return function && function->getLinkageName().starts_with("__hwd_");
  }

  llvm::Constant *makeSite(const llvm::DILocation *place, const llvm::Function &function) {
    llvm::SmallVector<llvm::Constant *> frames;
    // The outermost function may be the entry that hwcc-device has made of the kernel.
    for (; place; place = place->getInlinedAt())
      if (place->getInlinedAt() || frames.empty() || !isEntry(*place)) frames.push_back(frame(*place));
    if (frames.empty())
      frames.push_back(llvm::ConstantStruct::getAnon(
          {text(""), text(nameOf(function)), builder_.getInt32(0), builder_.getInt32(0), text("")}));
    llvm::Constant *list =
        global(llvm::ConstantArray::get(llvm::ArrayType::get(frames[0]->getType(), frames.size()), frames));
    return global(llvm::ConstantStruct::getAnon({list, builder_.getInt32(static_cast<uint32_t>(frames.size())),
                                                 builder_.getInt32(count_++), shared_, variables_.global()}));
  }

  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
  CheckVariables variables_;
  llvm::Constant *shared_;  // variables of the function
  uint32_t count_ = 0;
  llvm::DenseMap<const void *, llvm::Constant *> made_;
  llvm::StringMap<llvm::Constant *> texts_;
};

void setScope(llvm::Instruction &instruction, llvm::SyncScope::ID scope) {
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) update->setSyncScopeID(scope);
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) exchange->setSyncScopeID(scope);
  if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) fence->setSyncScopeID(scope);
  if (llvm::isa<llvm::CallInst>(instruction))
    instruction.setMetadata(scopeOfBlock, llvm::MDNode::get(instruction.getContext(), {}));
}

// isSameEachTurn(): the value is the same in all turns of the loop, as long as memory that it depends on is.
bool isSameEachTurn(const llvm::Value &value, const llvm::Loop &loop) {
  if (loop.isLoopInvariant(&value)) return true;
  const auto &instruction = llvm::cast<llvm::Instruction>(value);
  const bool isPlainLoad = llvm::isa<llvm::LoadInst>(instruction) && !instruction.isVolatile();
  if (llvm::isa<llvm::PHINode>(instruction) || (instruction.mayReadOrWriteMemory() && !isPlainLoad)) return false;
  return llvm::all_of(instruction.operands(), [&](const llvm::Use &use) { return isSameEachTurn(*use, loop); });
}

// decidesOnExit(): whether the loop goes on depends on the load.
bool decidesOnExit(const llvm::LoadInst &load, const llvm::Loop &loop) {
  llvm::SmallVector<const llvm::User *> work(load.users());
  llvm::SmallPtrSet<const llvm::User *, 16> seen;
  while (!work.empty()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (instruction->isTerminator() && loop.isLoopExiting(instruction->getParent())) return true;
    llvm::append_range(work, instruction->users());
  }
  return false;
}

// readsAt(): the load is of that address, or of one of several that it has been made common to.
bool readsAt(const llvm::LoadInst &load, const llvm::Value &address) {
  const llvm::Value *pointer = load.getPointerOperand();
  if (pointer == &address) return true;
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(pointer);
  return phi && llvm::is_contained(phi->incoming_values(), &address);
}

// isBeforePoll(): the check is of a volatile load that waits for another thread.
bool isBeforePoll(const llvm::CallInst &check, const llvm::LoopInfo &loops) {
  const llvm::Loop *loop = loops.getLoopFor(check.getParent());
  const llvm::Value &address = *check.getArgOperand(0);
  if (!loop || !isSameEachTurn(address, *loop)) return false;
  for (const llvm::BasicBlock *block : loop->blocks())
    for (const llvm::Instruction &instruction : *block) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load && load->isVolatile() && readsAt(*load, address) && decidesOnExit(*load, *loop)) return true;
    }
  return false;
}

// nextInstruction() goes on behind branches that are always taken: what arms have in common stands where they meet.
const llvm::Instruction *nextInstruction(const llvm::Instruction &instruction) {
  if (const llvm::Instruction *next = instruction.getNextNode()) return next;
  const llvm::BasicBlock *successor = instruction.getParent()->getSingleSuccessor();
  return successor && successor != instruction.getParent() ? successor->getFirstNonPHI() : nullptr;
}

// isBeforeUnusedUpdate(): the check is of an atomic update of which nobody looks at the result. Optimisation decides:
// the update stands in a function that returns it. It has made a store of an exchange.
bool isBeforeUnusedUpdate(const llvm::CallInst &check) {
  constexpr int farthest = 16;
  const llvm::Instruction *next = nextInstruction(check);
  for (int passed = 0; next && passed < farthest; ++passed, next = nextInstruction(*next)) {
    if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(next)) return update->use_empty();
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(next))
      return store->isAtomic() && (checkedTraitsOf(check) & HW_ACCESS_READS) != 0;
    if (next->mayReadOrWriteMemory()) return false;
  }
  return false;
}

using PolledPlaces = llvm::SmallPtrSet<const llvm::DILocation *, 4>;

// laterTraits() is what shows only once functions are inlined.
uint32_t laterTraits(const llvm::CallInst &check, uint32_t traits, const PolledPlaces &polled) {
  constexpr uint32_t volatileRead = HW_ACCESS_READS | HW_ACCESS_VOLATILE;
  uint32_t more = isBeforeUnusedUpdate(check) ? HW_ACCESS_RESULT_UNUSED : 0;
  if ((traits & volatileRead) == volatileRead && polled.contains(check.getDebugLoc().get())) more |= HW_ACCESS_POLLS;
  return more;
}

// polledPlaces() are where loops wait. Optimisation has made their first turn code of its own, which stands at the same
// place in the source.
PolledPlaces polledPlaces(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  PolledPlaces places;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && isCheck(*call) && isBeforePoll(*call, loops))
      places.insert(call->getDebugLoc().get());
  return places;
}

// describeValueCheck() says where it stands. Returns false for other calls.
bool describeValueCheck(llvm::CallInst &call, Sites &sites) {
  constexpr unsigned siteOfValue = 2;
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || callee->getName() != checkValue) return false;
  call.setArgOperand(siteOfValue, sites.siteOf(call));
  return true;
}

// toldForm() is what the checked build calls in the place of a function whose callers findings name; empty: of others.
std::string toldForm(const llvm::CallInst &call) {
  static constexpr llvm::StringRef functions[] = {"hw_malloc",        "hw_malloc_aligned",
                                                  "hw_free",          "hw_start_launch",
                                                  "hw_launch_buffer", "hw_launch_configured_buffer"};
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !llvm::is_contained(functions, callee->getName())) return "";
  return "hw_check_" + callee->getName().drop_front(llvm::StringRef("hw_").size()).str();
}

// tellOfCalls() has such functions be told where they are called.
void tellOfCalls(llvm::Function &function, Sites &sites) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const std::string told = call ? toldForm(*call) : "";
    if (told.empty()) continue;
    llvm::IRBuilder<> builder(call);
    llvm::SmallVector<llvm::Value *> arguments(call->args());
    arguments.push_back(sites.callerOf(*call));
    llvm::SmallVector<llvm::Type *> types;
    for (const llvm::Value *argument : arguments) types.push_back(argument->getType());
    llvm::CallInst *other =
        builder.CreateCall(abiFunction(*function.getParent(), told, call->getType(), types), arguments);
    other->copyMetadata(*call);
    call->replaceAllUsesWith(other);
    call->eraseFromParent();
  }
}

// keepCallsApart(): each of those calls keeps its place in the source.
void keepCallsApart(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !toldForm(*call).empty())
      call->addFnAttr(llvm::Attribute::NoMerge);
}

void describeChecks(llvm::Function &function, Sites &sites) {
  sites.enter(function);
  tellOfCalls(function, sites);
  const PolledPlaces polled = polledPlaces(function);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *check = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!check || describeValueCheck(*check, sites) || !(isCheck(*check) || isAsyncCheck(*check))) continue;
    check->setArgOperand(checkedSite, sites.siteOf(*check));
    if (isAsyncCheck(*check)) continue;
    auto *traits = llvm::cast<llvm::ConstantInt>(check->getArgOperand(checkedTraits));
    const auto known = static_cast<uint32_t>(traits->getZExtValue());
    check->setArgOperand(checkedTraits,
                         llvm::ConstantInt::get(traits->getType(), known | laterTraits(*check, known, polled)));
  }
}

bool isShortOfHeaders(const llvm::Function *function) {
  constexpr size_t mostInstructions = 40;
  return function && !function->isDeclaration() && !function->getSubprogram() && !function->hasFnAttribute(ofLibrary) &&
         !function->hasFnAttribute(llvm::Attribute::NoInline) && function->getInstructionCount() <= mostInstructions;
}

// inlineHeaders() has short functions of our headers, which have no lines of their own, be part of their callers, with
// what they call: there it shows which variable atomicAdd() and the like are about, and numbers of 16 bits, which are
// handed on by reference, need not stay in memory for its sake. What has branches is LLVM's to simplify first.
void inlineHeaders(llvm::Function &function) {
  constexpr unsigned mostNested = 8;
  llvm::SmallVector<std::pair<llvm::CallBase *, unsigned>> calls;
  const auto add = [&](llvm::CallBase &call, unsigned nested) {
    const llvm::Function *callee = call.getCalledFunction();
    if (llvm::isa<llvm::CallInst>(call) && isShortOfHeaders(callee) && (nested == 1 || callee->size() == 1))
      calls.push_back({&call, nested});
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) add(*call, 1);
  while (!calls.empty()) {
    const auto [call, nested] = calls.pop_back_val();
    llvm::InlineFunctionInfo information;
    if (!llvm::InlineFunction(*call, information).isSuccess() || nested == mostNested) continue;
    for (llvm::CallBase *inner : information.InlinedCallSites) add(*inner, nested + 1);
  }
}

// Instructions is some of a function's.
using Instructions = llvm::DenseSet<const llvm::Instruction *>;

Instructions instructionsOf(llvm::Function &function) {
  Instructions found;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) found.insert(&instruction);
  return found;
}

// leaveOthersAlone() keeps what is not the program's own from being looked at.
void leaveOthersAlone(llvm::Function &function, const Instructions &own) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (!own.contains(&instruction)) leaveAlone(instruction);
}

// promoteVariables() keeps scalars that nobody has the address of in registers, so that addresses say where they come
// from.
void promoteVariables(llvm::Function &function, const ProductRegisters &products) {
  if (function.isDeclaration()) return;
  llvm::SmallVector<llvm::AllocaInst *> variables;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable && llvm::isAllocaPromotable(variable) && !products.holdsResult(*variable))
      variables.push_back(variable);
  if (variables.empty()) return;
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(variables, dominators);
}

// compareLocals() has checks be comparisons that turn out to be of local variables: no other thread accesses these.
void compareLocals(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> checks;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *check = llvm::dyn_cast<llvm::CallInst>(&instruction); check && isCheckOf(*check, checkAccess))
      checks.push_back(check);
  for (llvm::CallInst *check : checks) {
    const llvm::AllocaInst *const local = checkedLocal(*check);
    if (!local || objectBytes(*local, local->getDataLayout()) == 0) continue;
    const MemoryAccess access{check, check->getArgOperand(checkedAddress), check->getArgOperand(checkedBytes),
                              static_cast<uint32_t>(checkedTraitsOf(*check))};
    Check(access).emitWithin(const_cast<llvm::AllocaInst &>(*local));
    check->eraseFromParent();
  }
}

// settleLocals() is for variables whose addresses were handed to functions that have become part of their callers.
void settleLocals(llvm::Function &function) {
  if (function.isDeclaration()) return;
  if (dropLocalChecks(function)) promoteVariables(function, ProductRegisters(*function.getParent()));
  compareLocals(function);
}

}  // namespace

void narrowScopes(DeviceModule &device) {
  if (device.options.build != Build::Checked) ptx::dropAsyncMarkers(device.module);
  llvm::Function *marker = device.module.getFunction("hw_scope_of_block");
  if (!marker) return;
  const llvm::SyncScope::ID scope = device.module.getContext().getOrInsertSyncScopeID(scopeOfBlock);
  for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    if (device.options.build == Build::Checked)
      for (llvm::Instruction &instruction : llvm::instructions(*call->getFunction())) setScope(instruction, scope);
    call->eraseFromParent();
  }
  marker->eraseFromParent();
}

void nameCheckSites(DeviceModule &device) {
  if (device.options.build != Build::Checked) return;
  // Registers of products are told of wherever they are.
  if (!device.module.getFunction(checkAsync))
    for (llvm::Function &function : device.module) settleLocals(function);
  Sites sites(device);
  for (llvm::Function &function : device.module)
    if (!function.isDeclaration()) describeChecks(function, sites);
  for (const Kernel &kernel : device.kernels) markOnlyBarriers(threadEntry(kernel));
}

void checkAccesses(DeviceModule &device) {
  if (device.options.build != Build::Checked) return;
  for (llvm::Function &function : device.module)
    if (!function.isDeclaration() && function.getSubprogram()) inlineHeaders(function);
  const ProductRegisters products(device.module);
  for (llvm::Function &function : device.module) {
    promoteVariables(function, products);
    keepCallsApart(function);
  }
  keepAsyncChecksApart(device.module);
  noteSharedVariables(device.module);
  if (device.options.tellsInPlace) tellInPlace(device.module);
  const Functions telling = tellingFunctions(device.module);
  for (llvm::Function &function : device.module) {
    const Instructions before = device.options.followsValues ? instructionsOf(function) : Instructions();
    checkFunction(function, telling, products);
    if (device.options.followsValues) leaveOthersAlone(function, before);
  }
}

}  // namespace hostwarp::compiler
