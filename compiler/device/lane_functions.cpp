// The lane function of f is a loop over threads whose turn is a copy of f's code: what makes vectors of the loops of
// block functions makes them of this one.
#include "compiler/device/lane_functions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>

#include "compiler/device/block_shapes.h"
#include "compiler/device/lane_meetings.h"
#include "compiler/device/loop_properties.h"
#include "compiler/device/passes.h"
#include "compiler/device/reachable_waits.h"
#include "compiler/device/state_addresses.h"
#include "compiler/device/thread_notes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral lanePrefix = "__hwd_lanes.";
constexpr size_t mostOfLaneFunction = 1000;
// This stands for the number of threads until functions have an instruction set.
constexpr llvm::StringLiteral countName = "hw_lane_count";

// The parameters in front of the arrays.
enum Parameter : unsigned { Lanes, Threads, FirstArray };

bool hasElements(const llvm::Type &type) {
  return type.isFloatTy() || type.isDoubleTy() || type.isHalfTy() || type.isBFloatTy() || type.isPointerTy() ||
         (type.isIntegerTy() &&
          (type.isIntegerTy(1) || (type.getIntegerBitWidth() % 8 == 0 && type.getIntegerBitWidth() <= 64 &&
                                   llvm::isPowerOf2_32(type.getIntegerBitWidth()))));
}

// hasPlainSignature(): values go in and come out one by one.
bool hasPlainSignature(const llvm::Function &function) {
  const auto isPlain = [](const llvm::Argument &argument) {
    return hasElements(*argument.getType()) && !argument.hasPassPointeeByValueCopyAttr() &&
           !argument.hasStructRetAttr();
  };
  const llvm::Type &result = *function.getReturnType();
  return !function.isVarArg() && (result.isVoidTy() || hasElements(result)) && llvm::all_of(function.args(), isPlain);
}

bool callsByName(const llvm::Instruction &instruction, llvm::StringRef name) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

// fitsLoop(): the body may be a turn of a loop over threads. Variables of its own would be those of all turns, and a
// weak function's body may be another's when units are linked.
bool fitsLoop(llvm::Function &function) {
  if (function.getInstructionCount() > mostOfLaneFunction || function.isInterposable() || function.doesNotReturn())
    return false;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::AllocaInst, llvm::InvokeInst>(instruction) || callsByName(instruction, "hw_exit_thread"))
      return false;
    if (callsByName(instruction, "hw_self") && looksAtOneThread(instruction)) return false;
  }
  return reachableWaits(function, WaitsOf::Function, true).why.empty();
}

class LaneFunction {
 public:
  explicit LaneFunction(llvm::Function &original)
      : original_(original), module_(*original.getParent()), builder_(module_.getContext()) {}

