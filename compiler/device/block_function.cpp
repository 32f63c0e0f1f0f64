#include "compiler/device/block_function.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <optional>

#include "compiler/device/meeting_points.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

// A block of code belongs to several regions, and the whole stands in the function once more: beyond this the fibers it
// is.
constexpr size_t mostInstructions = 6000;
// A row with fewer threads is not worth a vector.
constexpr uint32_t leastWidth = 8;
constexpr uint64_t mostFrameBytes = 16 * 1024;

bool isCallOf(const llvm::Instruction &instruction, llvm::StringRef name) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

// dropNotes() removes what speaks of allocations only: the debugger's view is the thread-wise code, at -G.
void dropNotes(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      instruction.dropDbgRecords();
      auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (intrinsic && (intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic)))
        intrinsic->eraseFromParent();
    }
}

}  // namespace

// LoopParts is one copy of a region, or of the whole, between the block that begins a thread's turn and the one that
// ends it.
struct BlockFunction::LoopParts {
  LoopParts(const Region &region, std::optional<unsigned> index) : region(&region), index(index) {}

  const Region *region;
  std::optional<unsigned> index;  // of the region; none for the whole
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<llvm::BasicBlock *> blocks;
  llvm::Value *next = nullptr;  // the region that the thread goes on with; a value of the end block
  struct Variable {
    const Slot *slot;
    llvm::AllocaInst *value;  // during the turn
    bool written;
  };
  llvm::SmallVector<Variable> variables;
};

BlockFunction::BlockFunction(llvm::Function &entry)
    : entry_(entry), module_(*entry.getParent()), builder_(module_.getContext()) {}

llvm::Function *BlockFunction::build(const llvm::Twine &name) {
  cloneEntry(name);
  addStart();
  replaceSelf();
  hoistInvariants();
  collectLocals();
  const ThreadFields &p = placeholders_;
  const llvm::SmallVector<llvm::CallInst *> points = addMeetingPoints(*function_, p), waits = barriers();
  regions_ = std::make_unique<BarrierRegions>(*function_, *start_,
                                              llvm::ArrayRef<llvm::Value *>{p.x, p.y, p.z, p.linear, p.lane, p.warp},
                                              Boundaries{waits, points});
  layOutFrame();
  if (regions_->instructionCount() > mostInstructions || frameBytes_ > mostFrameBytes) {
    function_->eraseFromParent();
    return nullptr;
  }
  for (llvm::BasicBlock &block : *function_)
    if (&block != start_) original_.push_back(&block);
  done_ = newBlock("done");
  lowestNext_ = temporary(builder_.getInt32Ty());
  highestNext_ = temporary(builder_.getInt32Ty());
  for (unsigned i = 0; i < regions_->regions().size(); ++i) loopStarts_.push_back(newBlock("region"));
  first_ = loopStarts_.front();
  if (!points.empty()) addNarrowStart();
  for (unsigned i = 0; i < loopStarts_.size(); ++i) addRegionLoop(i);
  if (stragglers_) addStragglerLoop();
  finish();
  return function_;
}

void BlockFunction::cloneEntry(const llvm::Twine &name) {
  llvm::Type *pointer = builder_.getPtrTy();
  function_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false),
                                     llvm::GlobalValue::InternalLinkage, name, module_);
  llvm::ValueToValueMapTy map;
  map[entry_.getArg(0)] = function_->getArg(0);
  llvm::SmallVector<llvm::ReturnInst *, 8> returns;
  llvm::CloneFunctionInto(function_, &entry_, map, llvm::CloneFunctionChangeType::GlobalChanges, returns);
  function_->addParamAttr(1, llvm::Attribute::NoAlias);
  function_->setMemoryEffects(llvm::MemoryEffects::unknown());
  dropNotes(*function_);
}

llvm::BasicBlock *BlockFunction::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(module_.getContext(), name, function_);
}

