// Gives each kernel whose threads never wait for one another a second entry, which runs a whole block as loops over its
// threads. The engine then has no thread to start and to end, and LLVM vectorises across threads as over any loop.
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

bool hasSpinLoop(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  return llvm::any_of(loops.getLoopsInPreorder(), [](llvm::Loop *loop) { return waitsForOthers(*loop); });
}

// canWait(): some thread that runs `root` may have to wait for another one. Functions of other translation units are
// not known, and so may.
bool canWait(llvm::Function &root) {
  llvm::SmallSetVector<llvm::Function *, 16> seen;
  seen.insert(&root);
  for (size_t next = 0; next < seen.size(); ++next) {
    llvm::Function &function = *seen[next];
    if (function.isDeclaration() && (!neverBlocks(function.getName()) || function.getName().starts_with("__hwd_")))
      return true;
    if (!function.isDeclaration() && hasSpinLoop(function)) return true;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || call->isInlineAsm()) continue;
        if (!call->getCalledFunction()) return true;
        seen.insert(call->getCalledFunction());
      }
  }
  return false;
}

// ThreadFields are the values of hw_thread's fields that differ between the threads of a block.
struct ThreadFields {
  llvm::Value *x, *y, *z, *linear, *lane, *warp;

  std::array<std::pair<size_t, llvm::Value *>, 6> byOffset() const {
    constexpr size_t index = offsetof(hw_thread, threadIdx);
    return {{{index + offsetof(hw_dim3, x), x},
             {index + offsetof(hw_dim3, y), y},
             {index + offsetof(hw_dim3, z), z},
             {offsetof(hw_thread, linearThread), linear},
             {offsetof(hw_thread, laneId), lane},
             {offsetof(hw_thread, warpId), warp}}};
  }
};

class ThreadLoop {
 public:
  explicit ThreadLoop(llvm::Function &entry)
      : entry_(entry), module_(*entry.getParent()), builder_(module_.getContext()) {}

  // build() returns the new function: void (void *const *args). pre: threads of `entry` never wait.
  llvm::Function *build(const llvm::Twine &name) {
    cloneEntry(name);
    makeLoops();
    replaceSelf();
    hoistInvariants();
    tellCallees();
    allowReordering();
    return loop_;
  }

 private:
  void cloneEntry(const llvm::Twine &name) {
    loop_ = llvm::Function::Create(entry_.getFunctionType(), llvm::GlobalValue::InternalLinkage, name, module_);
    llvm::ValueToValueMapTy map;
    map[entry_.getArg(0)] = loop_->getArg(0);
    llvm::CloneFunctionInto(loop_, &entry_, map, llvm::CloneFunctionChangeType::GlobalChanges, returns_);
    loop_->setMemoryEffects(llvm::MemoryEffects::unknown());
    body_ = &loop_->getEntryBlock();
  }

  llvm::BasicBlock *block(const char *name) { return llvm::BasicBlock::Create(module_.getContext(), name, loop_); }

  llvm::PHINode *counter(llvm::BasicBlock *at, llvm::Value *start, llvm::BasicBlock *from, const char *name) {
    builder_.SetInsertPoint(at, at->begin());
    llvm::PHINode *phi = builder_.CreatePHI(builder_.getInt32Ty(), 2, name);
    phi->addIncoming(start, from);
    return phi;
  }

  llvm::Value *extent(size_t offset) {
    return loadField(builder_, offsetof(hw_thread, blockDim) + offset, builder_.getInt32Ty());
  }

