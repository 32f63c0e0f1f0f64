#include "compiler/device/lanes/lane_checks.h"

#include "compiler/device/abi_functions.h"
#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/thread_notes.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

namespace {

// The arguments of hw_check_access().
enum Argument : unsigned { Address, Bytes, Traits, Site, Value };

uint64_t traitsOf(const llvm::CallInst &check) {
  return llvm::cast<llvm::ConstantInt>(check.getArgOperand(Traits))->getZExtValue();
}

}  // namespace

bool isLaneCheck(const llvm::Instruction &instruction, const LaneShapes &shapes) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->getName() != "hw_check_access" || !hasThreadNote(*call)) return false;
  if (!llvm::isa<llvm::ConstantInt>(call->getArgOperand(Traits)) || (traitsOf(*call) & HW_ACCESS_COMPARES) != 0)
    return false;
  return shapes.of(*notedThread(*call)) == Shape::strided(1) && shapes.of(*call->getArgOperand(Bytes)).isUniform();
}

// emitCheck() tells of the accesses of all lanes that are there.
void LaneEmitter::emitCheck(llvm::CallInst &check) {
  llvm::Type *pointer = builder_.getPtrTy(), *wide = builder_.getInt64Ty(), *number = builder_.getInt32Ty();
  llvm::Value *nothing = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  llvm::Value &address = *check.getArgOperand(Address), &value = *check.getArgOperand(Value);
  const Shape shape = shapeOf(address);
  const bool hasStride = shape.isStrided();
  llvm::Value *first = hasStride ? scalarOf(address) : nothing;
  llvm::Value *each = hasStride ? nothing : inMemory(addressesOf(address));
  const bool hasValue = (traitsOf(check) & (HW_ACCESS_VALUE_KNOWN | HW_ACCESS_COPIES)) != 0;
  llvm::Value *values = hasValue ? inMemory(vectorOf(value)) : nothing;
  builder_
      .CreateCall(
          abiFunction(*function_.getParent(), "hw_check_lanes", builder_.getVoidTy(),
                      {number, number, pointer, wide, pointer, wide, number, pointer, pointer}),
          {scalarOf(*notedThread(check)), builder_.CreateZExt(lanesAsBits(), number), first,
           builder_.getInt64(hasStride ? static_cast<uint64_t>(shape.stride()) : 0), each,
           scalarOf(*check.getArgOperand(Bytes)), check.getArgOperand(Traits), check.getArgOperand(Site), values})
      ->addFnAttr(llvm::Attribute::NoMerge);
}

}  // namespace hostwarp::compiler