  // declare() makes it without code.
  llvm::Function *declare(const llvm::Twine &name) {
    llvm::Type *i32 = builder_.getInt32Ty(), *pointer = builder_.getPtrTy();
    llvm::SmallVector<llvm::Type *> types{i32, pointer};
    types.append(original_.arg_size() + !original_.getReturnType()->isVoidTy(), pointer);
    const bool isElsewhere = original_.isDeclaration();
    function_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                       isElsewhere                      ? llvm::GlobalValue::ExternalWeakLinkage
                                       : original_.hasExternalLinkage() ? llvm::GlobalValue::ExternalLinkage
                                                                        : llvm::GlobalValue::InternalLinkage,
                                       name, module_);
    if (!function_->hasLocalLinkage()) function_->setVisibility(llvm::GlobalValue::HiddenVisibility);
    return function_;
  }

  // define() gives it its code. Only the body is for the threads that are there: accesses of arrays under masks are
  // slow. pre: fitsLoop().
  void define() {
    llvm::BasicBlock *start = newBlock("start"), *header = newBlock("thread"), *latch = newBlock("next"),
                     *end = newBlock("end");
    builder_.SetInsertPoint(start);
    self_ = selfCall(builder_);
    for (unsigned i = 0; i < 2; ++i) extents_[i] = loadField(builder_, extentOffset(i), builder_.getInt32Ty());
    llvm::Value *count = builder_.CreateCall(module_.getOrInsertFunction(countName, builder_.getInt64Ty()));
    builder_.CreateBr(header);
    builder_.SetInsertPoint(header);
    thread_ = builder_.CreatePHI(builder_.getInt64Ty(), 2, "thread");
    thread_->addIncoming(builder_.getInt64(0), start);
    setFields();
    addBody(*header, *latch);
    llvm::Value *next = builder_.CreateNUWAdd(thread_, builder_.getInt64(1));
    thread_->addIncoming(next, latch);
    llvm::BranchInst *branch = builder_.CreateCondBr(builder_.CreateICmpULT(next, count), header, end);
    builder_.SetInsertPoint(end);
    builder_.CreateRetVoid();
    close(*branch, {start, end});
  }

 private:
  llvm::BasicBlock *newBlock(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }

  llvm::Argument *parameter(unsigned number) { return function_->getArg(number); }

  llvm::Value *loadElement(llvm::Value &array, llvm::Type *type) {
    llvm::Type *element = elementType(type);
    llvm::Value *value = builder_.CreateLoad(element, builder_.CreateGEP(element, &array, {thread_}));
    return element == type ? value : builder_.CreateTrunc(value, type);
  }

  // setFields() computes what most functions do not look at.
  void setFields() {
    llvm::Value *linear = fields_.linear = loadElement(*parameter(Threads), builder_.getInt32Ty());
    llvm::Value *row = builder_.CreateUDiv(linear, extents_[0]);
    fields_.x = builder_.CreateURem(linear, extents_[0]);
    fields_.y = builder_.CreateURem(row, extents_[1]);
    fields_.z = builder_.CreateUDiv(row, extents_[1]);
    fields_.lane = builder_.CreateAnd(linear, warpLanes - 1);
    fields_.warp = builder_.CreateUDiv(linear, builder_.getInt32(warpLanes));
  }

  // addBody() puts the body between the two, and the builder to the end of `latch`.
  void addBody(llvm::BasicBlock &header, llvm::BasicBlock &latch) {
    llvm::ValueToValueMapTy map;
    for (llvm::Argument &argument : original_.args())
      map[&argument] = loadElement(*parameter(FirstArray + argument.getArgNo()), argument.getType());
    llvm::SmallVector<llvm::ReturnInst *, 8> returns;
    llvm::CloneFunctionInto(function_, &original_, map, llvm::CloneFunctionChangeType::GlobalChanges, returns);
    setAttributes();
    llvm::Value *bit = builder_.CreateLShr(parameter(Lanes), builder_.CreateTrunc(thread_, builder_.getInt32Ty()));
    builder_.CreateCondBr(builder_.CreateTrunc(bit, builder_.getInt1Ty()),
                          llvm::cast<llvm::BasicBlock>(map[&original_.getEntryBlock()]), &latch);
    builder_.SetInsertPoint(&latch);
    storeResults(header, latch, returns);
    replaceState();
  }

  void storeResults(llvm::BasicBlock &header, llvm::BasicBlock &latch, llvm::ArrayRef<llvm::ReturnInst *> returns) {
    llvm::Type *type = original_.getReturnType();
    llvm::PHINode *result = type->isVoidTy() ? nullptr : builder_.CreatePHI(type, returns.size() + 1);
    if (result) result->addIncoming(llvm::PoisonValue::get(type), &header);
    for (llvm::ReturnInst *each : returns) {
      if (result) result->addIncoming(each->getReturnValue(), each->getParent());
      llvm::BranchInst::Create(&latch, each);
      each->eraseFromParent();
    }
    if (!result) return;
    llvm::Type *element = elementType(type);
    llvm::Value *place = builder_.CreateGEP(element, function_->getArg(function_->arg_size() - 1), {thread_});
    builder_.CreateStore(element == type ? result : builder_.CreateZExt(result, element), place);
  }

  // setAttributes() drops what is true of one thread's call only.
  void setAttributes() {
    llvm::LLVMContext &context = module_.getContext();
    function_->setAttributes(
        function_->getAttributes().removeAttributesAtIndex(context, llvm::AttributeList::ReturnIndex));
    function_->setCallingConv(llvm::CallingConv::C);
    function_->setMemoryEffects(llvm::MemoryEffects::unknown());
    for (const llvm::Attribute::AttrKind kind : {llvm::Attribute::AlwaysInline, llvm::Attribute::Speculatable})
      function_->removeFnAttr(kind);
    function_->addFnAttr(runsBlock);
    for (unsigned i = Threads; i < function_->arg_size(); ++i) function_->addParamAttr(i, llvm::Attribute::NoAlias);
  }

  // replaceState() puts what belongs to the turn's thread in the place of what belongs to the running one.
  void replaceState() {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(*function_))) {
      llvm::Value *value = callsByName(instruction, "hw_self") && &instruction != self_ ? self_ : nullptr;
      for (const ThreadField &field : threadFields)
        if (callsByName(instruction, field.read)) value = fields_.*field.value;
      if (!value) continue;
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
  }

  // close() says what LLVM may rely on of the loop, whose blocks are all but `others`.
  void close(llvm::BranchInst &latch, std::initializer_list<llvm::BasicBlock *> others) {
    llvm::SmallVector<llvm::BasicBlock *> blocks;
    llvm::SmallVector<llvm::CallBase *> calls;
    for (llvm::BasicBlock &block : *function_)
      if (!llvm::is_contained(others, &block)) blocks.push_back(&block);
    for (llvm::Instruction &instruction : llvm::instructions(*function_))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && mayLookAtThread(*call) && !callsByName(*call, countName))
        calls.push_back(call);
    for (llvm::CallBase *call : calls) noteThread(*call, *self_, fields_, laneFunctionOf(*call));
    if (calls.empty()) allowReordering(blocks, latch);
    markThreads(latch);
    keepRolled(latch);
  }

  llvm::Function &original_;
  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
  llvm::Function *function_ = nullptr;
  llvm::Value *self_ = nullptr;
  std::array<llvm::Value *, 2> extents_{};  // of the block
  llvm::PHINode *thread_ = nullptr;
  ThreadFields fields_{};
};

