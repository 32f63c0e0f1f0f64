// Where the processor has no instruction for lanes that access what lies anywhere in memory, or some of them nothing,
// LLVM writes a branch and an access for each lane. Of 32 lanes that is a hundred instructions in sixty blocks, each
// time: nine tenths of some functions, and of the time that they take to compile. A loop over the lanes that access
// something takes about as long to run, so functions have that which are to stay short, or have many such accesses.
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// LaneAccess is what an intrinsic does for its lanes.
struct LaneAccess {
  llvm::IntrinsicInst *intrinsic;
  llvm::FixedVectorType *type;
  llvm::Value *place;  // one pointer, behind which the lanes' elements lie, or one of each lane
  llvm::Value *mask;
  llvm::Value *stored;  // null: it loads
  llvm::Value *others;  // what lanes get that load nothing
  llvm::Align alignment;
};

llvm::Align alignmentIn(const llvm::Value *operand) {
  return llvm::Align(llvm::cast<llvm::ConstantInt>(operand)->getZExtValue());
}

std::optional<LaneAccess> accessOf(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return std::nullopt;
  const auto operand = [&](unsigned i) { return call->getArgOperand(i); };
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      return LaneAccess{call,
                        llvm::cast<llvm::FixedVectorType>(call->getType()),
                        operand(0),
                        operand(2),
                        nullptr,
                        operand(3),
                        alignmentIn(operand(1))};
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return LaneAccess{call,
                        llvm::cast<llvm::FixedVectorType>(operand(0)->getType()),
                        operand(1),
                        operand(3),
                        operand(0),
                        nullptr,
                        alignmentIn(operand(2))};
    default:
      return std::nullopt;
  }
}

bool hasInstruction(const LaneAccess &access, const llvm::TargetTransformInfo &target) {
  switch (access.intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
      return target.isLegalMaskedLoad(access.type, access.alignment);
    case llvm::Intrinsic::masked_store:
      return target.isLegalMaskedStore(access.type, access.alignment);
    case llvm::Intrinsic::masked_gather:
      return target.isLegalMaskedGather(access.type, access.alignment) &&
             !target.forceScalarizeMaskedGather(access.type, access.alignment);
    default:
      return target.isLegalMaskedScatter(access.type, access.alignment) &&
             !target.forceScalarizeMaskedScatter(access.type, access.alignment);
  }
}

// isWorthLoop(): LLVM takes few lanes apart in as little code; more if it knows the mask, without branches, which is
// quicker than a loop (an FFT by AVX2: two thirds of its time) and nothing for functions that are to stay short.
bool isWorthLoop(const LaneAccess &access, bool isShort) {
  const bool isKnown = llvm::isa<llvm::Constant>(access.mask);
  if (isKnown && !isShort) return false;
  const unsigned fewest = isKnown ? 32 : 8;
  constexpr unsigned most = 64;
  const unsigned lanes = access.type->getNumElements();
  const llvm::DataLayout &layout = access.intrinsic->getModule()->getDataLayout();
  return lanes >= fewest && lanes <= most && llvm::isPowerOf2_32(lanes) &&
         layout.typeSizeEqualsStoreSize(access.type->getElementType());
}

// LaneLoops writes the loops of one function. Vectors whose elements they take one by one lie on the stack meanwhile.
class LaneLoops {
 public:
  explicit LaneLoops(llvm::Function &function) : function_(function) {}

  void write(const LaneAccess &access) {
    llvm::IRBuilder<> builder(access.intrinsic);
    const Elements places = placesOf(builder, access);
    llvm::AllocaInst *values = roomFor(*access.type);
    llvm::Value *before = access.stored ? access.stored : access.others;
    if (!llvm::isa<llvm::UndefValue>(before)) builder.CreateStore(before, values);
    const unsigned lanes = access.type->getNumElements();
    llvm::Value *mask = builder.CreateBitCast(access.mask, builder.getIntNTy(lanes));
    mask = builder.CreateZExt(mask, builder.getIntNTy(std::max(lanes, 32U)));
    beginLoop(builder, *access.intrinsic, *mask);
    llvm::Value *place = placeOf(builder, places);
    llvm::Value *value = builder.CreateGEP(access.type->getElementType(), values, lane_);
    llvm::Instruction *done = copyElement(builder, access, *place, *value);
    done->setAAMetadata(access.intrinsic->getAAMetadata());
    endLoop(builder);
    if (!access.stored) {
      builder.SetInsertPoint(access.intrinsic);
      access.intrinsic->replaceAllUsesWith(builder.CreateLoad(access.type, values));
    }
    access.intrinsic->eraseFromParent();
  }

 private:
  // Elements are where the lanes' elements lie: at the lane's address; or so many elements behind a base, by the lane's
  // number, which may be a narrow one, or by the lane itself.
  struct Elements {
    llvm::AllocaInst *ofLanes;  // addresses or numbers; null: the lanes themselves
    llvm::Value *base;          // null: addresses
    llvm::Type *element;
    llvm::CastInst *widening;
  };

