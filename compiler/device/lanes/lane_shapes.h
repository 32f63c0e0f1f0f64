// What the lanes of a vector of threads have in common: values, ways through the code, ends of loops.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_SHAPES_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_SHAPES_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <memory>
#include <set>

#include "compiler/device/lane_meetings.h"
#include "compiler/device/lanes/shape.h"
#include "compiler/device/lanes/thread_loop.h"
#include "compiler/device/lanes/turn_graph.h"

namespace hostwarp::compiler {

// isOwnOfThreads(): the object is a block function's frame, or an array of a lane function, where each thread has
// elements of its own.
bool isOwnOfThreads(const llvm::Value &object);

// LaneShapes assumes that lanes go through a loop over threads in step: all that are in a block execute each of its
// instructions together. pre: TurnGraph's, for all loops inside.
class LaneShapes {
 public:
  // `evolution`, of the loop over threads, gets the predicates under which the shapes are right.
  LaneShapes(const ThreadLoop &threads, llvm::LoopInfo &loops, llvm::PredicatedScalarEvolution &evolution);

  Shape of(const llvm::Value &value) const;
  // comesFromMemory(): what lanes have read decides the value, so that nothing can be said about its lanes. Other
  // values come from the lanes' numbers alone.
  bool comesFromMemory(const llvm::Value &value) const { return fromMemory_.contains(&value); }
  // zerosOfFirst() is how many of the lowest bits are 0 in the first lane's value, if vectors have so many lanes.
  // pre: the value is a number, and strided.
  unsigned zerosOfFirst(const llvm::Value &value, unsigned lanes) const;
  // leavesByMemory(): lanes leave the loop in different turns, and what they have read decides in which.
  bool leavesByMemory(const llvm::Loop &loop) const;
  // isPartial(): of the lanes that are in the graph's turn, some may come to the node and others not.
  bool isPartial(const TurnGraph &graph, unsigned node) const { return partial_.contains({&graph, node}); }
  // areTogether(): all lanes come to the block, and in the same turn of each loop around.
  bool areTogether(llvm::BasicBlock &block) const;
  // isDivergent(): lanes may leave the loop in different turns.
  bool isDivergent(const llvm::Loop *loop) const { return divergent_.contains(loop); }
  const TurnGraph &graphOf(const llvm::Loop *loop) const { return *graphs_.at(loop); }
  const TurnGraph &graphAround(llvm::BasicBlock *block) const { return graphOf(loops_.getLoopFor(block)); }

 private:
  void addGraph(llvm::Loop &loop);
  bool update(const TurnGraph &graph);
  bool updateNode(const TurnGraph &graph, unsigned index);
  bool updateBlock(llvm::BasicBlock &block);
  bool updateOrigin(const llvm::Instruction &instruction);
  bool updateDivergence(const llvm::Loop &loop);
  bool separates(llvm::BasicBlock &block) const;
  bool mayPart(const TurnGraph &graph, unsigned node) const;
  bool partsOnWayTo(const TurnGraph &graph, unsigned node) const;
  bool leavesDivergentLoop(const llvm::PHINode &phi, unsigned incoming, bool isOnly) const;
  Shape shapeOf(llvm::Instruction &instruction) const;
  Shape shapeOfPhi(llvm::PHINode &phi) const;
  Shape shapeOfMeeting(const llvm::CallInst &call, LaneMeeting meeting) const;
  Shape shapeOfExtension(llvm::Instruction &extension) const;
  Shape shapeOfExpression(const llvm::SCEV *expression) const;

  const ThreadLoop &threads_;
  llvm::LoopInfo &loops_;
  llvm::PredicatedScalarEvolution &predicated_;
  llvm::ScalarEvolution &evolution_;
  std::map<const llvm::Loop *, std::unique_ptr<TurnGraph>> graphs_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  std::set<std::pair<const TurnGraph *, unsigned>> partial_;
  std::set<const llvm::Loop *> divergent_;
  llvm::DenseSet<const llvm::Value *> fromMemory_;
};

// shapeOfArithmetic() is the shape of what an instruction computes from operands of the shapes that `of` tells. Numbers
// that are extended may wrap around before: where they have a stride, nothing is said.
Shape shapeOfArithmetic(const llvm::Instruction &instruction, llvm::function_ref<Shape(const llvm::Value &)> of);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_SHAPES_H
