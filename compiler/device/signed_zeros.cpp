// A GPU's least and greatest of two numbers tell the zeros apart, -0 being the lesser [PTX min, max]. LLVM leaves it
// open which it takes, so forms of a kernel would differ. AVX-512 has an instruction that does as a GPU does, NaN
// included; before it, the result is put right where both numbers are equal.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>

#include <algorithm>
#include <numeric>

#include "compiler/device/lane_functions.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

namespace pattern = llvm::PatternMatch;

constexpr unsigned widestRegister = 512;

llvm::IntrinsicInst *extremeOf(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || call->hasNoSignedZeros()) return nullptr;
  const llvm::Intrinsic::ID id = call->getIntrinsicID();
  return id == llvm::Intrinsic::minnum || id == llvm::Intrinsic::maxnum ? call : nullptr;
}

// isNoZero(): the value is a constant, none of whose elements is a zero.
bool isNoZero(llvm::Value *value) {
  return pattern::match(value, pattern::m_FiniteNonZero()) || pattern::match(value, pattern::m_Inf());
}

// Extreme makes one call anew.
class Extreme {
 public:
  explicit Extreme(llvm::IntrinsicInst &call)
      : call_(call), builder_(&call), isMax_(call.getIntrinsicID() == llvm::Intrinsic::maxnum) {}

  // make() returns null where the call is right already.
  llvm::Value *make() {
    llvm::Value *a = call_.getArgOperand(0), *b = call_.getArgOperand(1);
    if (isNoZero(a) || isNoZero(b)) return nullptr;
    if (pattern::match(b, pattern::m_PosZeroFP())) return besideZero(a, b, isMax_);
    if (pattern::match(b, pattern::m_NegZeroFP())) return besideZero(a, b, !isMax_);
    const bool isSingle =
        call_.getType()->getScalarType()->isFloatTy() || call_.getType()->getScalarType()->isDoubleTy();
    const unsigned bits = unsigned(call_.getType()->getPrimitiveSizeInBits());
    if (isSingle && lanesOfRegister(*call_.getFunction()) * 32 == widestRegister) {
      if (!call_.getType()->isVectorTy()) return single(a, b);
      if (bits == 128 || bits == 256 || bits == widestRegister) return range(a, b);
      if (bits % widestRegister == 0) return inParts(a, b);
    }
    return putRight(a, b);
  }

 private:
  // besideZero() compares with a constant zero, which it gives where that is equal: `zeroWins`, or else the number.
  llvm::Value *besideZero(llvm::Value *number, llvm::Value *zero, bool zeroWins) {
    const auto strict = isMax_ ? llvm::CmpInst::FCMP_OGT : llvm::CmpInst::FCMP_OLT;
    const auto weak = isMax_ ? llvm::CmpInst::FCMP_OGE : llvm::CmpInst::FCMP_OLE;
    return builder_.CreateSelect(builder_.CreateFCmp(zeroWins ? strict : weak, number, zero), number, zero);
  }

  llvm::Value *putRight(llvm::Value *a, llvm::Value *b) {
    llvm::Type *type = call_.getType();
    llvm::Type *bits = type->getWithNewType(builder_.getIntNTy(type->getScalarSizeInBits()));
    llvm::Value *x = builder_.CreateBitCast(a, bits), *y = builder_.CreateBitCast(b, bits);
    llvm::Value *equal = builder_.CreateBitCast(isMax_ ? builder_.CreateAnd(x, y) : builder_.CreateOr(x, y), type);
    llvm::Value *other = builder_.CreateBinaryIntrinsic(call_.getIntrinsicID(), a, b, &call_);
    return builder_.CreateSelect(builder_.CreateFCmpOEQ(a, b), equal, other);
  }

  // range() is vrangeps or vrangepd of a register's type.
  llvm::Value *range(llvm::Value *a, llvm::Value *b) {
    auto *type = llvm::cast<llvm::FixedVectorType>(a->getType());
    const bool isDouble = type->getElementType()->isDoubleTy();
    const unsigned bits = unsigned(type->getPrimitiveSizeInBits());
    static constexpr llvm::Intrinsic::ID ids[3][2] = {
        {llvm::Intrinsic::x86_avx512_mask_range_ps_128, llvm::Intrinsic::x86_avx512_mask_range_pd_128},
        {llvm::Intrinsic::x86_avx512_mask_range_ps_256, llvm::Intrinsic::x86_avx512_mask_range_pd_256},
        {llvm::Intrinsic::x86_avx512_mask_range_ps_512, llvm::Intrinsic::x86_avx512_mask_range_pd_512}};
    constexpr unsigned signOfResult = 4, greatest = 1, currentRounding = 4;
    const unsigned maskBits = std::max(8U, type->getNumElements());
    llvm::SmallVector<llvm::Value *, 6> operands{a, b, builder_.getInt32(signOfResult | (isMax_ ? greatest : 0)),
                                                 llvm::PoisonValue::get(type),
                                                 llvm::Constant::getAllOnesValue(builder_.getIntNTy(maskBits))};
    if (bits == widestRegister) operands.push_back(builder_.getInt32(currentRounding));
    return builder_.CreateIntrinsic(ids[bits / 256][isDouble], {}, operands);
  }

  llvm::Value *single(llvm::Value *a, llvm::Value *b) {
    auto *type = llvm::FixedVectorType::get(a->getType(), 128 / a->getType()->getScalarSizeInBits());
    const auto widened = [&](llvm::Value *value) {
      return builder_.CreateInsertElement(llvm::PoisonValue::get(type), value, uint64_t(0));
    };
    return builder_.CreateExtractElement(range(widened(a), widened(b)), uint64_t(0));
  }

  llvm::Value *inParts(llvm::Value *a, llvm::Value *b) {
    auto *type = llvm::cast<llvm::FixedVectorType>(a->getType());
    const unsigned each = widestRegister / type->getScalarSizeInBits(), all = type->getNumElements();
    llvm::SmallVector<llvm::Value *, 4> parts;
    for (unsigned first = 0; first < all; first += each) {
      llvm::SmallVector<int, 16> elements(each);
      std::iota(elements.begin(), elements.end(), int(first));
      parts.push_back(range(builder_.CreateShuffleVector(a, elements), builder_.CreateShuffleVector(b, elements)));
    }
    return llvm::concatenateVectors(builder_, parts);
  }

  llvm::IntrinsicInst &call_;
  llvm::IRBuilder<> builder_;
  const bool isMax_;
};

struct OrderZerosPass : llvm::PassInfoMixin<OrderZerosPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    llvm::SmallVector<llvm::IntrinsicInst *> extremes;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::IntrinsicInst *extreme = extremeOf(instruction)) extremes.push_back(extreme);
    for (llvm::IntrinsicInst *extreme : extremes) {
      llvm::Value *exact = Extreme(*extreme).make();
      if (!exact) continue;
      extreme->replaceAllUsesWith(exact);
      extreme->eraseFromParent();
    }
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return extremes.empty() ? llvm::PreservedAnalyses::all() : kept;
  }
};

}  // namespace

void orderZeros(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(OrderZerosPass()));
  });
}

}  // namespace hostwarp::compiler