llvm::Function *laneFunctionFor(llvm::Function &function) {
  const std::string name = (lanePrefix + function.getName()).str();
  if (llvm::Function *known = function.getParent()->getFunction(name)) return known;
  if (!hasPlainSignature(function)) return nullptr;
  if (!function.isDeclaration() && !fitsLoop(function)) return nullptr;
  LaneFunction lanes(function);
  llvm::Function *made = lanes.declare(name);
  if (!function.isDeclaration()) lanes.define();
  return made;
}

bool isOfDevice(const llvm::Function &function) {
  return function.getName().starts_with("__hwd_") && !isLaneFunction(function);
}

}  // namespace

llvm::Type *elementType(llvm::Type *type) {
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

unsigned lanesOfRegister(const llvm::Function &function) {
  const llvm::StringRef cpu = function.getFnAttribute("target-cpu").getValueAsString();
  return cpu == "x86-64-v4" ? 16 : cpu == "x86-64-v3" ? 8 : 4;
}

void setLaneCount(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(function.getEntryBlock())) {
    if (!callsByName(instruction, countName)) continue;
    instruction.replaceAllUsesWith(llvm::ConstantInt::get(instruction.getType(), lanesOfRegister(function)));
    instruction.eraseFromParent();
  }
}

bool isLaneFunction(const llvm::Function &function) { return function.getName().starts_with(lanePrefix); }

llvm::Function *laneFunctionOf(const llvm::CallBase &call) {
  llvm::Function *callee = call.getCalledFunction();
  return callee && isOfDevice(*callee) ? laneFunctionFor(*callee) : nullptr;
}

void offerLaneFunctions(DeviceModule &device) {
  llvm::SmallVector<llvm::Function *> offered;
  for (llvm::Function &function : device.module)
    if (isOfDevice(function) && !function.isDeclaration() && function.hasExternalLinkage())
      offered.push_back(&function);
  for (llvm::Function *function : offered) laneFunctionFor(*function);
}

}  // namespace hostwarp::compiler