// addStart() makes the block that all loops come after. Until they are there, placeholders stand for the thread's
// place.
void BlockFunction::addStart() {
  llvm::BasicBlock *body = &function_->getEntryBlock();
  start_ = newBlock("block");
  start_->moveBefore(body);
  builder_.SetInsertPoint(start_);
  self_ = llvm::cast<llvm::CallInst>(selfCall(builder_));
  const auto extent = [&](size_t offset) {
    return loadField(builder_, offsetof(hw_thread, blockDim) + offset, builder_.getInt32Ty());
  };
  width_ = extent(offsetof(hw_dim3, x));
  height_ = extent(offsetof(hw_dim3, y));
  depth_ = extent(offsetof(hw_dim3, z));
  threads_ = builder_.CreateNUWMul(builder_.CreateNUWMul(width_, height_), depth_);
  llvm::Value *unknown = llvm::PoisonValue::get(builder_.getInt32Ty());
  for (llvm::Value **field : {&placeholders_.x, &placeholders_.y, &placeholders_.z, &placeholders_.linear,
                              &placeholders_.lane, &placeholders_.warp})
    *field = builder_.CreateFreeze(unknown);
  builder_.CreateBr(body);
}

// replaceSelf() makes one call of hw_self() of all, and placeholders of the fields that differ between threads.
void BlockFunction::replaceSelf() {
  llvm::SmallVector<llvm::Instruction *> calls;
  for (llvm::BasicBlock &block : *function_)
    for (llvm::Instruction &instruction : block)
      if (isCallOf(instruction, "hw_self") && &instruction != self_) calls.push_back(&instruction);
  for (llvm::Instruction *call : calls) {
    call->replaceAllUsesWith(self_);
    call->eraseFromParent();
  }
  replaceFields(*self_, 0);
}

void BlockFunction::replaceFields(llvm::Value &base, int64_t offset) {
  const llvm::DataLayout &layout = module_.getDataLayout();
  for (llvm::User *user : llvm::make_early_inc_range(base.users())) {
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::APInt more(64, 0);
      if (address->accumulateConstantOffset(layout, more)) replaceFields(*address, offset + more.getSExtValue());
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType()->isIntegerTy(32)) {
      for (auto [at, value] : placeholders_.byOffset()) {
        if (static_cast<int64_t>(at) != offset) continue;
        load->replaceAllUsesWith(value);
        load->eraseFromParent();
        break;
      }
    }
  }
}

// hoistInvariants() reads at the start what never changes, wherever the body needs it: the parameters and the fields
// that all threads share are always there to read.
void BlockFunction::hoistInvariants() {
  llvm::SmallVector<llvm::Value *> work{function_->getArg(0), self_};
  while (!work.empty()) {
    const llvm::Value *base = work.pop_back_val();
    for (const llvm::User *user : base->users()) {
      auto *instruction = const_cast<llvm::Instruction *>(llvm::cast<llvm::Instruction>(user));
      const bool isRead = instruction->hasMetadata(llvm::LLVMContext::MD_invariant_load);
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction);
      if (!isRead && !(address && address->hasAllConstantIndices())) continue;
      if (instruction->getParent() != start_) instruction->moveBefore(start_->getTerminator());
      // A slot of the argument list leads to the launch's copy of a parameter; what a parameter points at may change.
      const bool isSlot = isRead && instruction->getType()->isPointerTy() &&
                          instruction->getOperand(0)->stripInBoundsConstantOffsets() == function_->getArg(0);
      if (address || isSlot) work.push_back(instruction);
    }
  }
}

void BlockFunction::collectLocals() {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(*start_->getSingleSuccessor()))
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      local->moveBefore(start_->getTerminator());
      locals_.push_back(local);
    }
}

llvm::SmallVector<llvm::CallInst *> BlockFunction::barriers() const {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::BasicBlock &block : *function_)
    for (llvm::Instruction &instruction : block)
      if (isCallOf(instruction, "hw_barrier")) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return calls;
}

