#include "compiler/device/check_values.h"

#include <llvm/ADT/bit.h>
#include <llvm/IR/Operator.h>

#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

namespace {

// Wider accesses are told of without their values.
constexpr uint64_t mostBytes = 16;

// Elements is what a type is made of, members of members included.
struct Elements {
  llvm::Type *type = nullptr;  // of all of them; null: there are none, or several types
  bool areMixed = false, havePointers = false;
  uint64_t bytes = 0;  // of all of them: less than the type's where it has padding

  void add(llvm::Type *element, uint64_t size) {
    areMixed |= type != nullptr && type != element;
    havePointers |= element->isPointerTy();
    type = element;
    bytes += size;
  }
};

void collect(llvm::Type *type, const llvm::DataLayout &layout, Elements &elements) {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type *member : structure->elements()) collect(member, layout, elements);
  } else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (uint64_t i = 0; i < array->getNumElements(); ++i) collect(array->getElementType(), layout, elements);
  } else if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (uint64_t i = 0; i < vector->getNumElements(); ++i) collect(vector->getElementType(), layout, elements);
  } else {
    elements.add(type, layout.getTypeStoreSize(type));
  }
}

bool isFloat(const llvm::Type &type) { return type.isFloatTy() || type.isDoubleTy(); }

// elementTraits(): what lies in padding, and addresses, are nothing that messages show.
uint32_t elementTraits(llvm::Type *type, const llvm::DataLayout &layout) {
  Elements elements;
  collect(type, layout, elements);
  if (elements.havePointers || elements.bytes != layout.getTypeStoreSize(type)) return HW_ACCESS_POINTERS;
  if (elements.areMixed || elements.type == nullptr) return 0;
  const uint64_t size = layout.getTypeStoreSize(elements.type);
  if (!llvm::has_single_bit(size) || size > sizeof(uint64_t)) return 0;
  return (isFloat(*elements.type) ? HW_ACCESS_FLOATS : 0) | static_cast<uint32_t>(llvm::countr_zero(size) + 1)
                                                                << HW_ACCESS_ELEMENT_SHIFT;
}

// typeAt() is the type of what the pointer points at, as far as the code says; null: it does not.
llvm::Type *typeAt(llvm::Value *pointer) {
  pointer = pointer->stripPointerCasts();
  if (auto *part = llvm::dyn_cast<llvm::GEPOperator>(pointer)) return part->getResultElementType();
  if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(pointer)) return local->getAllocatedType();
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) return variable->getValueType();
  auto *argument = llvm::dyn_cast<llvm::Argument>(pointer);
  return argument && argument->hasByValAttr() ? argument->getParamByValType() : nullptr;
}

// typeOf() is what lies there and has so many bytes; null: not known.
llvm::Type *typeOf(llvm::Value *pointer, uint64_t bytes, const llvm::DataLayout &layout) {
  llvm::Type *type = typeAt(pointer);
  while (type && type->isSized() && layout.getTypeAllocSize(type) > bytes) {
    auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
    auto *structure = llvm::dyn_cast<llvm::StructType>(type);
    const bool hasFirst = structure && structure->getNumElements() != 0;
    type = array ? array->getElementType() : hasFirst ? structure->getElementType(0) : nullptr;
  }
  return type && type->isSized() && layout.getTypeAllocSize(type) == bytes ? type : nullptr;
}

}  // namespace

uint32_t kindTraits(const llvm::Type &type, const llvm::DataLayout &layout) {
  if (!type.isVectorTy()) return isFloat(type) ? HW_ACCESS_FLOATS : type.isPointerTy() ? HW_ACCESS_POINTERS : 0;
  return elementTraits(const_cast<llvm::Type *>(&type), layout);
}

uint32_t kindTraits(const llvm::MemTransferInst &copy) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || length->isZero() || length->getZExtValue() > mostBytes) return 0;
  const uint64_t bytes = length->getZExtValue();
  const bool isAligned = copy.getDestAlign().valueOrOne() >= bytes && copy.getSourceAlign().valueOrOne() >= bytes;
  const llvm::DataLayout &layout = copy.getDataLayout();
  llvm::Type *type = typeOf(copy.getRawDest(), bytes, layout);
  if (!type) type = typeOf(copy.getRawSource(), bytes, layout);
  return (isAligned ? HW_ACCESS_ALIGNED : 0) | (type ? elementTraits(type, layout) : 0);
}

llvm::Value *wide(llvm::IRBuilder<> &builder, llvm::Value *value) {
  const llvm::DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  const uint64_t bits = layout.getTypeSizeInBits(value->getType());
  if (bits > 64 || bits % 8 != 0 || value->getType()->isAggregateType()) return nullptr;
  if (value->getType()->isPointerTy())
    return builder.CreatePtrToInt(builder.CreateAddrSpaceCast(value, builder.getPtrTy()), builder.getInt64Ty());
  return builder.CreateZExt(builder.CreateBitCast(value, builder.getIntNTy(bits)), builder.getInt64Ty());
}

llvm::Value *stored(llvm::IRBuilder<> &builder, llvm::Value *value) {
  const llvm::DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  llvm::Type *type = value->getType();
  if (type->isAggregateType() || type->isPtrOrPtrVectorTy() || layout.getTypeSizeInBits(type) > mostBytes * 8)
    return nullptr;
  llvm::BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  auto *place = new llvm::AllocaInst(type, layout.getAllocaAddrSpace(), "", entry.begin());
  builder.CreateStore(value, place);
  return builder.CreatePtrToInt(builder.CreateAddrSpaceCast(place, builder.getPtrTy()), builder.getInt64Ty());
}

}  // namespace hostwarp::compiler
