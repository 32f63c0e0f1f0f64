// Memory as several threads access it: one element for all, elements side by side, or wherever each lane's is.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

#include <limits>

#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/llvm_versions.h"
#include "compiler/device/remarks.h"

namespace hostwarp::compiler {

// emitLoad() looks, where addresses may be side by side, whether they are. Those that come from memory hardly ever are.
void LaneEmitter::emitLoad(llvm::LoadInst &load) {
  if (const AccessGroups::Group *group = groupOf(load)) return emitGroup(load, *group);
  llvm::Value &address = *load.getPointerOperand();
  const uint64_t bytes = load.getModule()->getDataLayout().getTypeStoreSize(load.getType());
  const Shape shape = shapeOf(address);
  if (shape.isStrided() && shape.stride() == static_cast<int64_t>(bytes))
    return define(load, loadSideBySide(load, scalarOf(address)));
  if (const std::optional<LaneWindow> window = patterns_.windowOf(load, lanes_ != nullptr))
    return define(load, lanes_ ? loadParts(load, *window) : loadWindow(load, *window));
  if (shape.isStrided() || shapes_.comesFromMemory(address)) {
    remark(RemarkKind::Analysis, function_, &load, "each thread's element is looked up by itself (gather)");
    return define(load, gather(load));
  }
  Lineup lineup = lineUp(address, bytes);
  remark(RemarkKind::Analysis, function_, &load, "whether elements are side by side is looked at while it runs");
  llvm::SmallVector<std::pair<llvm::Value *, llvm::BasicBlock *>> ways;
  const auto take = [&](llvm::Value *loaded) { ways.emplace_back(loaded, builder_.GetInsertBlock()); };
  goIf(*lineup.isSideBySide, "side_by_side", [&] { take(loadSideBySide(load, lineup.first)); });
  if (llvm::Value *areRows = hasShortRows(bytes) ? rowsAreSideBySide(lineup) : nullptr)
    goIf(*areRows, "rows", [&] { take(loadRows(load, lineup)); });
  take(gather(load));
  define(load, joined(ways, "loaded"));
}

// emitScalarsOf() has what lanes share of the access's operands emitted here, since several ways use it.
void LaneEmitter::emitScalarsOf(const llvm::Instruction &access) {
  for (llvm::Value *operand : access.operands())
    if (!shapeOf(*operand).isVarying()) scalarOf(*operand);
}

// goIf() emits what is done where the condition holds, into a block that has no end yet, and goes on where it does not.
void LaneEmitter::goIf(llvm::Value &condition, const char *name, llvm::function_ref<void()> emitThen) {
  llvm::BasicBlock *then = newBlock(name), *otherwise = newBlock("apart");
  builder_.CreateCondBr(&condition, then, otherwise);
  builder_.SetInsertPoint(then);
  emitThen();
  builder_.SetInsertPoint(otherwise);
}

void LaneEmitter::emitStore(llvm::StoreInst &store) {
  if (const AccessGroups::Group *group = groupOf(store)) return emitGroup(store, *group);
  llvm::Value &address = *store.getPointerOperand(), &value = *store.getValueOperand();
  const uint64_t bytes = store.getModule()->getDataLayout().getTypeStoreSize(value.getType());
  const Shape shape = shapeOf(address);
  if (shape.isUniform() && shapeOf(value).isUniform()) {
    builder_.CreateAlignedStore(scalarOf(value), scalarOf(address), store.getAlign());
    return;
  }
  if (shape.isUniform()) return storeOne(store);
  if (shape.isStrided() && shape.stride() == static_cast<int64_t>(bytes))
    return storeSideBySide(store, scalarOf(address));
  if (const std::optional<LaneWindow> window = patterns_.windowOf(store, lanes_ != nullptr))
    return storeWindow(store, *window);
  if (shape.isStrided() || shapes_.comesFromMemory(address)) {
    remark(RemarkKind::Analysis, function_, &store, "each thread's element is stored by itself (scatter)");
    return scatter(store);
  }
  emitScalarsOf(store);
  Lineup lineup = lineUp(address, bytes);
  remark(RemarkKind::Analysis, function_, &store, "whether elements are side by side is looked at while it runs");
  llvm::SmallVector<llvm::BasicBlock *> ways;
  goIf(*lineup.isSideBySide, "side_by_side", [&] {
    storeSideBySide(store, lineup.first);
    ways.push_back(builder_.GetInsertBlock());
  });
  if (llvm::Value *areRows = hasShortRows(bytes) ? rowsAreSideBySide(lineup) : nullptr)
    goIf(*areRows, "rows", [&] {
      storeRows(store, lineup);
      ways.push_back(builder_.GetInsertBlock());
    });
  scatter(store);
  llvm::BasicBlock *after = newBlock("stored");
  builder_.CreateBr(after);
  for (llvm::BasicBlock *from : ways) llvm::BranchInst::Create(after, from);
  builder_.SetInsertPoint(after);
}

// placeOf(): a number that is extended to an address's width is taken as it was before, since vectors of 32 bits are
// half as long, and so is what they are looked up with.
std::optional<LaneEmitter::Place> LaneEmitter::placeOf(llvm::Value &address) {
  const llvm::DataLayout &layout = function_.getParent()->getDataLayout();
  llvm::Value *at = &address, *offset = builder_.getInt64(0);
  Place place;
  while (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(at)) {
    if (!shapeOf(*step).isVarying()) break;
    IndexScales scales;
    llvm::APInt constant(64, 0);
    if (!step->collectOffset(layout, 64, scales, constant)) return std::nullopt;
    offset = builder_.CreateAdd(offset, builder_.getInt(constant));
    for (auto &[index, scale] : scales) {
      if (shapeOf(*index).isUniform()) {
        llvm::Value *number = builder_.CreateSExtOrTrunc(scalarOf(*index), builder_.getInt64Ty());
        offset = builder_.CreateAdd(offset, builder_.CreateMul(number, builder_.getInt(scale)));
      } else if (place.number) {
        return std::nullopt;
      } else {
        place.number = index;
        place.scale = scale.getSExtValue();
      }
    }
    at = step->getPointerOperand();
  }
  if (!place.number || !shapeOf(*at).isUniform()) return std::nullopt;
  if (place.scale != 1 && place.scale != 2 && place.scale != 4 && place.scale != 8) return std::nullopt;
  place.base = builder_.CreatePtrAdd(scalarOf(*at), offset);
  auto *extension = llvm::dyn_cast<llvm::CastInst>(place.number);
  if (extension && extension->getSrcTy()->isIntegerTy(32) && !shapeOf(*extension->getOperand(0)).isUniform() &&
      (llvm::isa<llvm::SExtInst>(extension) || (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg())))
    place.number = extension->getOperand(0);
  return place;
}

static bool isAddition(const llvm::Instruction &instruction) {
  if (auto *either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction)) return either->isDisjoint();
  return instruction.getOpcode() == llvm::Instruction::Add;
}

