#include "compiler/device/lanes/lane_checks.h"

#include "compiler/device/abi_functions.h"
#include "compiler/device/check_calls.h"
#include "compiler/device/lanes/lane_emitter.h"
#include "compiler/device/thread_notes.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

bool isLaneCheck(const llvm::Instruction &instruction, const LaneShapes &shapes) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !isAccessCheck(*call) || !hasThreadNote(*call)) return false;
  if (!llvm::isa<llvm::ConstantInt>(call->getArgOperand(checkedTraits)) ||
      (checkedTraitsOf(*call) & HW_ACCESS_COMPARES) != 0)
    return false;
  if (isCheckOf(*call, checkReads) && !shapes.of(*call->getArgOperand(checkedStep)).isUniform()) return false;
  return shapes.of(*notedThread(*call)) == Shape::strided(1) &&
         shapes.of(*call->getArgOperand(checkedBytes)).isUniform();
}

// emitCheck() tells of the accesses of all lanes that are there.
void LaneEmitter::emitCheck(llvm::CallInst &check) {
  llvm::Type *pointer = builder_.getPtrTy(), *wide = builder_.getInt64Ty(), *number = builder_.getInt32Ty();
  llvm::Value *nothing = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  llvm::Value &address = *check.getArgOperand(checkedAddress);
  const Shape shape = shapeOf(address);
  const bool hasStride = shape.isStrided();
  llvm::SmallVector<llvm::Type *> types{number, number, pointer, wide, pointer, wide, number, pointer};
  llvm::SmallVector<llvm::Value *> arguments{scalarOf(*notedThread(check)),
                                             builder_.CreateZExt(lanesAsBits(), number),
                                             hasStride ? scalarOf(address) : nothing,
                                             builder_.getInt64(hasStride ? static_cast<uint64_t>(shape.stride()) : 0),
                                             hasStride ? nothing : inMemory(addressesOf(address)),
                                             scalarOf(*check.getArgOperand(checkedBytes)),
                                             check.getArgOperand(checkedTraits),
                                             check.getArgOperand(checkedSite)};
  const bool isOfLoop = isCheckOf(check, checkReads);
  if (isOfLoop) {
    llvm::Value &count = *check.getArgOperand(checkedCount);
    const bool isCommon = shapeOf(count).isUniform();
    types.append({wide, pointer, wide});
    arguments.append({isCommon ? scalarOf(count) : builder_.getInt64(0), isCommon ? nothing : inMemory(vectorOf(count)),
                      scalarOf(*check.getArgOperand(checkedStep))});
  } else {
    const bool hasValue = (checkedTraitsOf(check) & (HW_ACCESS_VALUE_KNOWN | HW_ACCESS_COPIES)) != 0;
    types.push_back(pointer);
    arguments.push_back(hasValue ? inMemory(vectorOf(*check.getArgOperand(checkedValue))) : nothing);
  }
  builder_
      .CreateCall(abiFunction(*function_.getParent(), isOfLoop ? "hw_check_lane_reads" : "hw_check_lanes",
                              builder_.getVoidTy(), types),
                  arguments)
      ->addFnAttr(llvm::Attribute::NoMerge);
}

}  // namespace hostwarp::compiler
