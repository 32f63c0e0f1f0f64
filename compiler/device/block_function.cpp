#include "compiler/device/block_function.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <optional>

#include "compiler/device/block_shapes.h"
#include "compiler/device/collectives.h"
#include "compiler/device/column_order.h"
#include "compiler/device/guarded_values.h"
#include "compiler/device/lane_functions.h"
#include "compiler/device/lane_meetings.h"
#include "compiler/device/llvm_versions.h"
#include "compiler/device/loop_properties.h"
#include "compiler/device/meeting_points.h"
#include "compiler/device/memory_spaces.h"
#include "compiler/device/passes.h"
#include "compiler/device/state_addresses.h"
#include "compiler/device/thread_notes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

// Each boundary brings code of its own. CUB's largest kernels have 175.
constexpr size_t mostBoundaries = 200;
constexpr uint64_t mostFrameBytes = 16 * 1024;

bool isCallOf(const llvm::Instruction &instruction, llvm::StringRef name) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

// dropNotes() removes debug records and lifetime markers, which name variables that are about to become array elements.
// Debuggers look at the code for one thread, with -G.
void dropNotes(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      dropDebugRecords(instruction);
      auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (intrinsic && (intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic)))
        intrinsic->eraseFromParent();
    }
}

}  // namespace

BlockFunction::BlockFunction(llvm::Function &entry, const BlockShape &shape)
    : entry_(entry), shape_(shape), module_(*entry.getParent()), builder_(module_.getContext()) {}

llvm::Function *BlockFunction::build(const llvm::Twine &name) {
  cloneEntry(name);
  addStart();
  replaceFields();
  replaceSelf();
  if (looksAtOneThread(*self_)) return refuse("it keeps the address of the running thread's state");
  replaceExits();
  looksAtRows_ = !placeholders_.y->use_empty() || !placeholders_.z->use_empty();
  markParameterReads();
  hoistInvariants();
  if (!isChecked()) hoistFirstReads();
  useGuardedValues(*function_, {placeholders_.x, placeholders_.y, placeholders_.z, placeholders_.linear,
                                placeholders_.lane, placeholders_.warp});
  const Waits waits = replaceWaits();
  if (!waits.calls.empty()) function_->addFnAttr(runsBlock, waitsInside);
  collectLocals();
  const ThreadFields &p = placeholders_;
  const llvm::SmallVector<llvm::CallInst *> points = addMeetingPoints(*function_, p);
  meet_ = !points.empty();
  llvm::SmallVector<llvm::Value *> varying{p.x, p.y, p.z, p.linear, p.lane};
  if (!keepsUniformSlots() || staysTogether_) varying.push_back(p.warp);
  regions_ =
      std::make_unique<BarrierRegions>(*function_, *start_, varying, Boundaries{waits.calls, points, waits.stops});
  if (staysTogether_ && !llvm::all_of(regions_->regions(), [](const Region &each) { return each.nextIsUniform; }))
    return refuse("threads may part on their way to a barrier that counts them");
  goesByColumns_ = looksAtRows_ && !isChecked() && regions_->regions().size() == 1 && locals_.empty() &&
                   prefersColumns(*function_, p);
  layOutFrame();
  if (std::string why = whyTooLarge(); !why.empty()) return refuse("it has " + why);
  for (llvm::BasicBlock &block : *function_)
    if (&block != start_) original_.push_back(&block);
  done_ = newBlock("done");
  lowestNext_ = temporary(builder_.getInt32Ty());
  highestNext_ = temporary(builder_.getInt32Ty());
  for (unsigned i = 0; i < regions_->regions().size(); ++i) loopStarts_.push_back(newBlock("region"));
  addLoops();
  finish();
  relaxSharedAccesses(*function_);
  return function_;
}

llvm::Function *BlockFunction::refuse(std::string why) {
  whyRefused_ = std::move(why);
  function_->eraseFromParent();
  return nullptr;
}