  // makeLoops() wraps the body into one loop over rows, that is, over (y, z), and one over x within the row.
  void makeLoops() {
    llvm::BasicBlock *start = block("block"), *row = block("row"), *latch = block("next_thread"),
                     *rowEnd = block("next_row"), *done = block("done");
    start->moveBefore(body_);
    builder_.SetInsertPoint(start);
    self_ = llvm::cast<llvm::CallInst>(selfCall(builder_));
    llvm::Value *width = extent(offsetof(hw_dim3, x)), *height = extent(offsetof(hw_dim3, y)),
                *depth = extent(offsetof(hw_dim3, z)), *zero = builder_.getInt32(0), *one = builder_.getInt32(1);
    builder_.CreateBr(row);
    llvm::PHINode *z = counter(row, zero, start, "z"), *y = counter(row, zero, start, "y"),
                  *first = counter(row, zero, start, "first");
    builder_.SetInsertPoint(row);
    builder_.CreateBr(body_);
    llvm::PHINode *x = counter(body_, zero, row, "x");
    for (llvm::ReturnInst *end : returns_) {
      llvm::BranchInst::Create(latch, end->getParent());
      end->eraseFromParent();
    }
    builder_.SetInsertPoint(latch);
    llvm::Value *nextX = builder_.CreateNUWAdd(x, one);
    x->addIncoming(nextX, latch);
    threadLoop_ = builder_.CreateCondBr(builder_.CreateICmpULT(nextX, width), body_, rowEnd);
    builder_.SetInsertPoint(rowEnd);
    llvm::Value *nextY = builder_.CreateNUWAdd(y, one), *wraps = builder_.CreateICmpEQ(nextY, height);
    llvm::Value *nextZ = builder_.CreateNUWAdd(z, builder_.CreateZExt(wraps, builder_.getInt32Ty()));
    y->addIncoming(builder_.CreateSelect(wraps, zero, nextY), rowEnd);
    z->addIncoming(nextZ, rowEnd);
    first->addIncoming(builder_.CreateNUWAdd(first, width), rowEnd);
    builder_.CreateCondBr(builder_.CreateICmpULT(nextZ, depth), row, done);
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
    moveLocals(start);
    builder_.SetInsertPoint(body_, body_->getFirstNonPHIIt());
    llvm::Value *linear = builder_.CreateNUWAdd(first, x);
    fields_ = {x, y, z, linear, builder_.CreateAnd(linear, 31), builder_.CreateLShr(linear, 5)};
  }