  Elements placesOf(llvm::IRBuilder<> &builder, const LaneAccess &access) {
    if (!access.place->getType()->isVectorTy()) return {nullptr, access.place, access.type->getElementType(), nullptr};
    auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(access.place);
    if (!address || address->getNumIndices() != 1 || address->getPointerOperandType()->isVectorTy())
      return {keep(builder, access.place), nullptr, nullptr, nullptr};
    llvm::Value *numbers = address->getOperand(1);
    auto *widening = llvm::dyn_cast<llvm::CastInst>(numbers);
    if (widening &&
        (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(widening) || widening->getSrcTy()->getScalarSizeInBits() % 8 != 0))
      widening = nullptr;
    if (widening) numbers = widening->getOperand(0);
    return {keep(builder, numbers), address->getPointerOperand(), address->getSourceElementType(), widening};
  }

  llvm::AllocaInst *keep(llvm::IRBuilder<> &builder, llvm::Value *vector) {
    llvm::AllocaInst *room = roomFor(*vector->getType());
    builder.CreateStore(vector, room);
    return room;
  }

  // roomFor(): a loop needs one for places and one for values, and is over before the next begins.
  llvm::AllocaInst *roomFor(llvm::Type &type) {
    auto &[first, second] = rooms_[&type];
    if (!first) {
      llvm::IRBuilder<> builder(&function_.getEntryBlock(), function_.getEntryBlock().begin());
      first = builder.CreateAlloca(&type);
      second = builder.CreateAlloca(&type);
    }
    std::swap(first, second);
    return first;
  }

  void beginLoop(llvm::IRBuilder<> &builder, llvm::Instruction &access, llvm::Value &mask) {
    before_ = access.getParent();
    after_ = before_->splitBasicBlock(&access);
    loop_ = llvm::BasicBlock::Create(function_.getContext(), "lanes", &function_, after_);
    before_->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before_);
    builder.CreateCondBr(builder.CreateIsNotNull(&mask), loop_, after_);
    builder.SetInsertPoint(loop_);
    builder.SetCurrentDebugLocation(access.getDebugLoc());
    left_ = builder.CreatePHI(mask.getType(), 2);
    left_->addIncoming(&mask, before_);
    lane_ = builder.CreateZExt(builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left_, builder.getTrue()),
                               builder.getInt64Ty());
  }

  llvm::Value *placeOf(llvm::IRBuilder<> &builder, const Elements &places) {
    if (!places.ofLanes) return builder.CreateGEP(places.element, places.base, lane_);
    llvm::Type *type = places.ofLanes->getAllocatedType()->getScalarType();
    llvm::Value *ofLane = builder.CreateLoad(type, builder.CreateGEP(type, places.ofLanes, lane_));
    if (!places.base) return ofLane;
    if (places.widening)
      ofLane = builder.CreateCast(places.widening->getOpcode(), ofLane, places.widening->getDestTy()->getScalarType());
    return builder.CreateGEP(places.element, places.base, ofLane);
  }

  // copyElement() returns the instruction that accesses what the program does.
  static llvm::Instruction *copyElement(llvm::IRBuilder<> &builder, const LaneAccess &access, llvm::Value &place,
                                        llvm::Value &value) {
    llvm::Type *type = access.type->getElementType();
    if (access.stored)
      return builder.CreateAlignedStore(builder.CreateLoad(type, &value), &place, elementAlignment(access));
    llvm::Instruction *loaded = builder.CreateAlignedLoad(type, &place, elementAlignment(access));
    builder.CreateStore(loaded, &value);
    return loaded;
  }

  // elementAlignment(): side by side, only the first element is where the vector is.
  static llvm::Align elementAlignment(const LaneAccess &access) {
    if (access.place->getType()->isVectorTy()) return access.alignment;
    const llvm::DataLayout &layout = access.intrinsic->getModule()->getDataLayout();
    return llvm::commonAlignment(access.alignment, layout.getTypeStoreSize(access.type->getElementType()));
  }

  void endLoop(llvm::IRBuilder<> &builder) {
    llvm::Value *less = builder.CreateSub(left_, llvm::ConstantInt::get(left_->getType(), 1));
    llvm::Value *rest = builder.CreateAnd(left_, less);
    left_->addIncoming(rest, loop_);
    builder.CreateCondBr(builder.CreateIsNotNull(rest), loop_, after_);
  }

  llvm::Function &function_;
  llvm::DenseMap<llvm::Type *, std::pair<llvm::AllocaInst *, llvm::AllocaInst *>> rooms_;
  llvm::BasicBlock *before_ = nullptr, *loop_ = nullptr, *after_ = nullptr;
  llvm::PHINode *left_ = nullptr;  // the lanes, as bits, whose turn is still to come
  llvm::Value *lane_ = nullptr;
};

// From so many accesses on all of a function's become loops, though it need not be short.
constexpr unsigned many = 16;

struct LaneLoopsPass : llvm::PassInfoMixin<LaneLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    const auto &target = analyses.getResult<llvm::TargetIRAnalysis>(function);
    const bool isShort = function.hasOptSize();
    llvm::SmallVector<llvm::Instruction *> found;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (const auto access = accessOf(instruction);
          access && isWorthLoop(*access, isShort) && !hasInstruction(*access, target))
        found.push_back(&instruction);
    if (!isShort && found.size() < many) return llvm::PreservedAnalyses::all();
    LaneLoops loops(function);
    // What one accesses may come from one before, which is gone by then.
    for (llvm::Instruction *instruction : found) loops.write(*accessOf(*instruction));
    return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }
};

}  // namespace

void loopOverLanes(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(LaneLoopsPass()));
  });
}

}  // namespace hostwarp::compiler