// whyTooLarge() is empty when the function is not. A basic block is copied into each region that it belongs to, and
// once more into the code of stragglers.
std::string BlockFunction::whyTooLarge() {
  const size_t boundaries = regions_->regions().size(), instructions = regions_->instructionCount();
  const auto beyond = [](size_t count, size_t most, const char *what) {
    return count <= most ? "" : std::to_string(count) + " " + what + ", more than " + std::to_string(most);
  };
  if (boundaries > mostBoundaries) return beyond(boundaries, mostBoundaries, "places where threads wait");
  if (frameBytes_ > mostFrameBytes) return beyond(frameBytes_, mostFrameBytes, "bytes to keep for each thread");
  isTooLong_ = instructions > mostInstructions_;
  return beyond(instructions, mostInstructions_, "instructions between waits");
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
  function_->addFnAttr(runsBlock);
  dropNotes(*function_);
}

llvm::BasicBlock *BlockFunction::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(module_.getContext(), name, function_);
}

// addStart() makes the function's first basic block, which dominates all work-item loops. Until the loops exist,
// placeholders stand for the thread's indices.
void BlockFunction::addStart() {
  llvm::BasicBlock *body = &function_->getEntryBlock();
  start_ = newBlock("block");
  start_->moveBefore(body);
  builder_.SetInsertPoint(start_);
  self_ = llvm::cast<llvm::CallInst>(selfCall(builder_));
  const auto extent = [&](unsigned dimension) -> llvm::Value * {
    if (shape_ != anyBlock) return builder_.getInt32(shape_[dimension]);
    return loadField(builder_, extentOffset(dimension), builder_.getInt32Ty());
  };
  width_ = extent(0);
  height_ = extent(1);
  depth_ = extent(2);
  threads_ = builder_.CreateNUWMul(builder_.CreateNUWMul(width_, height_), depth_);
  llvm::Value *unknown = llvm::PoisonValue::get(builder_.getInt32Ty());
  for (const ThreadField &field : threadFields) placeholders_.*field.value = builder_.CreateFreeze(unknown);
  builder_.CreateBr(body);
}

// replaceCalls() puts `value` in the place of all calls of the function with this name, but for `value` itself.
void BlockFunction::replaceCalls(llvm::StringRef name, llvm::Value *value) {
  for (llvm::BasicBlock &block : *function_)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      if (!isCallOf(instruction, name) || &instruction == value) continue;
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
}

// replaceFields() puts placeholders in the place of the fields that differ between threads.
void BlockFunction::replaceFields() {
  for (const ThreadField &field : threadFields) replaceCalls(field.read, placeholders_.*field.value);
}

// replaceSelf() makes one call of hw_self() of all.
void BlockFunction::replaceSelf() { replaceCalls("hw_self", self_); }

// replaceExits(): a thread ends where the entry returns.
void BlockFunction::replaceExits() {
  for (llvm::BasicBlock &block : *function_)
    for (llvm::Instruction &instruction : block) {
      if (!isCallOf(instruction, exitName)) continue;
      for (llvm::BasicBlock *next : llvm::successors(&block)) next->removePredecessor(&block);
      while (&block.back() != &instruction) {
        block.back().replaceAllUsesWith(llvm::PoisonValue::get(block.back().getType()));
        block.back().eraseFromParent();
      }
      instruction.eraseFromParent();
      llvm::ReturnInst::Create(module_.getContext(), &block);
      break;
    }
}

// markParameterReads(): nobody writes to the launch's copies of the parameters, so what is read of a structure among
// them is the same for all threads and for good. A slot of the argument list leads to each copy.
void BlockFunction::markParameterReads() {
  llvm::SmallVector<const llvm::Value *> slots{function_->getArg(0)}, parts;
  while (!slots.empty())
    for (const llvm::User *user : slots.pop_back_val()->users()) {
      if (llvm::isa<llvm::GetElementPtrInst>(user)) slots.push_back(user);
      if (llvm::isa<llvm::LoadInst>(user) && user->getType()->isPointerTy()) parts.push_back(user);
    }
  while (!parts.empty())
    for (const llvm::User *user : parts.pop_back_val()->users()) {
      if (llvm::isa<llvm::GetElementPtrInst>(user)) parts.push_back(user);
      auto *load = llvm::dyn_cast<llvm::LoadInst>(const_cast<llvm::User *>(user));
      if (load && load->isSimple()) markInvariant(load);
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
      if (instruction->getParent() != start_) instruction->moveBefore(*start_, start_->getTerminator()->getIterator());
      // A slot of the argument list leads to the launch's copy of a parameter; what a parameter points at may change.
      const bool isSlot = isRead && instruction->getType()->isPointerTy() &&
                          instruction->getOperand(0)->stripInBoundsConstantOffsets() == function_->getArg(0);
      if (address || isSlot) work.push_back(instruction);
    }
  }
}