// takeOutAddends() leaves of the number what lanes differ in, and returns the rest; null: there is none. Both wrap
// around as the number does.
llvm::Value *LaneEmitter::takeOutAddends(llvm::Value *&number) {
  constexpr unsigned most = 8;
  llvm::Value *rest = nullptr;
  for (unsigned i = 0; i < most; ++i) {
    auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(number);
    const bool isDifference = sum && sum->getOpcode() == llvm::Instruction::Sub;
    if (!sum || (!isDifference && !isAddition(*sum))) break;
    const auto isShared = [&](unsigned operand) { return shapeOf(*sum->getOperand(operand)).isUniform(); };
    const unsigned shared = isShared(1) ? 1 : 0;
    if (shared == 0 && (isDifference || !isShared(0))) break;
    llvm::Value *addend = scalarOf(*sum->getOperand(shared));
    if (isDifference) addend = builder_.CreateNeg(addend);
    rest = rest ? builder_.CreateAdd(rest, addend) : addend;
    number = sum->getOperand(1 - shared);
  }
  return rest;
}

// addressesOf() computes the lanes' addresses where they are used: a gather takes the number as it is then.
llvm::Value *LaneEmitter::addressesOf(llvm::Value &address) {
  const std::optional<Place> place = placeOf(address);
  if (!place) return vectorOf(address);
  llvm::Value *index = vectorOf(*place->number);
  llvm::Type *wide = vectorType(builder_.getInt64Ty());
  if (index->getType() != wide) index = builder_.CreateSExt(index, wide);
  return builder_.CreateGEP(builder_.getIntNTy(static_cast<unsigned>(place->scale) * 8), place->base, index);
}

