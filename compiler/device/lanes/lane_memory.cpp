// Memory as several threads access it: one element for all, elements side by side, or wherever each lane's is.
#include <llvm/IR/Module.h>

#include "compiler/device/lanes/lane_emitter.h"

namespace hostwarp::compiler {

// emitLoad() looks, where addresses may be side by side, whether they are. Those that come from memory hardly ever are.
void LaneEmitter::emitLoad(llvm::LoadInst &load) {
  if (const AccessGroups::Group *group = groupOf(load)) return emitGroup(load, *group);
  llvm::Value &address = *load.getPointerOperand();
  const uint64_t bytes = load.getModule()->getDataLayout().getTypeStoreSize(load.getType());
  const Shape shape = shapeOf(address);
  if (shape.isStrided() && shape.stride() == static_cast<int64_t>(bytes))
    return define(load, loadSideBySide(load, scalarOf(address)));
  if (shape.isStrided() || shapes_.comesFromMemory(address)) return define(load, gather(load));
  llvm::Value *isSideBySide = nullptr, *first = firstIfSideBySide(address, bytes, isSideBySide);
  llvm::BasicBlock *together = newBlock("side_by_side"), *apart = newBlock("apart"), *after = newBlock("loaded");
  builder_.CreateCondBr(isSideBySide, together, apart);
  builder_.SetInsertPoint(together);
  llvm::Value *wide = loadSideBySide(load, first);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(apart);
  llvm::Value *gathered = gather(load);
  llvm::BasicBlock *apartEnd = builder_.GetInsertBlock();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  llvm::PHINode *value = builder_.CreatePHI(wide->getType(), 2);
  value->addIncoming(wide, together);
  value->addIncoming(gathered, apartEnd);
  define(load, value);
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
  if (shape.isStrided() && shape.stride() == static_cast<int64_t>(bytes))
    return storeSideBySide(store, scalarOf(address));
  if (shape.isStrided() || shapes_.comesFromMemory(address)) return scatter(store);
  // Both ways use it.
  if (!shapeOf(value).isVarying()) scalarOf(value);
  llvm::Value *isSideBySide = nullptr, *first = firstIfSideBySide(address, bytes, isSideBySide);
  llvm::BasicBlock *together = newBlock("side_by_side"), *apart = newBlock("apart"), *after = newBlock("stored");
  builder_.CreateCondBr(isSideBySide, together, apart);
  builder_.SetInsertPoint(together);
  storeSideBySide(store, first);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(apart);
  scatter(store);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

// firstIfSideBySide() is the address of the first lane's element, were all lanes there, and tells whether those of the
// others that are follow it.
llvm::Value *LaneEmitter::firstIfSideBySide(llvm::Value &address, uint64_t bytes, llvm::Value *&isSideBySide) {
  llvm::Type *wide = builder_.getInt64Ty();
  llvm::Value *numbers = builder_.CreatePtrToInt(vectorOf(address), vectorType(wide));
  llvm::Value *starts = builder_.CreateSub(numbers, laneNumbers(wide, static_cast<int64_t>(bytes)));
  llvm::Value *start = builder_.CreateExtractElement(starts, firstActive());
  llvm::Value *equal = builder_.CreateICmpEQ(starts, builder_.CreateVectorSplat(width_, start));
  if (lanes_) equal = builder_.CreateSelect(lanes_, equal, allLanes());
  isSideBySide = builder_.CreateAndReduce(equal);
  return builder_.CreateIntToPtr(start, address.getType());
}

// firstActive() is the number of the first lane that is there. pre: one is.
llvm::Value *LaneEmitter::firstActive() {
  if (!lanes_) return builder_.getInt32(0);
  llvm::Value *bits = builder_.CreateBitCast(lanes_, builder_.getIntNTy(width_));
  llvm::Value *number = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getTrue());
  return builder_.CreateZExt(number, builder_.getInt32Ty());
}

llvm::Value *LaneEmitter::loadSideBySide(llvm::LoadInst &load, llvm::Value *first) {
  llvm::VectorType *type = vectorType(load.getType());
  if (!lanes_) return builder_.CreateAlignedLoad(type, first, load.getAlign());
  return builder_.CreateMaskedLoad(type, first, load.getAlign(), lanes_, llvm::PoisonValue::get(type));
}

void LaneEmitter::storeSideBySide(llvm::StoreInst &store, llvm::Value *first) {
  llvm::Value *value = vectorOf(*store.getValueOperand());
  if (lanes_)
    builder_.CreateMaskedStore(value, first, store.getAlign(), lanes_);
  else
    builder_.CreateAlignedStore(value, first, store.getAlign());
}

llvm::Value *LaneEmitter::gather(llvm::LoadInst &load) {
  llvm::VectorType *type = vectorType(load.getType());
  llvm::Value *addresses = vectorOf(*load.getPointerOperand());
  return builder_.CreateMaskedGather(type, addresses, load.getAlign(), lanes_ ? lanes_ : allLanes(),
                                     llvm::PoisonValue::get(type));
}

// scatter(): of lanes that store to one place the last wins.
void LaneEmitter::scatter(llvm::StoreInst &store) {
  llvm::Value *value = vectorOf(*store.getValueOperand()), *addresses = vectorOf(*store.getPointerOperand());
  builder_.CreateMaskedScatter(value, addresses, store.getAlign(), lanes_ ? lanes_ : allLanes());
}

}  // namespace hostwarp::compiler