// mayPrecedeFirstRead(): a thread that does this before it reads changes nothing, waits for nobody, and learns nothing
// of what others have done.
static bool mayPrecedeFirstRead(const llvm::Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return (!load || load->isSimple()) && !instruction.mayHaveSideEffects() &&
         llvm::isGuaranteedToTransferExecutionToSuccessor(&instruction);
}

// hoist() moves the instruction and what it needs to the start.
void BlockFunction::hoist(llvm::Instruction &instruction) {
  if (instruction.getParent() == start_) return;
  for (llvm::Value *operand : instruction.operands())
    if (auto *needed = llvm::dyn_cast<llvm::Instruction>(operand)) hoist(*needed);
  instruction.moveBefore(*start_, start_->getTerminator()->getIterator());
}

// hoistFirstReads() reads at the start what all threads read from one place before they do anything else. None of them
// can have changed it by then, and none can know when the others have read it.
void BlockFunction::hoistFirstReads() {
  llvm::SmallPtrSet<const llvm::Instruction *, 16> placeholders, common;
  for (const ThreadField &field : threadFields)
    placeholders.insert(llvm::cast<llvm::Instruction>(placeholders_.*field.value));
  const auto isCommon = [&](const llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || common.contains(instruction) ||
           (instruction->getParent() == start_ && !placeholders.contains(instruction));
  };
  llvm::BasicBlock &body = *start_->getSingleSuccessor();
  llvm::SmallVector<llvm::LoadInst *> reads;
  for (llvm::Instruction &instruction : body) {
    if (!mayPrecedeFirstRead(instruction)) break;
    if (llvm::isa<llvm::AllocaInst, llvm::PHINode, llvm::CallBase>(instruction) || instruction.isTerminator() ||
        !llvm::all_of(instruction.operands(), isCommon))
      continue;
    common.insert(&instruction);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) reads.push_back(load);
  }
  for (llvm::LoadInst *read : reads) hoist(*read);
}

void BlockFunction::collectLocals() {
  for (llvm::Instruction &instruction : *start_)
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) locals_.push_back(local);
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(*start_->getSingleSuccessor()))
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      local->moveBefore(*start_, start_->getTerminator()->getIterator());
      locals_.push_back(local);
    }
}

llvm::SmallVector<llvm::CallInst *> BlockFunction::exchanges() const {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::BasicBlock &block : *function_)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && exchangeOf(*call)) calls.push_back(call);
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
    if (!slot.uniform || keepsUniformSlots()) add(slot.storage);
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
  llvm::Value *&array = framed_[offset];
  if (!array) {
    llvm::IRBuilder<> early(start_->getTerminator());
    array = early.CreateInBoundsGEP(byte, function_->getArg(1),
                                    early.CreateNUWMul(early.CreateZExt(threads_, wide), early.getInt64(offset)));
  }
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

ThreadFields BlockFunction::fieldsOf(llvm::Value *linear) {
  // No block has an extent of 0. Where that is not plain, nobody may compute anew what follows from the quotient.
  const auto divisor = [&](llvm::Value *extent) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, extent, builder_.getInt32(1));
  };
  llvm::Value *width = divisor(width_), *height = divisor(height_), *row = builder_.CreateUDiv(linear, width);
  return fieldsOf(builder_.CreateURem(linear, width), builder_.CreateURem(row, height),
                  builder_.CreateUDiv(row, height), linear);
}