// layOutFrame() gives each array its place, the strictest alignment first, so that none needs padding whatever the
// number of threads.
void BlockFunction::layOutFrame() {
  const llvm::DataLayout &layout = module_.getDataLayout();
  struct Array {
    const llvm::AllocaInst *variable;
    uint64_t bytes;
    llvm::Align alignment;
  };
  std::vector<Array> arrays{{nullptr, sizeof(uint32_t), llvm::Align(sizeof(uint32_t))}};
  const auto add = [&](const llvm::AllocaInst *variable) {
    arrays.push_back({variable, variable->getAllocationSize(layout)->getFixedValue(), variable->getAlign()});
  };
  for (const llvm::AllocaInst *local : locals_) add(local);
  for (const Slot &slot : regions_->slots())
    if (!slot.uniform) add(slot.storage);
  llvm::stable_sort(arrays, [](const Array &a, const Array &b) { return b.alignment < a.alignment; });
  for (const Array &array : arrays) {
    (array.variable ? offsets_[array.variable] : stateOffset_) = frameBytes_;
    frameBytes_ += llvm::alignTo(array.bytes, array.alignment);
  }
  frameBytes_ = llvm::alignTo(frameBytes_, arrays.front().alignment);
}

// arrayElement() is the thread's element of the array of `bytes` per thread that begins `offset` bytes per thread into
// the frame.
llvm::Value *BlockFunction::arrayElement(uint64_t offset, uint64_t bytes, llvm::Value *linear) {
  llvm::Type *byte = builder_.getInt8Ty(), *wide = builder_.getInt64Ty();
  llvm::IRBuilder<> early(start_->getTerminator());
  llvm::Value *array = early.CreateInBoundsGEP(
      byte, function_->getArg(1), early.CreateNUWMul(early.CreateZExt(threads_, wide), early.getInt64(offset)));
  llvm::Value *index = builder_.CreateZExt(linear, wide);
  return builder_.CreateInBoundsGEP(byte, array, builder_.CreateNUWMul(index, builder_.getInt64(bytes)));
}

llvm::PHINode *BlockFunction::counter(llvm::BasicBlock *at, llvm::Value *start, llvm::BasicBlock *from,
                                      const char *name) {
  builder_.SetInsertPoint(at, at->begin());
  llvm::PHINode *phi = builder_.CreatePHI(builder_.getInt32Ty(), 2, name);
  phi->addIncoming(start, from);
  return phi;
}

ThreadFields BlockFunction::fieldsOf(llvm::Value *x, llvm::Value *y, llvm::Value *z, llvm::Value *linear) {
  return {x, y, z, linear, builder_.CreateAnd(linear, 31), builder_.CreateLShr(linear, 5)};
}

// beginTurn() gives the region's code what is the thread's own; copyBlocks() makes the copy.
void BlockFunction::beginTurn(LoopParts &parts, const ThreadFields &fields) {
  const auto given = fields.byOffset(), wanted = placeholders_.byOffset();
  for (size_t i = 0; i < given.size(); ++i) parts.map[wanted[i].second] = given[i].second;
  mapLocals(parts, fields);
  mapSlots(parts, fields);
}

void BlockFunction::mapLocals(LoopParts &parts, const ThreadFields &fields) {
  const llvm::DataLayout &layout = module_.getDataLayout();
  for (const llvm::AllocaInst *local : locals_) {
    const uint64_t bytes = llvm::alignTo(local->getAllocationSize(layout)->getFixedValue(), local->getAlign());
    parts.map[local] = arrayElement(offsets_[local], bytes, fields.linear);
  }
}

llvm::AllocaInst *BlockFunction::temporary(llvm::Type *type) {
  auto *variable = new llvm::AllocaInst(type, 0, "", start_->getTerminator()->getIterator());
  temporaries_.push_back(variable);
  return variable;
}

// slotElement() is the thread's element of the slot's array.
llvm::Value *BlockFunction::slotElement(const Slot &slot, const ThreadFields &fields) {
  const uint64_t bytes = module_.getDataLayout().getTypeAllocSize(slot.storage->getAllocatedType());
  return arrayElement(offsets_[slot.storage], llvm::alignTo(bytes, slot.storage->getAlign()), fields.linear);
}

