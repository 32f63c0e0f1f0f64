// The way through one turn of a loop, with the loops inside as single nodes.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_TURN_GRAPH_H
#define HOSTWARP_COMPILER_DEVICE_LANES_TURN_GRAPH_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>

#include <vector>

namespace hostwarp::compiler {

// TurnGraph lists the nodes of a loop's turn in topological order, the header first. Edges to the header and out of the
// loop end the turn. pre: the loop and those inside are in LLVM's simplified form, and all cycles are loops.
class TurnGraph {
 public:
  struct Node {
    llvm::BasicBlock *block;              // of a loop: its header
    llvm::Loop *loop;                     // null: the node is a block
    llvm::SmallVector<unsigned, 4> next;  // without the edges that end the turn
    llvm::SmallVector<unsigned, 4> previous;
    bool mayEndTurn = false;
    // leader is the first node that every turn through this one comes through, and that always leads here.
    unsigned leader = 0;
    unsigned dominator = 0;
  };

  TurnGraph(llvm::Loop &loop, llvm::LoopInfo &loops);

  llvm::Loop &loop() const { return loop_; }
  const std::vector<Node> &nodes() const { return nodes_; }
  // nodeOf() is the node that the block is, or lies in.
  unsigned nodeOf(llvm::BasicBlock *block) const;
  bool contains(llvm::BasicBlock *block) const { return loop_.contains(block); }

 private:
  llvm::Loop *innerLoopOf(llvm::BasicBlock *block) const;
  llvm::SmallVector<llvm::BasicBlock *> targetsOf(llvm::BasicBlock *block) const;
  void collect();
  void connect();
  void findDominators();
  void findLeaders();
  bool alwaysLeadsTo(unsigned from, unsigned to, llvm::ArrayRef<int> postDominators) const;
  std::vector<int> postDominators() const;

  llvm::Loop &loop_;
  llvm::LoopInfo &loops_;
  std::vector<Node> nodes_;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> index_;  // by a node's block
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_TURN_GRAPH_H
