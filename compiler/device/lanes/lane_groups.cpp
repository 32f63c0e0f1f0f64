// Groups of accesses: each lane's elements at once, and a transposition.
#include <llvm/Analysis/VectorUtils.h>

#include "compiler/device/lanes/lane_emitter.h"

namespace hostwarp::compiler {

// groupOf() is the group that the access belongs to; null: it is on its own, or some lanes are not there.
const AccessGroups::Group *LaneEmitter::groupOf(const llvm::Instruction &access) const {
  return groups_ && !lanes_ ? groups_->of(access) : nullptr;
}

// findGroups() finds the groups among the block's accesses, by the shapes that hold in what is emitted.
std::unique_ptr<AccessGroups> LaneEmitter::findGroups(const llvm::BasicBlock &block) const {
  const auto shape = [this](const llvm::Value &value) { return shapeOf(value); };
  return std::make_unique<AccessGroups>(shape, *evolution_.getSE(), block, width_, isWarp());
}

// emitGroup() does all of the group's loads where its first stands, or all of its stores where its last stands.
void LaneEmitter::emitGroup(llvm::Instruction &access, const AccessGroups::Group &group) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&access)) {
    if (load == group.first) loadGroup(group);
    return define(*load, grouped_.lookup(load));
  }
  if (&access == group.last) storeGroup(group);
}

// placesOf() is where each lane has its first element, `offset` bytes before what the access reaches.
llvm::SmallVector<llvm::Value *> LaneEmitter::placesOf(const AccessGroups::Group &group, llvm::Instruction &access,
                                                       int64_t offset) {
  llvm::Value &address = const_cast<llvm::Value &>(*llvm::getLoadStorePointerOperand(&access));
  llvm::SmallVector<llvm::Value *> places;
  // The group has a stride where one of its members shows it: others may be written so that they do not.
  const bool isScalar = group.stride && !shapeOf(address).isVarying();
  llvm::Value *all = isScalar ? scalarOf(address) : vectorOf(address);
  if (group.stride && !isScalar) all = builder_.CreateExtractElement(all, uint64_t{0});
  for (unsigned lane = 0; lane < width_; ++lane) {
    llvm::Value *place = group.stride ? all : builder_.CreateExtractElement(all, lane);
    const int64_t distance = group.stride * static_cast<int64_t>(lane) - offset;
    places.push_back(builder_.CreatePtrAdd(place, builder_.getInt64(static_cast<uint64_t>(distance))));
  }
  return places;
}

void LaneEmitter::loadGroup(const AccessGroups::Group &group) {
  const unsigned elements = group.elements();
  const llvm::SmallVector<llvm::Value *> places = placesOf(group, *group.first, group.firstOffset);
  if (elements < 4) return loadInterleaved(group, *places[0]);
  auto *type = llvm::FixedVectorType::get(group.type, elements);
  llvm::SmallVector<llvm::Value *> vectors;
  for (unsigned i = 0; i < elements; ++i) {
    llvm::SmallVector<llvm::Value *> rows;
    for (unsigned lane = i; lane < width_; lane += elements)
      rows.push_back(builder_.CreateAlignedLoad(type, places[lane], group.align));
    vectors.push_back(llvm::concatenateVectors(builder_, rows));
  }
  transpose(vectors);
  for (unsigned i = 0; i < elements; ++i)
    if (group.members[i]) grouped_[group.members[i]] = vectors[i];
}

// loadInterleaved(): nothing lies between the lanes' elements.
void LaneEmitter::loadInterleaved(const AccessGroups::Group &group, llvm::Value &start) {
  const unsigned elements = group.elements();
  auto *type = llvm::FixedVectorType::get(group.type, elements * width_);
  llvm::Value *all = builder_.CreateAlignedLoad(type, &start, group.align);
  for (unsigned i = 0; i < elements; ++i)
    if (group.members[i])
      grouped_[group.members[i]] = builder_.CreateShuffleVector(all, llvm::createStrideMask(i, elements, width_));
}

void LaneEmitter::storeGroup(const AccessGroups::Group &group) {
  const unsigned elements = group.elements();
  const int64_t bytes = static_cast<int64_t>(group.type->getPrimitiveSizeInBits().getFixedValue() / 8);
  const auto place = std::find(group.members.begin(), group.members.end(), group.last) - group.members.begin();
  const llvm::SmallVector<llvm::Value *> places = placesOf(group, *group.last, place * bytes);
  llvm::SmallVector<llvm::Value *> vectors;
  for (llvm::Instruction *member : group.members)
    vectors.push_back(vectorOf(*llvm::cast<llvm::StoreInst>(member)->getValueOperand()));
  if (elements < 4) {
    llvm::Value *all = llvm::concatenateVectors(builder_, vectors);
    all = builder_.CreateShuffleVector(all, llvm::createInterleaveMask(width_, elements));
    builder_.CreateAlignedStore(all, places[0], group.align);
    return;
  }
  transpose(vectors);
  for (unsigned lane = 0; lane < width_; ++lane) {
    llvm::Value *row = builder_.CreateShuffleVector(
        vectors[lane % elements], llvm::createSequentialMask(lane / elements * elements, elements, 0));
    builder_.CreateAlignedStore(row, places[lane], group.align);
  }
}

// transpose() takes n vectors that consist of squares of n x n, one behind the other, and transposes each.
void LaneEmitter::transpose(llvm::SmallVectorImpl<llvm::Value *> &vectors) {
  for (unsigned step = 1; step < vectors.size(); step *= 2) {
    llvm::SmallVector<int> low, high;
    for (unsigned i = 0; i < width_; ++i) {
      low.push_back(static_cast<int>(i & step ? width_ + i - step : i));
      high.push_back(static_cast<int>(i & step ? width_ + i : i + step));
    }
    for (unsigned i = 0; i < vectors.size(); ++i) {
      if (i & step) continue;
      llvm::Value *a = vectors[i], *b = vectors[i + step];
      vectors[i] = builder_.CreateShuffleVector(a, b, low);
      vectors[i + step] = builder_.CreateShuffleVector(a, b, high);
    }
  }
}

}  // namespace hostwarp::compiler
