// Instructions of one thread, for several.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/device/lanes/lane_atomics.h"
#include "compiler/device/lanes/lane_checks.h"
#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/remarks.h"
#include "compiler/device/thread_notes.h"

namespace hostwarp::compiler {

namespace {

bool isWidenedCall(const llvm::Instruction &instruction) {
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID());
}

}  // namespace

bool isNote(const llvm::Instruction &instruction) {
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && (intrinsic->isAssumeLikeIntrinsic() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic));
}

bool runsOneByOne(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !load->isSimple();
  const bool isCall = llvm::isa<llvm::CallInst, llvm::AtomicRMWInst>(instruction);
  return isCall && !isWidenedCall(instruction) && !isNote(instruction);
}

namespace {

bool hasVectorForm(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                llvm::PHINode, llvm::FreezeInst, llvm::GetElementPtrInst>(instruction))
    return true;
  return isWidenedCall(instruction) || runsOneByOne(instruction);
}

bool fitsVector(const llvm::Type &type) {
  return type.isIntegerTy() || type.isFloatTy() || type.isDoubleTy() || type.isHalfTy() || type.isBFloatTy() ||
         type.isPointerTy();
}

bool fitsMemory(const llvm::Type &type, const llvm::DataLayout &layout) {
  auto *plain = const_cast<llvm::Type *>(&type);
  return fitsVector(type) && !type.isIntegerTy(1) && layout.getTypeStoreSize(plain) == layout.getTypeAllocSize(plain) &&
         layout.getTypeSizeInBits(plain) == layout.getTypeStoreSizeInBits(plain);
}

// whyNot() is empty where the instruction can be emitted.
const char *whyNot(llvm::Instruction &instruction, const LaneShapes &shapes) {
  const llvm::DataLayout &layout = instruction.getModule()->getDataLayout();
  if (instruction.isTerminator())
    return llvm::isa<llvm::BranchInst, llvm::SwitchInst>(instruction) ? "" : "it ends in an unusual way";
  if (isNote(instruction) || llvm::isa<llvm::FenceInst>(instruction)) return "";
  if (llvm::isa<llvm::AllocaInst>(instruction)) return "it has variables of its own";
  if (laneMeetingOf(instruction))
    return shapes.areTogether(*instruction.getParent()) ? "" : "lanes may be apart where they meet";
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    // A callee that is told which thread runs waits for no other.
    const bool isKnown = call->getCalledFunction() && !call->isConvergent();
    if (call->isInlineAsm() || llvm::isa<llvm::InvokeInst>(call) || (!isKnown && !hasThreadNote(*call)))
      return "it has a call of an unusual kind";
  }
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isSimple() && fitsMemory(*store->getValueOperand()->getType(), layout) ? ""
                                                                                         : "a store has no vector form";
  if (!shapes.of(instruction).isVarying() && !(runsOneByOne(instruction) && instruction.getType()->isVoidTy()))
    return "";
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return fitsMemory(*load->getType(), layout) ? "" : "a load has no vector form";
  if (!hasVectorForm(instruction)) return "an instruction has no vector form";
  if (!instruction.getType()->isVoidTy() && !fitsVector(*instruction.getType())) return "a value has no vector form";
  for (const llvm::Value *operand : instruction.operands())
    if (!fitsVector(*operand->getType()) && !llvm::isa<llvm::Constant>(operand)) return "an operand has no vector form";
  return "";
}

}  // namespace

std::string whyNotVectors(const ThreadLoop &threads, const LaneShapes &shapes) {
  for (llvm::BasicBlock *block : threads.loop().blocks())
    for (llvm::Instruction &instruction : *block)
      if (const char *why = whyNot(instruction, shapes); *why) return why;
  for (const auto &[phi, variable] : threads.variables()) {
    if (variable.role != ThreadLoop::Role::Last) continue;
    auto *choice = llvm::cast<llvm::SelectInst>(variable.result);
    const llvm::Value *own = choice->getTrueValue() == phi ? choice->getFalseValue() : choice->getTrueValue();
    if (!shapes.of(*own).isUniform()) return "threads leave different values behind";
  }
  return "";
}

void LaneEmitter::emitInstruction(llvm::Instruction &instruction) {
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (isNote(instruction)) return;
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return emitStore(*store);
  if (const auto meeting = laneMeetingOf(instruction))
    return emitMeeting(llvm::cast<llvm::CallInst>(instruction), *meeting);
  if (threads_.lastOf(instruction)) return define(instruction, widenLast(llvm::cast<llvm::SelectInst>(instruction)));
  if (isLaneCheck(instruction, shapes_)) return emitCheck(llvm::cast<llvm::CallInst>(instruction));
  const bool isEffect = instruction.getType()->isVoidTy() && !llvm::isa<llvm::FenceInst>(instruction);
  if (emitCommon(instruction)) return;
  const bool isOne = !shapeOf(instruction).isVarying() && !isEffect;
  if (isOne && shapes_.of(instruction).isVarying() && isArithmetic(instruction))
    return define(instruction, firstOf(instruction));
  if (isOne) return emitScalar(instruction);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) return emitLoad(*load);
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      atomic && isCombined(*atomic, shapeOf(*atomic->getPointerOperand())))
    return emitCombined(*atomic);
  if (llvm::Function *callee = laneCallee(instruction))
    return emitLaneCall(llvm::cast<llvm::CallInst>(instruction), *callee);
  if (runsOneByOne(instruction)) return emitOneByOne(instruction);
  define(instruction, widen(instruction));
}