// mapSlots() begins the turn with the values that the thread had at the boundary.
void BlockFunction::mapSlots(LoopParts &parts, const ThreadFields &fields) {
  for (const Slot &slot : regions_->slots()) {
    LoopParts::Variable variable{&slot, nullptr, false};
    bool used = false;
    for (llvm::User *user : slot.storage->users()) {
      if (!parts.region->blocks.contains(llvm::cast<llvm::Instruction>(user)->getParent())) continue;
      used = true;
      variable.written |= llvm::isa<llvm::StoreInst>(user);
    }
    if (!used) continue;
    llvm::Type *type = slot.storage->getAllocatedType();
    variable.value = temporary(type);
    parts.map[slot.storage] = variable.value;
    parts.variables.push_back(variable);
    if (parts.index ? !slot.liveInto.contains(*parts.index) : slot.liveInto.empty()) continue;
    llvm::Value *last =
        slot.uniform ? builder_.CreateLoad(type, slot.storage)
        : type->isIntegerTy(1)
            ? builder_.CreateTrunc(builder_.CreateLoad(builder_.getInt8Ty(), slotElement(slot, fields)), type)
            : builder_.CreateLoad(type, slotElement(slot, fields));
    builder_.CreateStore(last, variable.value);
  }
}

// saveSlots() ends the turn: what the region has computed is kept for the next ones.
void BlockFunction::saveSlots(const LoopParts &parts, const ThreadFields &fields) {
  for (const LoopParts::Variable &variable : parts.variables) {
    if (!variable.written || (variable.slot->uniform && !isNeeded(parts, *variable.slot))) continue;
    llvm::Type *type = variable.slot->storage->getAllocatedType();
    llvm::Value *value = builder_.CreateLoad(type, variable.value);
    if (variable.slot->uniform)
      builder_.CreateStore(ifNeeded(parts, *variable.slot, value), pending_[variable.slot]);
    else
      builder_.CreateStore(type->isIntegerTy(1) ? builder_.CreateZExt(value, builder_.getInt8Ty()) : value,
                           slotElement(*variable.slot, fields));
  }
}

bool BlockFunction::isNeeded(const LoopParts &parts, const Slot &slot) const {
  return llvm::any_of(parts.region->next, [&](unsigned next) { return slot.liveInto.contains(next); });
}

// ifNeeded() is `value`, or what the slot is to have so far where the thread goes on without: it may not have come by
// the place where the others have found the value.
llvm::Value *BlockFunction::ifNeeded(const LoopParts &parts, const Slot &slot, llvm::Value *value) {
  if (parts.region->nextIsUniform) return value;
  llvm::Value *needed = builder_.getFalse();
  for (unsigned next : parts.region->next)
    if (slot.liveInto.contains(next))
      needed = builder_.CreateOr(needed, builder_.CreateICmpEQ(parts.next, builder_.getInt32(next)));
  return builder_.CreateSelect(needed, value, builder_.CreateLoad(value->getType(), pending_[&slot]));
}

// beginSharing() and endSharing() stand before and after a loop over threads. Uniform values change between the two
// only, so that all threads begin with the same.
void BlockFunction::beginSharing() {
  pending_.clear();
  for (const Slot &slot : regions_->slots()) {
    if (!slot.uniform) continue;
    llvm::Type *type = slot.storage->getAllocatedType();
    pending_[&slot] = temporary(type);
    builder_.CreateStore(builder_.CreateLoad(type, slot.storage), pending_[&slot]);
  }
}

void BlockFunction::endSharing() {
  for (auto [slot, value] : pending_)
    builder_.CreateStore(builder_.CreateLoad(value->getAllocatedType(), value), slot->storage);
}

