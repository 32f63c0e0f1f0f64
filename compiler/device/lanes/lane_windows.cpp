// Elements that lie anywhere within two vectors, but always in the same way: what lies there at once, and permutations.
#include <llvm/IR/Instructions.h>

#include "compiler/device/lanes/lane_emitter.h"

namespace hostwarp::compiler {

namespace {

// slotsOf() is which lane's each element is, of `width` from the `first` on; -1: nobody's.
llvm::SmallVector<int> slotsOf(const LaneWindow &window, unsigned first, unsigned width) {
  llvm::SmallVector<int> slots(width, -1);
  for (unsigned lane = 0; lane < width; ++lane)
    if (const unsigned element = window.elements[lane]; element >= first && element - first < width)
      slots[element - first] = static_cast<int>(lane);
  return slots;
}

}  // namespace

// startOfWindow() is the lowest element's address.
llvm::Value *LaneEmitter::startOfWindow(const LaneWindow &window, llvm::Value &address) {
  // What is computed here serves this block of code only.
  if (!assumed_) firsts_.clear();
  return builder_.CreatePtrAdd(firstOf(address), builder_.getInt64(static_cast<uint64_t>(window.lowest)));
}

// maskOfWindow() tells of the elements from the `first` on whether some lane has them.
llvm::Value *LaneEmitter::maskOfWindow(const LaneWindow &window, unsigned first) {
  const llvm::SmallVector<int> slots = slotsOf(window, first, width_);
  if (lanes_) {
    llvm::SmallVector<int> sources;
    for (int lane : slots) sources.push_back(lane < 0 ? static_cast<int>(width_) : lane);
    return builder_.CreateShuffleVector(lanes_, llvm::Constant::getNullValue(lanes_->getType()), sources);
  }
  llvm::SmallVector<llvm::Constant *> bits;
  for (int lane : slots) bits.push_back(builder_.getInt1(lane >= 0));
  return llvm::ConstantVector::get(bits);
}

// loadWindow() takes whole vectors, the first and the last that the elements reach over. pre: all lanes are there.
llvm::Value *LaneEmitter::loadWindow(llvm::LoadInst &load, const LaneWindow &window) {
  if (window.count < width_) return loadParts(load, window);
  llvm::VectorType *type = vectorType(load.getType());
  llvm::Value *start = startOfWindow(window, *load.getPointerOperand());
  llvm::Value *low = builder_.CreateAlignedLoad(type, start, load.getAlign()), *high = low;
  const unsigned last = window.count - width_;
  if (last > 0)
    high = builder_.CreateAlignedLoad(type, builder_.CreateConstGEP1_32(load.getType(), start, last), load.getAlign());
  llvm::SmallVector<int> sources;
  for (unsigned element : window.elements)
    sources.push_back(static_cast<int>(element < width_ ? element : element - last + width_));
  return builder_.CreateShuffleVector(low, high, sources);
}

// loadParts() touches only what lanes have that are there.
llvm::Value *LaneEmitter::loadParts(llvm::LoadInst &load, const LaneWindow &window) {
  llvm::VectorType *type = vectorType(load.getType());
  llvm::Value *start = startOfWindow(window, *load.getPointerOperand()), *none = llvm::PoisonValue::get(type);
  llvm::Value *low = builder_.CreateMaskedLoad(type, start, load.getAlign(), maskOfWindow(window, 0), none),
              *high = none;
  if (window.count > width_) {
    llvm::Value *middle = builder_.CreateConstGEP1_32(load.getType(), start, width_);
    high = builder_.CreateMaskedLoad(type, middle, load.getAlign(), maskOfWindow(window, width_), none);
  }
  llvm::SmallVector<int> sources(window.elements.begin(), window.elements.end());
  return builder_.CreateShuffleVector(low, high, sources);
}

void LaneEmitter::storeWindow(llvm::StoreInst &store, const LaneWindow &window) {
  llvm::Value *value = vectorOf(*store.getValueOperand());
  llvm::Value *start = startOfWindow(window, *store.getPointerOperand());
  const auto placeOf = [&](unsigned element) {
    return builder_.CreateConstGEP1_32(store.getValueOperand()->getType(), start, element);
  };
  const auto storeAll = [&](unsigned first, llvm::ArrayRef<int> slots) {
    const bool isWhole = !llvm::is_contained(slots, -1);
    if (isWhole || !hasSlowMaskedStores()) {
      llvm::Value *elements = builder_.CreateShuffleVector(value, slots);
      if (isWhole) return (void)builder_.CreateAlignedStore(elements, placeOf(first), store.getAlign());
      return (void)builder_.CreateMaskedStore(elements, placeOf(first), store.getAlign(), maskOfWindow(window, first));
    }
    for (unsigned i = 0; i < slots.size(); ++i) {
      if (slots[i] < 0) continue;
      llvm::Value *place = placeOf(first + i);
      builder_.CreateAlignedStore(builder_.CreateExtractElement(value, static_cast<uint64_t>(slots[i])), place,
                                  store.getAlign());
    }
  };
  const auto forEachVector = [&](auto storeVector) {
    for (unsigned first = 0; first < window.count; first += width_) storeVector(first, slotsOf(window, first, width_));
  };
  const auto storeSome = [&](unsigned first, llvm::ArrayRef<int> slots) {
    builder_.CreateMaskedStore(builder_.CreateShuffleVector(value, slots), placeOf(first), store.getAlign(),
                               maskOfWindow(window, first));
  };
  storeIfAll([&] { forEachVector(storeAll); }, [&] { forEachVector(storeSome); });
}

}  // namespace hostwarp::compiler