// lineUp() finds out where the first lane's element were, were it there, if those of all lanes that are there follow
// each other.
LaneEmitter::Lineup LaneEmitter::lineUp(llvm::Value &address, uint64_t bytes) {
  llvm::Type *wide = builder_.getInt64Ty();
  const std::optional<Place> place = placeOf(address);
  const int64_t step = place ? static_cast<int64_t>(bytes) / place->scale : 0;
  Lineup lineup;
  lineup.type = address.getType();
  if (!place || !place->number->getType()->isIntegerTy(32) || step * place->scale != static_cast<int64_t>(bytes)) {
    lineup.step = static_cast<int64_t>(bytes);
    llvm::Value *numbers = builder_.CreatePtrToInt(vectorOf(address), vectorType(wide));
    lineup.starts = builder_.CreateSub(numbers, laneNumbers(wide, lineup.step));
    lineup.first = addressAt(lineup, startOf(lineup.starts, lineup.isSideBySide));
    return lineup;
  }
  lineup.base = place->base;
  lineup.scale = place->scale;
  lineup.step = step;
  // Of elements at several distances from one number the question is the same, and asked once.
  llvm::Value *number = place->number;
  lineup.shared = takeOutAddends(number);
  lineup.starts = builder_.CreateSub(vectorOf(*number), laneNumbers(builder_.getInt32Ty(), step));
  llvm::Value *start = withShared(lineup, startOf(lineup.starts, lineup.isSideBySide));
  lineup.isSideBySide = builder_.CreateAnd(lineup.isSideBySide, doesNotWrap(lineup, start, width_));
  lineup.first = addressAt(lineup, start);
  return lineup;
}

// withShared() is the whole number of which the lineup has `start`.
llvm::Value *LaneEmitter::withShared(const Lineup &lineup, llvm::Value *start) {
  return lineup.shared ? builder_.CreateAdd(start, lineup.shared) : start;
}

// addressAt() is where the element with this number lies.
llvm::Value *LaneEmitter::addressAt(const Lineup &lineup, llvm::Value *number) {
  if (!lineup.base) return builder_.CreateIntToPtr(number, lineup.type);
  llvm::Value *wide = builder_.CreateSExt(number, builder_.getInt64Ty());
  return builder_.CreatePtrAdd(lineup.base, builder_.CreateMul(wide, builder_.getInt64(lineup.scale)));
}

// doesNotWrap(): numbers of 32 bits that wrap around are not side by side.
llvm::Value *LaneEmitter::doesNotWrap(const Lineup &lineup, llvm::Value *number, unsigned lanes) {
  if (!lineup.base) return builder_.getTrue();
  const auto most = static_cast<uint32_t>(std::numeric_limits<int32_t>::max() - lineup.step * lanes);
  return builder_.CreateICmpSLE(number, builder_.getInt32(most));
}

// startOf() is what all lanes have that are there, if they have the same.
llvm::Value *LaneEmitter::startOf(llvm::Value *starts, llvm::Value *&isSame) {
  llvm::Value *start = builder_.CreateExtractElement(starts, firstActive());
  llvm::Value *equal = builder_.CreateICmpEQ(starts, builder_.CreateVectorSplat(width_, start));
  if (lanes_) equal = builder_.CreateSelect(lanes_, equal, allLanes());
  isSame = builder_.CreateAndReduce(equal);
  return start;
}

// firstActive() is the number of the first lane that is there. pre: one is.
llvm::Value *LaneEmitter::firstActive() {
  if (!lanes_) return builder_.getInt32(0);
  llvm::Value *bits = builder_.CreateBitCast(lanes_, builder_.getIntNTy(width_));
  llvm::Value *number = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getTrue());
  return builder_.CreateZExt(number, builder_.getInt32Ty());
}

// hasSlowMasks(): before AVX-512 bytes and words have no masked accesses, but a branch and an access for each lane.
bool LaneEmitter::hasSlowMasks(const llvm::Type &element) const {
  const bool isNarrow = element.getScalarSizeInBits() < 32 && !element.isPointerTy();
  return isNarrow && function_.getFnAttribute("target-cpu").getValueAsString() != "x86-64-v4";
}

// hasSlowMaskedStores(): AVX2's are ten times as slow as whole ones on AMD's processors up to Zen 3, and a branch for
// each lane before AVX2.
bool LaneEmitter::hasSlowMaskedStores() const { return !hasScatters(); }

