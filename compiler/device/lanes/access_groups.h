// Accesses of one thread that are side by side, while those of several threads are not.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_ACCESS_GROUPS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_ACCESS_GROUPS_H

#include <llvm/ADT/DenseMap.h>

#include <memory>

#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// AccessGroups finds in a block the loads, and the stores, of neighbouring elements that lanes reach by steps of
// several elements: members of structures, turns of a loop that has been unrolled. Together they are an access per lane
// and a transposition, which takes less than one gather or scatter each. Nothing between the members of a group depends
// on when they are done: loads may all be done at the first, stores at the last.
class AccessGroups {
 public:
  struct Group {
    llvm::SmallVector<llvm::Instruction *, 16> members;   // by address; null: nobody wants this element
    llvm::Instruction *first = nullptr, *last = nullptr;  // in the block's order
    int64_t firstOffset = 0;                              // of `first` from the first element, in bytes
    int64_t stride = 0;                                   // from lane to lane, in bytes; 0: it differs
    llvm::Type *type = nullptr;
    llvm::Align align;
    unsigned elements() const { return static_cast<unsigned>(members.size()); }
  };

  using ShapeOf = llvm::function_ref<Shape(const llvm::Value &)>;

  // `shapeOf` tells the shapes of addresses. `areInStep`: of two accesses in a row, all lanes have done the first
  // before any does the second.
  AccessGroups(ShapeOf shapeOf, llvm::ScalarEvolution &evolution, const llvm::BasicBlock &block, unsigned lanes,
               bool areInStep = false);

  bool empty() const { return groups_.empty(); }
  // of() is the group that an access belongs to; null: none.
  const Group *of(const llvm::Instruction &access) const {
    const auto found = groups_.find(&access);
    return found == groups_.end() ? nullptr : found->second.get();
  }

 private:
  // Run is a group that is being found.
  struct Run {
    bool isStore = false;
    llvm::Instruction *leader = nullptr;
    llvm::Type *type = nullptr;
    int64_t stride = 0, bytes = 0;                                 // no stride: the lanes' elements lie anywhere
    std::map<int64_t, llvm::Instruction *> members;                // by the distance from the leader
    llvm::SmallVector<std::pair<int64_t, int64_t>, 8> passedOver;  // distance and size of others' accesses
  };

  void look(llvm::Instruction &instruction, ShapeOf shapeOf);
  bool join(Run &run, llvm::Instruction &access);
  bool staysApart(Run &run, llvm::Instruction &other);
  std::optional<int64_t> distance(const llvm::Instruction &from, const llvm::Instruction &to) const;
  bool keepsStep(const Run &run) const;
  void finish(Run &run);
  unsigned takeGroup(const Run &run, int64_t at) const;
  void addGroup(const Run &run, int64_t at, unsigned elements);

  llvm::ScalarEvolution &evolution_;
  const llvm::DataLayout &layout_;
  const unsigned lanes_;
  const bool areInStep_;
  llvm::SmallVector<Run> runs_;
  llvm::DenseMap<const llvm::Instruction *, std::shared_ptr<Group>> groups_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_ACCESS_GROUPS_H