ThreadFields BlockFunction::fieldsOf(llvm::Value *x, llvm::Value *y, llvm::Value *z, llvm::Value *linear) {
  return {x, y, z, linear, builder_.CreateAnd(linear, 31), builder_.CreateLShr(linear, 5)};
}

// beginTurn() begins one iteration of a work-item loop: it maps the placeholders to this thread's indices, and local
// variables and slots to this thread's elements of the context arrays. copyBlocks() copies the code with that map.
void BlockFunction::beginTurn(LoopParts &parts, const ThreadFields &fields) {
  for (const ThreadField &field : threadFields) parts.map[placeholders_.*field.value] = fields.*field.value;
  mapLocals(parts, fields);
  mapSlots(parts, fields);
}

// mapLocals() does so for the variables that the region uses: a kernel of many regions has variables for each.
void BlockFunction::mapLocals(LoopParts &parts, const ThreadFields &fields) {
  const llvm::DataLayout &layout = module_.getDataLayout();
  const auto isInRegion = [&](const llvm::User *user) {
    auto *block = llvm::cast<llvm::Instruction>(user)->getParent();
    return parts.region->blocks.contains(const_cast<llvm::BasicBlock *>(block));
  };
  for (const llvm::AllocaInst *local : locals_) {
    if (llvm::none_of(local->users(), isInRegion)) continue;
    const uint64_t bytes = llvm::alignTo(local->getAllocationSize(layout)->getFixedValue(), local->getAlign());
    parts.map[local] = arrayElement(offsets_[local], bytes, fields.linear);
  }
}

llvm::AllocaInst *BlockFunction::temporary(llvm::Type *type) {
  llvm::AllocaInst *variable = llvm::IRBuilder<>(start_->getTerminator()).CreateAlloca(type);
  temporaries_.push_back(variable);
  return variable;
}

// slotElement() is the thread's element of the slot's array.
llvm::Value *BlockFunction::slotElement(const Slot &slot, llvm::Value *linear) {
  const uint64_t bytes = module_.getDataLayout().getTypeAllocSize(slot.storage->getAllocatedType());
  return arrayElement(offsets_[slot.storage], llvm::alignTo(bytes, slot.storage->getAlign()), linear);
}

// mapSlots() loads the values that are live into the region from their slots at the beginning of the iteration.
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
    if (parts.index ? !slot.liveInto.contains(*parts.index) : slot.liveInto.empty()) {
      // What one thread leaves in the variable is not the next one's, unless all have the same.
      if (!slot.uniform) builder_.CreateStore(llvm::PoisonValue::get(type), variable.value);
      continue;
    }
    llvm::Value *last =
        slot.uniform ? builder_.CreateLoad(type, slot.storage)
        : type->isIntegerTy(1)
            ? builder_.CreateTrunc(builder_.CreateLoad(builder_.getInt8Ty(), slotElement(slot, fields.linear)), type)
            : builder_.CreateLoad(type, slotElement(slot, fields.linear));
    builder_.CreateStore(last, variable.value);
  }
}

// endTurn() stores, at the end of the iteration, what the region has computed for later regions into their slots.
void BlockFunction::endTurn(const LoopParts &parts, const ThreadFields &fields) {
  for (const LoopParts::Variable &variable : parts.variables) {
    if (!variable.written || (variable.slot->uniform && !isNeeded(parts, *variable.slot))) continue;
    llvm::Type *type = variable.slot->storage->getAllocatedType();
    llvm::Value *value = builder_.CreateLoad(type, variable.value);
    if (variable.slot->uniform)
      builder_.CreateStore(ifNeeded(parts, *variable.slot, value), pending_[variable.slot]);
    else
      builder_.CreateStore(type->isIntegerTy(1) ? builder_.CreateZExt(value, builder_.getInt8Ty()) : value,
                           slotElement(*variable.slot, fields.linear));
  }
}

bool BlockFunction::isNeeded(const LoopParts &parts, const Slot &slot) const {
  return llvm::any_of(parts.region->next, [&](unsigned next) { return slot.liveInto.contains(next); });
}

