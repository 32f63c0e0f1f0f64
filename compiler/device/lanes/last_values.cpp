#include "compiler/device/lanes/last_values.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <functional>

namespace hostwarp::compiler {

namespace {

// Ways are the phis through which a variable comes to the end of its turn.
class Ways {
 public:
  Ways(llvm::Loop &threads, llvm::PHINode &variable) : threads_(threads), variable_(variable) {}

  // find() is false when there is more than one value to set.
  bool find() {
    auto *end = llvm::dyn_cast<llvm::PHINode>(variable_.getIncomingValueForBlock(threads_.getLoopLatch()));
    if (!end || !add(*end)) return false;
    for (unsigned i = 0; i < phis_.size(); ++i)
      for (llvm::Value *value : phis_[i]->incoming_values())
        if (!look(*value)) return false;
    return set_ && llvm::all_of(variable_.users(), isWay()) && llvm::all_of(llvm::drop_begin(phis_), [&](auto *phi) {
             return llvm::all_of(phi->users(), isWay());
           });
  }

  void choose() {
    llvm::DenseMap<llvm::Value *, llvm::Value *> isSet;
    llvm::Type *boolean = llvm::Type::getInt1Ty(variable_.getContext());
    for (llvm::PHINode *phi : phis_)
      isSet[phi] = llvm::PHINode::Create(boolean, phi->getNumIncomingValues(), "is_set", phi->getIterator());
    isSet[&variable_] = llvm::ConstantInt::getFalse(boolean);
    isSet[set_] = llvm::ConstantInt::getTrue(boolean);
    for (llvm::PHINode *phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        llvm::cast<llvm::PHINode>(isSet[phi])->addIncoming(isSet[phi->getIncomingValue(i)], phi->getIncomingBlock(i));
    llvm::PHINode *end = phis_.front();
    auto *choice = llvm::SelectInst::Create(isSet[end], set_, &variable_, "last", end->getParent()->getFirstInsertionPt());
    end->replaceAllUsesWith(choice);
    for (llvm::PHINode *phi : phis_) phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
    for (llvm::PHINode *phi : phis_) phi->eraseFromParent();
  }

 private:
  std::function<bool(const llvm::User *)> isWay() const {
    return [this](const llvm::User *user) { return llvm::is_contained(phis_, user); };
  }

  // add(): phis of loops inside come round again.
  bool add(llvm::PHINode &phi) {
    return threads_.contains(&phi) && phi.getParent() != threads_.getHeader() && phis_.insert(&phi);
  }

  bool look(llvm::Value &value) {
    if (&value == &variable_) return true;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&value); phi && threads_.contains(phi)) {
      if (phis_.contains(phi)) return true;
      return add(*phi);
    }
    if (!threads_.isLoopInvariant(&value) || (set_ && set_ != &value)) return false;
    set_ = &value;
    return true;
  }

  llvm::Loop &threads_;
  llvm::PHINode &variable_;
  llvm::SmallSetVector<llvm::PHINode *, 8> phis_;
  llvm::Value *set_ = nullptr;
};

}  // namespace

void chooseLastValues(llvm::Loop &threads) {
  if (!threads.getLoopLatch()) return;
  for (llvm::PHINode &variable : threads.getHeader()->phis())
    if (Ways ways(threads, variable); ways.find()) ways.choose();
}

}  // namespace hostwarp::compiler