// emitScalar() does once what is the same for all lanes, or gives the first lane's value.
void LaneEmitter::emitScalar(llvm::Instruction &instruction) {
  llvm::SmallVector<llvm::Value *> operands;
  bool isOfFirstLane = false;
  for (llvm::Value *operand : instruction.operands()) {
    operands.push_back(llvm::isa<llvm::MetadataAsValue>(operand) ? operand : scalarOf(*operand));
    isOfFirstLane |= llvm::isa<llvm::Instruction>(operand) && !shapeOf(*operand).isUniform();
  }
  // The first lane may not be there: what the program promises does not hold for it then. A sum that is written as an
  // `or` of numbers without common bits is one for the other lanes all the same.
  auto *alternative = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  const bool isSum = isOfFirstLane && alternative && alternative->isDisjoint();
  llvm::Instruction *copy = isSum ? llvm::BinaryOperator::CreateAdd(operands[0], operands[1]) : instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  copy->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
  if (isOfFirstLane) copy->dropPoisonGeneratingFlags();
  builder_.Insert(copy, instruction.getName());
  if (!copy->getType()->isVoidTy()) define(instruction, copy);
}

llvm::Value *LaneEmitter::widen(llvm::Instruction &instruction) {
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return widenAddress(*address);
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return widenCall(*call);
  if (instruction.isIntDivRem()) return widenDivision(llvm::cast<llvm::BinaryOperator>(instruction));
  llvm::SmallVector<llvm::Value *> operands;
  const bool hasScalarCondition =
      llvm::isa<llvm::SelectInst>(instruction) && shapeOf(*instruction.getOperand(0)).isUniform();
  for (llvm::Use &operand : instruction.operands())
    operands.push_back(hasScalarCondition && operand.getOperandNo() == 0 ? scalarOf(*operand) : vectorOf(*operand));
  llvm::Value *value = nullptr;
  if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    value = builder_.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  else if (auto *unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
    value = builder_.CreateUnOp(unary->getOpcode(), operands[0]);
  else if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    value = builder_.CreateCast(cast->getOpcode(), operands[0], vectorType(cast->getType()));
  else if (auto *comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    value = builder_.CreateCmp(comparison->getPredicate(), operands[0], operands[1]);
  else if (llvm::isa<llvm::SelectInst>(instruction))
    value = builder_.CreateSelect(operands[0], operands[1], operands[2]);
  else
    value = builder_.CreateFreeze(operands[0]);
  if (auto *made = llvm::dyn_cast<llvm::Instruction>(value)) made->copyIRFlags(&instruction);
  return value;
}

llvm::Value *LaneEmitter::widenAddress(llvm::GetElementPtrInst &address) {
  const auto part = [&](llvm::Value &value) { return shapeOf(value).isUniform() ? scalarOf(value) : vectorOf(value); };
  llvm::SmallVector<llvm::Value *> indices;
  for (llvm::Value *index : address.indices()) indices.push_back(part(*index));
  llvm::Value *base = part(*address.getPointerOperand());
  return builder_.CreateGEP(address.getSourceElementType(), base, indices, "", address.isInBounds());
}

llvm::Value *LaneEmitter::widenCall(llvm::IntrinsicInst &call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  llvm::SmallVector<llvm::Value *> operands;
  llvm::SmallVector<llvm::Type *> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) types.push_back(vectorType(call.getType()));
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const bool isScalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i);
    operands.push_back(isScalar ? scalarOf(*call.getArgOperand(i)) : vectorOf(*call.getArgOperand(i)));
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)))
      types.push_back(operands.back()->getType());
  }
  llvm::Function *function = llvm::Intrinsic::getDeclaration(call.getModule(), id, types);
  llvm::CallInst *made = builder_.CreateCall(function, operands);
  made->copyIRFlags(&call);
  return made;
}

// widenLast() is the uniform value that any lane has to give, or what there was.
llvm::Value *LaneEmitter::widenLast(llvm::SelectInst &choice) {
  llvm::Value &condition = *choice.getCondition();
  llvm::Value *first = scalarOf(*choice.getTrueValue()), *second = scalarOf(*choice.getFalseValue());
  if (shapeOf(condition).isUniform()) return builder_.CreateSelect(scalarOf(condition), first, second);
  const bool givesWhereTrue = choice.getFalseValue() == threads_.lastOf(choice);
  llvm::Value *gives = vectorOf(condition);
  if (!givesWhereTrue) gives = builder_.CreateNot(gives);
  llvm::Value *any = isAny(lanesThat({gives}));
  return givesWhereTrue ? builder_.CreateSelect(any, first, second) : builder_.CreateSelect(any, second, first);
}

}  // namespace hostwarp::compiler