// storeIfAll() does a store without a mask where all lanes are there, and another one where some are not, as is known
// of a warp that is not full.
void LaneEmitter::storeIfAll(llvm::function_ref<void()> storeAll, llvm::function_ref<void()> storeSome) {
  if (!lanes_) return storeAll();
  if (present_ || !hasSlowMaskedStores()) return storeSome();
  llvm::BasicBlock *allEnd = nullptr;
  goIf(*builder_.CreateAndReduce(lanes_), "all", [&] {
    storeAll();
    allEnd = builder_.GetInsertBlock();
  });
  storeSome();
  llvm::BasicBlock *someEnd = builder_.GetInsertBlock(), *after = newBlock("written");
  for (llvm::BasicBlock *from : {allEnd, someEnd}) llvm::BranchInst::Create(after, from);
  builder_.SetInsertPoint(after);
}

// isInPage(): memory is there by pages. Where one lane reads something, all that lies in the same page can be read.
llvm::Value *LaneEmitter::isInPage(llvm::Value *address, uint64_t bytes) {
  constexpr uint64_t page = 4096;
  llvm::Value *within = builder_.CreateAnd(builder_.CreatePtrToInt(address, builder_.getInt64Ty()), page - 1);
  return builder_.CreateICmpULE(within, builder_.getInt64(page - bytes));
}

llvm::Value *LaneEmitter::loadSideBySide(llvm::LoadInst &load, llvm::Value *first) {
  llvm::VectorType *type = vectorType(load.getType());
  const auto all = [&] { return builder_.CreateAlignedLoad(type, first, load.getAlign()); };
  if (!lanes_) return all();
  const auto masked = [&] {
    return builder_.CreateMaskedLoad(type, first, load.getAlign(), lanes_, llvm::PoisonValue::get(type));
  };
  // Of a variable whose size LLVM knows nothing may be read but what it has.
  const bool isVariable = llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(llvm::getUnderlyingObject(first));
  if (!hasSlowMasks(*load.getType()) || isVariable) return masked();
  const uint64_t bytes = function_.getParent()->getDataLayout().getTypeStoreSize(type);
  llvm::Value *wide = nullptr;
  llvm::BasicBlock *wideEnd = nullptr;
  goIf(*isInPage(first, bytes), "in_page", [&] {
    wide = all();
    wideEnd = builder_.GetInsertBlock();
  });
  llvm::Value *some = masked();
  return joined({{wide, wideEnd}, {some, builder_.GetInsertBlock()}}, "read");
}

void LaneEmitter::storeSideBySide(llvm::StoreInst &store, llvm::Value *first) {
  llvm::Value *value = vectorOf(*store.getValueOperand());
  const bool hasMasks = !hasSlowMasks(*store.getValueOperand()->getType());
  emitScalarsOf(store);
  storeIfAll([&] { builder_.CreateAlignedStore(value, first, store.getAlign()); },
             [&] {
               if (!hasMasks) return emitOneByOne(store);
               builder_.CreateMaskedStore(value, first, store.getAlign(), lanes_);
             });
}

// hasScatters(): before AVX-512 there are none, and LLVM takes gathers apart as well.
bool LaneEmitter::hasScatters() const {
  return function_.getFnAttribute("target-cpu").getValueAsString() == "x86-64-v4";
}

// takesTurns(): of the accesses of a whole warp, LLVM would write each out, which is quicker, and most of the code of
// libraries' kernels.
bool LaneEmitter::takesTurns() const { return isBrief_ && isWarp() && !hasScatters(); }

// addressesApart() are the lanes' addresses where they follow each other at equal distances; empty: they do not. To
// take elements there one by one is quicker than before AVX-512 LLVM's way, which computes a vector of addresses to
// take it apart again, and than AVX-512's scatter of 16 elements.
llvm::SmallVector<llvm::Value *> LaneEmitter::addressesApart(llvm::Value &address) {
  llvm::SmallVector<llvm::Value *> addresses;
  const Shape shape = shapeOf(address);
  if (lanes_ || !shape.isStrided()) return addresses;
  for (unsigned lane = 0; lane < width_; ++lane)
    addresses.push_back(builder_.CreatePtrAdd(scalarOf(address), builder_.getInt64(shape.stride() * lane)));
  return addresses;
}