// ifNeeded() is `value` where the thread goes on to a region that uses it, else what the slot holds so far: a thread
// that goes another way may not have executed the code that computes the value.
llvm::Value *BlockFunction::ifNeeded(const LoopParts &parts, const Slot &slot, llvm::Value *value) {
  if (parts.region->nextIsUniform) return value;
  llvm::Value *needed = builder_.getFalse();
  for (unsigned next : parts.region->next)
    if (slot.liveInto.contains(next))
      needed = builder_.CreateOr(needed, builder_.CreateICmpEQ(parts.next, builder_.getInt32(code(next))));
  return builder_.CreateSelect(needed, value, builder_.CreateLoad(value->getType(), pending_[&slot]));
}

// beginSharing() and endSharing() come before and after a work-item loop. Inside of the loop, uniform slots are read
// only and new values go to pending_; endSharing() copies them over. So all iterations start with the same values.
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

// copyBlocks() copies the region's code, in which edges to a boundary or to the kernel's end now lead to `end`. In the
// code of stragglers (parts.index is empty) meeting points are no boundaries.
void BlockFunction::copyBlocks(LoopParts &parts, llvm::BasicBlock *end) {
  for (llvm::BasicBlock *block : parts.region->blocks) {
    llvm::BasicBlock *copy = llvm::CloneBasicBlock(block, parts.map, "", function_);
    parts.map[block] = copy;
    parts.blocks.push_back(copy);
    for (llvm::PHINode &phi : copy->phis())
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (!parts.region->blocks.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
    const unsigned *next = parts.index ? regions_->after(block) : regions_->afterBarrier(block);
    if (next && parts.passed && parts.passed->contains(*next)) {
      parts.passages.push_back({copy, *next});
    } else if (next || llvm::isa<llvm::ReturnInst>(copy->getTerminator())) {
      copy->getTerminator()->eraseFromParent();
      llvm::BranchInst::Create(end, copy);
      parts.exits.push_back({copy, next ? *next : regions_->exit()});
    }
  }
  llvm::remapInstructionsInBlocks(parts.blocks, parts.map);
  builder_.SetInsertPoint(end);
  const size_t ways = parts.exits.size();
  llvm::PHINode *next = ways == 0 ? nullptr : builder_.CreatePHI(builder_.getInt32Ty(), ways, "next");
  for (auto [block, index] : parts.exits) next->addIncoming(builder_.getInt32(code(index)), block);
  parts.next = next ? static_cast<llvm::Value *>(next) : builder_.getInt32(code(regions_->exit()));
}

// noteNext() stores the state of the thread, which is the region that it goes on with, and updates the lowest and the
// highest state of all threads: where these are equal, the block has converged.
void BlockFunction::noteNext(llvm::Value *next, llvm::Value *linear) {
  llvm::Type *type = builder_.getInt32Ty();
  builder_.CreateStore(next, stateOf(linear));
  for (auto [variable, operation] :
       {std::pair(lowestNext_, llvm::Intrinsic::umin), std::pair(highestNext_, llvm::Intrinsic::umax)})
    builder_.CreateStore(builder_.CreateBinaryIntrinsic(operation, builder_.CreateLoad(type, variable), next),
                         variable);
}

// endRegionTurn() ends a turn of the region's loop, and notes which region the thread goes on with.
void BlockFunction::endRegionTurn(const LoopParts &parts, const ThreadFields &fields) {
  endTurn(parts, fields);
  if (parts.region->nextIsUniform)
    builder_.CreateStore(parts.next, lowestNext_);
  else
    noteNext(parts.next, fields.linear);
}

void BlockFunction::addTurn(LoopParts &parts, const ThreadFields &fields, llvm::BasicBlock *turn,
                            llvm::BasicBlock *end) {
  builder_.SetInsertPoint(turn);
  beginTurn(parts, fields);
  for (auto [array, variable] : parts.variableOf) parts.map[array] = variable;
  copyBlocks(parts, end);
}

llvm::Value *BlockFunction::addStragglerTurn(llvm::Value *state, const ThreadFields &fields, llvm::BasicBlock *turn,
                                             llvm::BasicBlock *leave) {
  LoopParts parts(regions_->whole(), std::nullopt);
  addTurn(parts, fields, turn, leave);
  builder_.SetInsertPoint(turn);
  const auto entry = [&](unsigned i) { return llvm::cast<llvm::BasicBlock>(parts.map[regions_->regions()[i].entry]); };
  llvm::SwitchInst *choice = builder_.CreateSwitch(state, entry(0));
  for (unsigned i = 1; i < loopStarts_.size(); ++i) choice->addCase(builder_.getInt32(freeCode(i)), entry(i));
  builder_.SetInsertPoint(leave);
  endTurn(parts, fields);
  tellCallees(parts.blocks, fields);
  builder_.SetInsertPoint(leave);
  return parts.next;
}

// clearStates() has all threads begin one by one.
void BlockFunction::clearStates() {
  llvm::Value *bytes =
      builder_.CreateNUWMul(builder_.CreateZExt(threads_, builder_.getInt64Ty()), builder_.getInt64(sizeof(uint32_t)));
  builder_.CreateMemSet(stateOf(builder_.getInt32(0)), builder_.getInt8(0), bytes, llvm::MaybeAlign());
}

void BlockFunction::beginNext() {
  builder_.CreateStore(builder_.getInt32(~0u), lowestNext_);
  builder_.CreateStore(builder_.getInt32(0), highestNext_);
}

// tellCallees() notes at each call that may look at hw_thread which thread runs; true if there are any.
bool BlockFunction::tellCallees(llvm::ArrayRef<llvm::BasicBlock *> blocks, const ThreadFields &fields) {
  llvm::SmallVector<llvm::CallBase *> calls;
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &instruction : *block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && mayLookAtThread(*call))
        calls.push_back(call);
  for (llvm::CallBase *call : calls) noteThread(*call, *self_, fields, isChecked() ? nullptr : laneFunctionOf(*call));
  return !calls.empty();
}