// copyBlocks() copies the region's code; where it came to a boundary or to the end, it now goes to `end`. The whole
// passes over meeting points.
void BlockFunction::copyBlocks(LoopParts &parts, llvm::BasicBlock *end) {
  llvm::SmallVector<std::pair<llvm::BasicBlock *, unsigned>> exits;
  for (llvm::BasicBlock *block : parts.region->blocks) {
    llvm::BasicBlock *copy = llvm::CloneBasicBlock(block, parts.map, "", function_);
    parts.map[block] = copy;
    parts.blocks.push_back(copy);
    for (llvm::PHINode &phi : copy->phis())
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (!parts.region->blocks.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
    const unsigned *next = parts.index ? regions_->after(block) : regions_->afterBarrier(block);
    if (next || llvm::isa<llvm::ReturnInst>(copy->getTerminator())) {
      copy->getTerminator()->eraseFromParent();
      llvm::BranchInst::Create(end, copy);
      exits.push_back({copy, next ? *next : regions_->exit()});
    }
  }
  llvm::remapInstructionsInBlocks(parts.blocks, parts.map);
  builder_.SetInsertPoint(end);
  llvm::PHINode *next = exits.empty() ? nullptr : builder_.CreatePHI(builder_.getInt32Ty(), exits.size(), "next");
  for (auto [block, index] : exits) next->addIncoming(builder_.getInt32(index), block);
  parts.next = next ? static_cast<llvm::Value *>(next) : builder_.getInt32(regions_->exit());
}

// noteNext() keeps where the threads go on: the state of each, and the lowest and the highest of them.
void BlockFunction::noteNext(llvm::Value *next, const ThreadFields &fields) {
  llvm::Type *type = builder_.getInt32Ty();
  builder_.CreateStore(next, arrayElement(stateOffset_, sizeof(uint32_t), fields.linear));
  for (auto [variable, operation] :
       {std::pair(lowestNext_, llvm::Intrinsic::umin), std::pair(highestNext_, llvm::Intrinsic::umax)})
    builder_.CreateStore(builder_.CreateBinaryIntrinsic(operation, builder_.CreateLoad(type, variable), next),
                         variable);
}

// addRegionLoop() makes the loop for threads that all stand at the beginning of the region.
void BlockFunction::addRegionLoop(unsigned index) {
  const Region &region = regions_->regions()[index];
  llvm::BasicBlock *start = loopStarts_[index], *row = newBlock("row"), *turn = newBlock("thread"),
                   *end = newBlock("next_thread"), *rowEnd = newBlock("next_row"), *after = newBlock("barrier");
  llvm::Value *zero = builder_.getInt32(0), *one = builder_.getInt32(1);
  builder_.SetInsertPoint(start);
  beginSharing();
  if (!region.nextIsUniform) beginNext();
  builder_.CreateBr(row);
  llvm::PHINode *z = counter(row, zero, start, "z"), *y = counter(row, zero, start, "y"),
                *first = counter(row, zero, start, "first");
  builder_.SetInsertPoint(row);
  builder_.CreateBr(turn);
  llvm::PHINode *x = counter(turn, zero, row, "x");
  builder_.SetInsertPoint(turn);
  const ThreadFields fields = fieldsOf(x, y, z, builder_.CreateNUWAdd(first, x));
  LoopParts parts(region, index);
  beginTurn(parts, fields);
  copyBlocks(parts, end);
  builder_.SetInsertPoint(turn);
  builder_.CreateBr(llvm::cast<llvm::BasicBlock>(parts.map[region.entry]));

  builder_.SetInsertPoint(end);
  saveSlots(parts, fields);
  if (region.nextIsUniform)
    builder_.CreateStore(parts.next, lowestNext_);
  else
    noteNext(parts.next, fields);
  llvm::Value *nextX = builder_.CreateNUWAdd(x, one);
  x->addIncoming(nextX, end);
  llvm::BranchInst *latch = builder_.CreateCondBr(builder_.CreateICmpULT(nextX, width_), turn, rowEnd);
  builder_.SetInsertPoint(rowEnd);
  llvm::Value *nextY = builder_.CreateNUWAdd(y, one), *wraps = builder_.CreateICmpEQ(nextY, height_);
  llvm::Value *nextZ = builder_.CreateNUWAdd(z, builder_.CreateZExt(wraps, builder_.getInt32Ty()));
  y->addIncoming(builder_.CreateSelect(wraps, zero, nextY), rowEnd);
  z->addIncoming(nextZ, rowEnd);
  first->addIncoming(builder_.CreateNUWAdd(first, width_), rowEnd);
  builder_.CreateCondBr(builder_.CreateICmpULT(nextZ, depth_), row, after);
  builder_.SetInsertPoint(after);
  endSharing();
  goOn(region.nextIsUniform);

  parts.blocks.append({turn, end});
  if (!tellCallees(parts.blocks, fields)) allowReordering(parts.blocks, *latch);
}

// addStragglerLoop() makes the loop that takes each thread on from where it stands.
void BlockFunction::addStragglerLoop() {
  llvm::BasicBlock *head = newBlock("straggler"), *end = newBlock("next_straggler"), *after = newBlock("barrier");
  builder_.SetInsertPoint(stragglers_);
  beginSharing();
  beginNext();
  builder_.CreateBr(head);
  llvm::PHINode *linear = counter(head, builder_.getInt32(0), stragglers_, "straggler");
  builder_.SetInsertPoint(head);
  llvm::Value *row = builder_.CreateUDiv(linear, width_);
  const ThreadFields fields = fieldsOf(builder_.CreateURem(linear, width_), builder_.CreateURem(row, height_),
                                       builder_.CreateUDiv(row, height_), linear);
  llvm::Value *state = builder_.CreateLoad(builder_.getInt32Ty(), arrayElement(stateOffset_, sizeof(uint32_t), linear));
  llvm::BasicBlock *turn = newBlock("thread"), *leave = newBlock("stands");
  builder_.CreateCondBr(builder_.CreateICmpEQ(state, builder_.getInt32(regions_->exit())), end, turn);
  builder_.SetInsertPoint(turn);
  LoopParts parts(regions_->whole(), std::nullopt);
  beginTurn(parts, fields);
  copyBlocks(parts, leave);
  builder_.SetInsertPoint(turn);
  const auto entry = [&](unsigned i) { return llvm::cast<llvm::BasicBlock>(parts.map[regions_->regions()[i].entry]); };
  llvm::SwitchInst *choice = builder_.CreateSwitch(state, entry(0));
  for (unsigned i = 1; i < loopStarts_.size(); ++i) choice->addCase(builder_.getInt32(i), entry(i));
  builder_.SetInsertPoint(leave);
  saveSlots(parts, fields);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode *next = builder_.CreatePHI(builder_.getInt32Ty(), 2, "next");
  next->addIncoming(state, head);
  next->addIncoming(parts.next, leave);
  tellCallees(parts.blocks, fields);
  builder_.SetInsertPoint(end);
  noteNext(next, fields);
  llvm::Value *nextLinear = builder_.CreateNUWAdd(linear, builder_.getInt32(1));
  linear->addIncoming(nextLinear, end);
  llvm::BranchInst *latch = builder_.CreateCondBr(builder_.CreateICmpULT(nextLinear, threads_), head, after);
  keepScalar(*latch);
  builder_.SetInsertPoint(after);
  endSharing();
  goOn(false);
}

// addNarrowStart() has the threads of narrow blocks taken on one by one: they gain nothing by meeting.
void BlockFunction::addNarrowStart() {
  stragglers_ = newBlock("stragglers");
  llvm::BasicBlock *choice = newBlock("start"), *narrow = newBlock("narrow");
  builder_.SetInsertPoint(choice);
  isNarrow_ = builder_.CreateICmpULT(width_, builder_.getInt32(leastWidth));
  builder_.CreateCondBr(isNarrow_, narrow, loopStarts_.front());
  builder_.SetInsertPoint(narrow);
  llvm::Value *bytes =
      builder_.CreateNUWMul(builder_.CreateZExt(threads_, builder_.getInt64Ty()), builder_.getInt64(sizeof(uint32_t)));
  builder_.CreateMemSet(arrayElement(stateOffset_, sizeof(uint32_t), builder_.getInt32(0)), builder_.getInt8(0), bytes,
                        llvm::MaybeAlign());
  builder_.CreateBr(stragglers_);
  first_ = choice;
}

void BlockFunction::beginNext() {
  builder_.CreateStore(builder_.getInt32(~0u), lowestNext_);
  builder_.CreateStore(builder_.getInt32(0), highestNext_);
}

// goOn() ends a loop over threads: to the region that all of them have come to, or one by one.
void BlockFunction::goOn(bool together) {
  llvm::Value *next = builder_.CreateLoad(builder_.getInt32Ty(), lowestNext_);
  if (!together) {
    if (!stragglers_) stragglers_ = newBlock("stragglers");
    llvm::BasicBlock *all = newBlock("together");
    llvm::Value *highest = builder_.CreateLoad(builder_.getInt32Ty(), highestNext_);
    llvm::Value *isTogether = builder_.CreateICmpEQ(next, highest);
    if (isNarrow_) {
      llvm::Value *isDone = builder_.CreateICmpEQ(next, builder_.getInt32(regions_->exit()));
      isTogether = builder_.CreateAnd(isTogether, builder_.CreateOr(builder_.CreateNot(isNarrow_), isDone));
    }
    builder_.CreateCondBr(isTogether, all, stragglers_);
    builder_.SetInsertPoint(all);
  }
  llvm::SwitchInst *choice = builder_.CreateSwitch(next, done_);
  for (unsigned i = 0; i < loopStarts_.size(); ++i) choice->addCase(builder_.getInt32(i), loopStarts_[i]);
}

// seesThread(): the called function may ask which thread runs.
bool BlockFunction::seesThread(const llvm::CallBase &call) const {
  const llvm::Function *callee = call.getCalledFunction();
  if (call.isInlineAsm() || callee == nullptr || callee->isIntrinsic()) return false;
  llvm::LibFunc known;
  return !library_.getLibFunc(callee->getName(), known) && !callee->getName().starts_with("hw_math_") &&
         callee->getName() != "hw_self";
}

// tellCallees() writes the running thread's place to hw_thread before each call that may look at it; true if there are
// any.
bool BlockFunction::tellCallees(llvm::ArrayRef<llvm::BasicBlock *> blocks, const ThreadFields &fields) {
  llvm::SmallVector<llvm::CallBase *> calls;
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &instruction : *block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && seesThread(*call)) calls.push_back(call);
  for (llvm::CallBase *call : calls) {
    builder_.SetInsertPoint(call);
    for (auto [offset, value] : fields.byOffset())
      builder_.CreateStore(value, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), self_, offset));
    // What LLVM has found out about the callee holds for one thread.
    call->setMemoryEffects(llvm::MemoryEffects::unknown());
    call->getCalledFunction()->setMemoryEffects(llvm::MemoryEffects::unknown());
  }
  return !calls.empty();
}