// gather() reads one lane after the other under masks for which there is no instruction, as scatter() stores.
llvm::Value *LaneEmitter::gather(llvm::LoadInst &load) {
  if (takesTurns()) return oneByOneOf(load);
  llvm::VectorType *type = vectorType(load.getType());
  const auto apart = hasScatters() ? llvm::SmallVector<llvm::Value *>() : addressesApart(*load.getPointerOperand());
  if (!apart.empty()) {
    llvm::Value *loaded = llvm::PoisonValue::get(type);
    for (auto [lane, address] : llvm::enumerate(apart)) {
      llvm::Value *element = builder_.CreateAlignedLoad(load.getType(), address, load.getAlign());
      loaded = builder_.CreateInsertElement(loaded, element, lane);
    }
    return loaded;
  }
  llvm::Value *addresses = addressesOf(*load.getPointerOperand());
  const auto together = [&](llvm::Value *lanes) {
    return builder_.CreateMaskedGather(type, addresses, load.getAlign(), lanes, llvm::PoisonValue::get(type));
  };
  if (!lanes_ || !hasSlowMasks(*load.getType())) return together(lanes_ ? lanes_ : allLanes());
  emitScalarsOf(load);
  llvm::Value *all = nullptr;
  llvm::BasicBlock *allEnd = nullptr;
  goIf(*builder_.CreateAndReduce(lanes_), "all", [&] {
    all = together(allLanes());
    allEnd = builder_.GetInsertBlock();
  });
  llvm::Value *some = oneByOneOf(load);
  return joined({{all, allEnd}, {some, builder_.GetInsertBlock()}}, "read");
}

// joined() goes on behind several ways, each of which ends in a block without a terminator, with the value of the one
// that was taken.
llvm::Value *LaneEmitter::joined(llvm::ArrayRef<std::pair<llvm::Value *, llvm::BasicBlock *>> ways, const char *name) {
  llvm::BasicBlock *after = newBlock(name);
  for (auto [value, from] : ways) llvm::BranchInst::Create(after, from);
  builder_.SetInsertPoint(after);
  llvm::PHINode *value = builder_.CreatePHI(ways[0].first->getType(), static_cast<unsigned>(ways.size()));
  for (auto [each, from] : ways) value->addIncoming(each, from);
  return value;
}

// storeOne() stores to the place that all lanes name what one of them has: of a warp, which a GPU lets win. The lowest
// lane does; where values are wider than 4 bytes, halves and quarters of the warp follow each other.
void LaneEmitter::storeOne(llvm::StoreInst &store) {
  llvm::Value &value = *store.getValueOperand();
  const uint64_t bytes = store.getModule()->getDataLayout().getTypeStoreSize(value.getType());
  llvm::Value *vector = vectorOf(value), *lane = firstActive();
  const unsigned last = !isWarp() || bytes <= 4 ? 0 : bytes <= 8 ? 16 : 24;
  if (last > 0 && !lanes_) lane = builder_.getInt32(last);
  if (last > 0 && lanes_) {
    llvm::Value *bits = builder_.CreateBitCast(lanes_, builder_.getInt32Ty());
    llvm::Value *later = builder_.CreateLShr(bits, last);
    llvm::Value *number = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, later, builder_.getFalse());
    lane =
        builder_.CreateSelect(builder_.CreateIsNull(later), lane, builder_.CreateAdd(number, builder_.getInt32(last)));
  }
  builder_.CreateAlignedStore(builder_.CreateExtractElement(vector, lane), scalarOf(*store.getPointerOperand()),
                              store.getAlign());
}

// scatter(): of lanes that store to one place the last wins. Before AVX-512 LLVM would make a branch for each lane of a
// mask, which takes longer than a turn for each lane that is there, and is most of the code of libraries' kernels.
void LaneEmitter::scatter(llvm::StoreInst &store) {
  emitScalarsOf(store);
  if (takesTurns()) return emitOneByOne(store);
  const bool isScattered =
      hasScatters() && (isBrief_ || store.getValueOperand()->getType()->getScalarSizeInBits() != 32);
  const auto apart = isScattered ? llvm::SmallVector<llvm::Value *>() : addressesApart(*store.getPointerOperand());
  if (!apart.empty()) {
    llvm::Value *value = vectorOf(*store.getValueOperand());
    for (auto [lane, address] : llvm::enumerate(apart))
      builder_.CreateAlignedStore(builder_.CreateExtractElement(value, lane), address, store.getAlign());
    return;
  }
  llvm::Value *value = vectorOf(*store.getValueOperand()), *addresses = addressesOf(*store.getPointerOperand());
  const auto together = [&](llvm::Value *lanes) {
    builder_.CreateMaskedScatter(value, addresses, store.getAlign(), lanes);
  };
  if (!lanes_ || !hasSlowMaskedStores()) return together(lanes_ ? lanes_ : allLanes());
  storeIfAll([&] { together(allLanes()); }, [&] { emitOneByOne(store); });
}

}  // namespace hostwarp::compiler
