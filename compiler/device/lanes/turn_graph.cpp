#include "compiler/device/lanes/turn_graph.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

namespace hostwarp::compiler {

TurnGraph::TurnGraph(llvm::Loop &loop, llvm::LoopInfo &loops) : loop_(loop), loops_(loops) {
  collect();
  connect();
  findDominators();
  findLeaders();
}

// innerLoopOf() is the outermost loop around the block inside of this one; null: none.
llvm::Loop *TurnGraph::innerLoopOf(llvm::BasicBlock *block) const {
  llvm::Loop *found = loops_.getLoopFor(block);
  if (found == &loop_) return nullptr;
  while (found->getParentLoop() != &loop_) found = found->getParentLoop();
  return found;
}

unsigned TurnGraph::nodeOf(llvm::BasicBlock *block) const {
  llvm::Loop *inner = innerLoopOf(block);
  return index_.lookup(inner ? inner->getHeader() : block);
}

// targetsOf() lists where a node goes, by its block.
llvm::SmallVector<llvm::BasicBlock *> TurnGraph::targetsOf(llvm::BasicBlock *block) const {
  llvm::SmallVector<llvm::BasicBlock *> targets;
  if (llvm::Loop *inner = innerLoopOf(block))
    inner->getUniqueExitBlocks(targets);
  else
    targets.append(llvm::succ_begin(block), llvm::succ_end(block));
  return targets;
}

void TurnGraph::collect() {
  llvm::SmallVector<llvm::BasicBlock *> order;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
  // An entry is a node with those of its targets that are still to be visited.
  std::vector<std::pair<llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *>>> work;
  const auto enter = [&](llvm::BasicBlock *block) {
    if (seen.insert(block).second) work.emplace_back(block, targetsOf(block));
  };
  enter(loop_.getHeader());
  while (!work.empty()) {
    auto &[block, targets] = work.back();
    if (targets.empty()) {
      order.push_back(block);
      work.pop_back();
      continue;
    }
    llvm::BasicBlock *next = targets.pop_back_val();
    if (loop_.contains(next)) enter(next);
  }
  for (llvm::BasicBlock *block : llvm::reverse(order)) {
    index_[block] = static_cast<unsigned>(nodes_.size());
    nodes_.push_back({block, innerLoopOf(block), {}, {}});
  }
}

void TurnGraph::connect() {
  for (unsigned i = 0; i < nodes_.size(); ++i)
    for (llvm::BasicBlock *target : targetsOf(nodes_[i].block)) {
      if (!loop_.contains(target) || target == loop_.getHeader()) {
        nodes_[i].mayEndTurn = true;
        continue;
      }
      const unsigned next = index_.lookup(target);
      if (llvm::is_contained(nodes_[i].next, next)) continue;
      nodes_[i].next.push_back(next);
      nodes_[next].previous.push_back(i);
    }
}

void TurnGraph::findDominators() {
  for (unsigned i = 1; i < nodes_.size(); ++i) {
    unsigned common = nodes_[i].previous.front();
    for (unsigned other : nodes_[i].previous)
      while (common != other) {
        unsigned &later = common > other ? common : other;
        later = nodes_[later].dominator;
      }
    nodes_[i].dominator = common;
  }
}

// postDominators() gives, for each node, the next one that all ways from it come through; -1: the turn's end.
std::vector<int> TurnGraph::postDominators() const {
  std::vector<int> result(nodes_.size(), -1);
  for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
    const Node &node = nodes_[i];
    if (node.mayEndTurn || node.next.empty()) continue;
    int common = static_cast<int>(node.next.front());
    for (unsigned target : node.next)
      for (int other = static_cast<int>(target); common != other && common >= 0;) {
        if (other < 0) {
          common = -1;
          break;
        }
        // The earlier of the two moves on.
        int &earlier = common < other ? common : other;
        earlier = result[earlier];
      }
    result[i] = common;
  }
  return result;
}

bool TurnGraph::alwaysLeadsTo(unsigned from, unsigned to, llvm::ArrayRef<int> postDominators) const {
  int at = static_cast<int>(from);
  while (at >= 0 && at < static_cast<int>(to)) at = postDominators[at];
  return at == static_cast<int>(to);
}

void TurnGraph::findLeaders() {
  const std::vector<int> after = postDominators();
  for (unsigned i = 1; i < nodes_.size(); ++i) {
    const unsigned above = nodes_[i].dominator;
    nodes_[i].leader = alwaysLeadsTo(above, i, after) ? nodes_[above].leader : i;
  }
}

}  // namespace hostwarp::compiler