// setLoopProperty() writes metadata about the loop that `latch` closes.
static void setLoopProperty(llvm::BranchInst &latch, llvm::MDNode *property) {
  llvm::MDNode *id = llvm::MDNode::getDistinct(latch.getContext(), {nullptr, property});
  id->replaceOperandWith(0, id);
  latch.setMetadata(llvm::LLVMContext::MD_loop, id);
}

// allowReordering() tells LLVM that the threads' accesses do not depend on each other [CUDA 3.2.6]: without it, every
// row would begin with a comparison of all pointers.
void BlockFunction::allowReordering(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BranchInst &latch) {
  llvm::LLVMContext &context = module_.getContext();
  llvm::MDNode *group = llvm::MDNode::getDistinct(context, {});
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &instruction : *block)
      if (instruction.mayReadOrWriteMemory()) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
  setLoopProperty(latch,
                  llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group}));
}

void BlockFunction::keepScalar(llvm::BranchInst &latch) {
  llvm::LLVMContext &context = module_.getContext();
  setLoopProperty(latch, llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.vectorize.enable"),
                                                     llvm::ConstantAsMetadata::get(builder_.getFalse())}));
}

// finish() drops the code that the loops were copied from, and makes values of the variables that held them together.
void BlockFunction::finish() {
  builder_.SetInsertPoint(done_);
  builder_.CreateRetVoid();
  start_->getTerminator()->setSuccessor(0, first_);
  llvm::DeleteDeadBlocks(original_);
  llvm::EliminateUnreachableBlocks(*function_);
  for (auto [offset, value] : placeholders_.byOffset()) llvm::cast<llvm::Instruction>(value)->eraseFromParent();
  for (llvm::AllocaInst *local : locals_) local->eraseFromParent();
  for (const Slot &slot : regions_->slots()) {
    if (slot.uniform)
      temporaries_.push_back(slot.storage);
    else
      slot.storage->eraseFromParent();
  }
  llvm::DominatorTree dominators(*function_);
  llvm::PromoteMemToReg(temporaries_, dominators);
}

}  // namespace hostwarp::compiler