void BlockFunction::markRows(llvm::BranchInst &latch) {
  addLoopProperty(latch, {llvm::MDString::get(module_.getContext(), rowLoop)});
}

void BlockFunction::markJoined(llvm::BranchInst &latch, unsigned number) {
  addLoopProperty(latch, {llvm::MDString::get(module_.getContext(), joinedLoop),
                          llvm::ConstantAsMetadata::get(builder_.getInt32(number))});
}

void BlockFunction::markSpare(llvm::BranchInst &latch, unsigned number) {
  addLoopProperty(latch, {llvm::MDString::get(module_.getContext(), spareLoop),
                          llvm::ConstantAsMetadata::get(builder_.getInt32(number))});
}

void BlockFunction::markLookUp(llvm::BranchInst &latch) {
  addLoopProperty(latch, {llvm::MDString::get(module_.getContext(), lookUpLoop)});
}

void BlockFunction::markShortRows(llvm::BranchInst &latch) {
  addLoopProperty(latch, {llvm::MDString::get(module_.getContext(), shortRows)});
}

void BlockFunction::keepScalar(llvm::BranchInst &latch) {
  llvm::LLVMContext &context = module_.getContext();
  addLoopProperty(latch, {llvm::MDString::get(context, "llvm.loop.vectorize.enable"),
                          llvm::ConstantAsMetadata::get(builder_.getFalse())});
}

// closeThreads() says what LLVM may rely on of the loop over threads that `latch` closes. parts.blocks are all of it.
void BlockFunction::closeThreads(const LoopParts &parts, const ThreadFields &fields, llvm::BranchInst &latch) {
  if (!tellCallees(parts.blocks, fields)) allowReordering(parts.blocks, latch);
  markThreads(latch);
  keepRolled(latch);
}

// finish() deletes the code that the regions were copied from, and promotes the temporaries to SSA values.
void BlockFunction::finish() {
  builder_.SetInsertPoint(done_);
  builder_.CreateRetVoid();
  start_->getTerminator()->setSuccessor(0, first_);
  llvm::DeleteDeadBlocks(original_);
  llvm::EliminateUnreachableBlocks(*function_);
  for (const ThreadField &field : threadFields)
    llvm::cast<llvm::Instruction>(placeholders_.*field.value)->eraseFromParent();
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