  // moveLocals() puts what the threads keep on their stack where it is allotted once.
  void moveLocals(llvm::BasicBlock *start) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*body_))
      if (llvm::isa<llvm::AllocaInst>(instruction)) {
        instruction.moveBefore(start->getTerminator());
        hasLocals_ = true;
      }
  }

  // replaceSelf() makes reads of the fields that differ between threads use the loops' values.
  void replaceSelf() {
    llvm::SmallVector<llvm::CallInst *> calls;
    for (llvm::BasicBlock &block : *loop_)
      for (llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call && call->getCalledFunction() && call->getCalledFunction()->getName() == "hw_self" && call != self_)
          calls.push_back(call);
      }
    for (llvm::CallInst *call : calls) {
      call->replaceAllUsesWith(self_);
      call->eraseFromParent();
    }
    replaceLoads(*self_, 0);
  }

  void replaceLoads(llvm::Value &base, int64_t offset) {
    const llvm::DataLayout &layout = module_.getDataLayout();
    for (llvm::User *user : llvm::make_early_inc_range(base.users())) {
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt more(64, 0);
        if (address->accumulateConstantOffset(layout, more)) replaceLoads(*address, offset + more.getSExtValue());
      } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        for (auto [at, value] : fields_.byOffset())
          if (static_cast<int64_t>(at) == offset && load->getType()->isIntegerTy(32)) {
            load->replaceAllUsesWith(value);
            load->eraseFromParent();
            break;
          }
      }
    }
  }

  // hoistInvariants() reads before the loops what never changes, wherever the body needs it: the parameters and the
  // fields that all threads share are always there to read.
  void hoistInvariants() {
    llvm::SmallVector<llvm::Value *> work{loop_->getArg(0), self_};
    llvm::Instruction *end = self_->getParent()->getTerminator();
    while (!work.empty())
      for (llvm::User *user : work.pop_back_val()->users()) {
        auto *instruction = llvm::cast<llvm::Instruction>(user);
        const bool isRead = instruction->hasMetadata(llvm::LLVMContext::MD_invariant_load);
        auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction);
        if (!isRead && !(address && address->hasAllConstantIndices())) continue;
        if (instruction->getParent() != self_->getParent()) instruction->moveBefore(end);
        if (instruction->getType()->isPointerTy() && isFromArguments(*instruction)) work.push_back(instruction);
      }
  }

  // isFromArguments(): the address leads to the launch's copy of a parameter, not to what the parameter points at.
  bool isFromArguments(const llvm::Instruction &instruction) const {
    return !llvm::isa<llvm::LoadInst>(instruction) || pointerOperandBase(instruction) == loop_->getArg(0);
  }

  static const llvm::Value *pointerOperandBase(const llvm::Instruction &load) {
    return llvm::cast<llvm::LoadInst>(load).getPointerOperand()->stripInBoundsConstantOffsets();
  }

  // seesThread(): the called function may ask which thread runs.
  bool seesThread(const llvm::CallBase &call) const {
    const llvm::Function *callee = call.getCalledFunction();
    if (call.isInlineAsm() || callee == nullptr || callee->isIntrinsic()) return false;
    llvm::LibFunc known;
    return !library_.getLibFunc(callee->getName(), known) && !callee->getName().starts_with("hw_math_") &&
           callee->getName() != "hw_self";
  }

  // tellCallees() writes the running thread's place to hw_thread before each call that may look at it.
  void tellCallees() {
    llvm::SmallVector<llvm::CallBase *> calls;
    for (llvm::BasicBlock &block : *loop_)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && seesThread(*call)) calls.push_back(call);
    for (llvm::CallBase *call : calls) {
      builder_.SetInsertPoint(call);
      for (auto [offset, value] : fields_.byOffset())
        builder_.CreateStore(value, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), self_, offset));
      call->setMemoryEffects(llvm::MemoryEffects::unknown());
      call->getCalledFunction()->setMemoryEffects(llvm::MemoryEffects::unknown());
    }
    hasCalls_ = !calls.empty();
  }

  // allowReordering() tells LLVM that the threads' accesses do not depend on each other [CUDA 3.2.6]: without it, every
  // row would begin with a comparison of all pointers. Locals, which the threads share here, do.
  void allowReordering() {
    llvm::LLVMContext &context = module_.getContext();
    llvm::SmallVector<llvm::Metadata *> properties{nullptr};
    if (!hasLocals_ && !hasCalls_) {
      llvm::MDNode *group = llvm::MDNode::getDistinct(context, {});
      for (llvm::BasicBlock &block : *loop_)
        for (llvm::Instruction &instruction : block)
          if (instruction.mayReadOrWriteMemory()) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
      properties.push_back(
          llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group}));
    }
    llvm::MDNode *id = llvm::MDNode::getDistinct(context, properties);
    id->replaceOperandWith(0, id);
    threadLoop_->setMetadata(llvm::LLVMContext::MD_loop, id);
  }

  llvm::Function &entry_;
  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
  llvm::TargetLibraryInfoImpl library_{llvm::Triple(module_.getTargetTriple())};
  llvm::Function *loop_ = nullptr;
  llvm::BasicBlock *body_ = nullptr;
  llvm::SmallVector<llvm::ReturnInst *, 8> returns_;
  llvm::CallInst *self_ = nullptr;
  llvm::BranchInst *threadLoop_ = nullptr;
  ThreadFields fields_{};
  bool hasLocals_ = false;
  bool hasCalls_ = false;
};

bool hasDynamicLocals(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction); local && !local->isStaticAlloca()) return true;
  return false;
}

}  // namespace

void makeThreadLoops(DeviceModule &device) {
  if (device.options.optimisation == 0) return;
  for (Kernel &kernel : device.kernels) {
    llvm::Function &entry = *kernel.entry[HW_ISA_BASELINE];
    // A block that is run again to find out which thread failed must not print twice.
    if ((kernel.flags & HW_KERNEL_MAY_PRINT) || hasDynamicLocals(entry) || canWait(entry)) continue;
    kernel.blockEntry[HW_ISA_BASELINE] = ThreadLoop(entry).build("__hwd_block." + kernel.name);
  }
}

}  // namespace hostwarp::compiler
