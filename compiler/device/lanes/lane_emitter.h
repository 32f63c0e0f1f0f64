// Makes the loop in which each turn runs several threads by vectors.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_EMITTER_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_EMITTER_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "compiler/device/lanes/access_groups.h"
#include "compiler/device/lanes/lane_assumptions.h"
#include "compiler/device/lanes/lane_patterns.h"

namespace hostwarp::compiler {

// LaneEmitter puts a loop of its own in front of the loop over threads, which takes what is left. Blocks stand one
// after the other in topological order, each behind a test whether any lane comes to it; what they do is masked. Loops
// go on while any lane does. Values that are uniform, and the lanes' first values of those with a stride, stay scalar.
// pre: whyNotVectors() of the loop is empty.
class LaneEmitter {
 public:
  // Rest is what becomes of threads that do not fill a vector.
  // None: there are as many threads as lanes, and nothing has to be looked at before.
  enum class Rest { OneByOne, Masked, None };

  // `isBrief`: of much code the time that it takes to compile counts more than what hardly ever runs.
  LaneEmitter(const ThreadLoop &threads, const LaneShapes &shapes, llvm::LoopInfo &loops,
              llvm::PredicatedScalarEvolution &evolution, unsigned lanes, bool isBrief, Rest rest = Rest::OneByOne);

  void emit();

 private:
  // Mask is which lanes of a turn come to the nodes of one leader. In the function it is kept in variables until all is
  // emitted.
  struct Mask {
    bool always = false;                // whoever is in the turn
    bool partial = false;               // lanes differ
    bool skips = false;                 // the code is jumped over where no lane comes
    llvm::AllocaInst *lanes = nullptr;  // where they differ
    llvm::AllocaInst *any = nullptr;    // where they do not
  };
  // Condition is when a block goes on to a successor: always where it is null; scalar or a vector.
  struct Condition {
    llvm::Value *value = nullptr;
  };
  // Turn is the loop whose turn is being emitted.
  struct Turn {
    const TurnGraph *graph;
    llvm::Value *lanes = nullptr;      // that are in the turn; null: all
    llvm::AllocaInst *goOn = nullptr;  // which, or whether, lanes take one more turn
  };

  // The way through the code: lane_emitter.cpp.
  void makeFrame();
  llvm::Value *present();
  void startVariables();
  void emitTurn(Turn &turn);
  void emitLoop(llvm::Loop &loop);
  void emitBlock(llvm::BasicBlock &block);
  void open(Mask &mask);
  void close();
  Mask &maskOf(const TurnGraph &graph, unsigned node);
  bool isCheap(const TurnGraph &graph, unsigned leader) const;
  bool isCheap(const llvm::BasicBlock &block) const;
  const TurnGraph &graphEntered(const llvm::BasicBlock &from, llvm::BasicBlock &to) const;
  void leave(llvm::BasicBlock &block);
  void goTo(llvm::BasicBlock &from, llvm::BasicBlock &to, Condition condition);
  void addToMask(Mask &mask, Condition condition);
  void handOver(llvm::BasicBlock &from, llvm::BasicBlock &to, Condition condition);
  void handOverToLoop(llvm::BasicBlock &from, llvm::BasicBlock &header);
  llvm::Value *chosen(llvm::PHINode &phi, llvm::BasicBlock &from, Condition condition, llvm::Value *otherwise);
  bool comesOnlyFrom(llvm::BasicBlock &from, llvm::BasicBlock &to) const;
  bool leavesDivergentLoop(llvm::BasicBlock &from, llvm::BasicBlock &to) const;
  Condition conditionOf(llvm::BasicBlock &from, llvm::BasicBlock &to);
  Condition switchCondition(llvm::SwitchInst &choice, llvm::BasicBlock &to);
  llvm::Value *lanesThat(Condition condition);
  llvm::Value *isAny(llvm::Value *lanes);
  void resetAtBeginning(const TurnGraph &graph, llvm::AllocaInst &variable, llvm::Value *value);
  void finish();
  void countOn();
  llvm::Value *combine(llvm::RecurKind kind, llvm::Value *a, llvm::Value *b);
  llvm::Value *reduce(llvm::RecurKind kind, llvm::Value *lanes);
  void reduceAll();
  llvm::Value *leftValue(llvm::Value &value);
  void joinRest();

  // Span is a value in the first and in the last lane.
  struct Span {
    llvm::Value *first, *last;
    int64_t stride;
  };

  // Two versions of a block: lane_versions.cpp.
  Shape shapeOf(const llvm::Value &value) const;
  void emitInstructions(llvm::BasicBlock &block);
  void emitVersions(llvm::BasicBlock &block, const LaneAssumptions &assumptions);
  void emitAhead(llvm::BasicBlock &block);
  llvm::MapVector<llvm::Instruction *, llvm::Value *> resultsOf(llvm::BasicBlock &block,
                                                                llvm::function_ref<bool(llvm::Instruction &)> isUsed);
  bool emitCommon(llvm::Instruction &instruction);
  llvm::SmallVector<const llvm::Value *> reducedIn(const llvm::BasicBlock &block) const;
  llvm::Value *firstOf(llvm::Value &value);
  llvm::Value *firstByAssumption(llvm::Instruction &instruction);
  llvm::Value *emitFirst(llvm::Instruction &instruction);
  llvm::Value *harmlessDivisor(const llvm::Instruction &division, llvm::Value &dividend, llvm::Value &divisor);
  llvm::Value *divisorOf(const llvm::Instruction &division, llvm::Value &divisor);
  Span spanOf(llvm::Value &value);
  llvm::Value *staysInOrder(const Span &span, bool isSigned);
  llvm::Value *testOf(const llvm::Instruction &pivot);
  llvm::Value *testOfBound(const llvm::MinMaxIntrinsic &bound, const Span &span, llvm::Value &limit);
  llvm::Value *testOfComparison(const llvm::ICmpInst &comparison, const Span &span, llvm::Value &other, bool isSwapped);
  llvm::Value *testOfDivision(const llvm::Instruction &division, const Span &span, llvm::Value &divisor);
  llvm::Value *testOfMask(const llvm::Instruction &operation, const Span &span, llvm::Value &mask);

  // Lanes one after the other: lane_turns.cpp.
  class LaneTurns;
  llvm::SmallSetVector<llvm::Instruction *, 32> ownIn(llvm::BasicBlock &block) const;
  bool mayTakeTurns(llvm::BasicBlock &block) const;
  static llvm::SmallPtrSet<const llvm::Instruction *, 16> usedElsewhere(llvm::BasicBlock &block);
  void emitTurns(llvm::BasicBlock &block, const llvm::SmallPtrSetImpl<const llvm::Instruction *> &used);

  // Groups of accesses: lane_groups.cpp.
  // isWarp(): the lanes go in step because they may look at what others write.
  bool isWarp() const { return width_ == 32; }
  const AccessGroups::Group *groupOf(const llvm::Instruction &access) const;
  std::unique_ptr<AccessGroups> findGroups(const llvm::BasicBlock &block) const;
  void emitGroup(llvm::Instruction &access, const AccessGroups::Group &group);
  llvm::SmallVector<llvm::Value *> placesOf(const AccessGroups::Group &group, llvm::Instruction &access,
                                            int64_t offset);
  void loadGroup(const AccessGroups::Group &group);
  void loadInterleaved(const AccessGroups::Group &group, llvm::Value &start);
  void storeGroup(const AccessGroups::Group &group);
  void transpose(llvm::SmallVectorImpl<llvm::Value *> &vectors);

  // Accesses whose pattern is known: lane_windows.cpp.
  llvm::Value *startOfWindow(const LaneWindow &window, llvm::Value &address);
  llvm::Value *maskOfWindow(const LaneWindow &window, unsigned first);
  llvm::Value *loadWindow(llvm::LoadInst &load, const LaneWindow &window);
  llvm::Value *loadParts(llvm::LoadInst &load, const LaneWindow &window);
  void storeWindow(llvm::StoreInst &store, const LaneWindow &window);

  // Atomics of one place: lane_atomics.cpp.
  void emitCombined(llvm::AtomicRMWInst &atomic);
  void emitSum(llvm::AtomicRMWInst &atomic);
  llvm::Value *movedUp(llvm::RecurKind kind, llvm::Value *lanes, unsigned distance);

  // Values: lane_values.cpp.
  llvm::Value *scalarOf(llvm::Value &value);
  llvm::Value *vectorOf(llvm::Value &value);
  llvm::Value *lookUp(llvm::Value &value);
  void define(llvm::Instruction &original, llvm::Value *value);
  llvm::AllocaInst *newMemory(llvm::Type *type, const llvm::Twine &name);
  llvm::AllocaInst *newVariable(llvm::Type *type, const llvm::Twine &name);
  llvm::AllocaInst *phiVariable(llvm::PHINode &phi);
  llvm::Type *typeOf(const llvm::Instruction &value);
  llvm::VectorType *vectorType(llvm::Type *type) const { return llvm::FixedVectorType::get(type, width_); }
  llvm::Constant *splat(llvm::Constant *value) const;
  llvm::Value *laneNumbers(llvm::Type *type, int64_t stride);
  llvm::Value *allLanes() { return splat(builder_.getTrue()); }
  llvm::BasicBlock *newBlock(const llvm::Twine &name);

  // Instructions: lane_instructions.cpp, lane_memory.cpp.
  void emitInstruction(llvm::Instruction &instruction);
  void emitScalar(llvm::Instruction &instruction);
  llvm::Value *widen(llvm::Instruction &instruction);
  llvm::Value *widenAddress(llvm::GetElementPtrInst &address);
  llvm::Value *widenCall(llvm::IntrinsicInst &call);
  // Integer division: lane_divisions.cpp.
  llvm::Value *widenDivision(llvm::BinaryOperator &division);
  llvm::Value *trapsAnywhere(const llvm::BinaryOperator &division, llvm::Value *dividend, llvm::Value *divisor);
  llvm::Value *divideAsDoubles(const llvm::BinaryOperator &division, llvm::Value *dividend, llvm::Value *divisor);
  // What lanes do together: lane_collectives.cpp.
  void emitMeeting(llvm::CallInst &call, LaneMeeting meeting);
  std::optional<ShuffleSources> sourcesOf(uint32_t operation, llvm::Value &operand, llvm::Value &width);
  llvm::Value *shuffled(llvm::CallInst &call, uint32_t operation);
  llvm::Value *inRange(llvm::CallInst &call, uint32_t operation);
  llvm::Value *matched(llvm::Value *values);
  llvm::Value *permuted(llvm::Value *lanes, llvm::Value *sources);

  // What is told of the lanes' accesses: lane_checks.cpp.
  void emitCheck(llvm::CallInst &check);
  // Calls for all lanes: lane_calls.cpp.
  void emitLaneCall(llvm::CallInst &call, llvm::Function &callee);
  llvm::Value *callTogether(llvm::CallInst &call, llvm::Function &callee);
  llvm::Value *callPart(llvm::CallInst &call, llvm::Function &callee, llvm::SmallVectorImpl<llvm::Value *> &arguments,
                        unsigned lanes);
  llvm::Value *partOf(llvm::Value *vector, unsigned first, unsigned lanes);
  llvm::Value *inMemory(llvm::Value *vector);
  llvm::Value *lanesAsBits();

  llvm::Value *widenLast(llvm::SelectInst &choice);
  void emitOneByOne(llvm::Instruction &instruction);
  llvm::AllocaInst *slotOf(llvm::Type *vector, llvm::ArrayRef<llvm::AllocaInst *> taken);
  llvm::Value *oneByOneOf(llvm::Instruction &instruction);
  void emitScalarsOf(const llvm::Instruction &access);
  void emitLoad(llvm::LoadInst &load);
  void emitStore(llvm::StoreInst &store);
  bool hasScatters() const;
  bool hasSlowMasks(const llvm::Type &element) const;
  bool hasSlowMaskedStores() const;
  void storeIfAll(llvm::function_ref<void()> storeAll, llvm::function_ref<void()> storeSome);
  llvm::Value *isInPage(llvm::Value *address, uint64_t bytes);
  llvm::Value *loadSideBySide(llvm::LoadInst &load, llvm::Value *first);
  void storeSideBySide(llvm::StoreInst &store, llvm::Value *first);
  bool takesTurns() const;
  llvm::SmallVector<llvm::Value *> addressesApart(llvm::Value &address);
  llvm::Value *gather(llvm::LoadInst &load);
  llvm::Value *joined(llvm::ArrayRef<std::pair<llvm::Value *, llvm::BasicBlock *>> ways, const char *name);
  void scatter(llvm::StoreInst &store);
  void storeOne(llvm::StoreInst &store);
  // Place is an address that is computed from one number of each lane's: base + index * scale.
  struct Place {
    llvm::Value *base = nullptr;    // emitted
    llvm::Value *number = nullptr;  // of one thread, before it was extended
    int64_t scale = 0;
  };
  static bool mayBeUsedElsewhere(const llvm::Instruction &instruction);
  std::optional<Place> placeOf(llvm::Value &address);
  llvm::Value *takeOutAddends(llvm::Value *&number);
  llvm::Value *addressesOf(llvm::Value &address);
  // Lineup is what is known of addresses that may be side by side: lane n's element has the number starts[n] + n *
  // step, and what is shared.
  struct Lineup {
    llvm::Value *first = nullptr;  // the first lane's address if they are
    llvm::Value *isSideBySide = nullptr;
    llvm::Value *starts = nullptr;
    llvm::Value *shared = nullptr;  // null: nothing
    llvm::Value *base = nullptr;    // of numbers; null: they are addresses
    llvm::Type *type = nullptr;     // of addresses
    int64_t step = 0, scale = 1;
  };
  Lineup lineUp(llvm::Value &address, uint64_t bytes);
  llvm::Value *withShared(const Lineup &lineup, llvm::Value *start);
  llvm::Value *addressAt(const Lineup &lineup, llvm::Value *number);
  llvm::Value *doesNotWrap(const Lineup &lineup, llvm::Value *number, unsigned lanes);
  void goIf(llvm::Value &condition, const char *name, llvm::function_ref<void()> emitThen);
  // Warps of several rows of the block: lane_rows.cpp.
  bool hasShortRows(uint64_t bytes) const;
  llvm::Value *rowStart(const Lineup &lineup, unsigned firstLane);
  llvm::Value *rowsAreSideBySide(Lineup &lineup);
  llvm::Value *loadRows(llvm::LoadInst &load, const Lineup &lineup);
  void storeRows(llvm::StoreInst &store, const Lineup &lineup);
  llvm::Value *startOf(llvm::Value *starts, llvm::Value *&isSideBySide);
  llvm::Value *firstActive();

  const ThreadLoop &threads_;
  const LaneShapes &shapes_;
  llvm::LoopInfo &loops_;
  llvm::PredicatedScalarEvolution &evolution_;
  const unsigned width_;
  LanePatterns patterns_;
  const bool isBrief_;
  const Rest rest_;
  llvm::Function &function_;
  llvm::IRBuilder<> builder_;

  llvm::BasicBlock *preheader_ = nullptr, *entry_ = nullptr, *header_ = nullptr, *middle_ = nullptr;
  llvm::Value *turns_ = nullptr, *taken_ = nullptr;  // threads in all, and by vectors
  llvm::PHINode *counted_ = nullptr;
  llvm::Value *present_ = nullptr;                           // the lanes that have a thread; null: all
  llvm::MapVector<llvm::PHINode *, llvm::Value *> started_;  // counters at the vector's first lane

  std::map<std::pair<const TurnGraph *, unsigned>, Mask> masks_;      // by leader
  llvm::DenseMap<const TurnGraph *, llvm::BasicBlock *> beginnings_;  // of turns, where variables are set back
  // Sum is what becomes of a reduction: of values that all lanes have in common, and, where there are others, of
  // vectors.
  struct Sum {
    llvm::AllocaInst *common, *hasVectors;
    llvm::Value *result;
  };
  llvm::DenseMap<const llvm::PHINode *, Sum> sums_;
  Turn *turn_ = nullptr;
  Mask *open_ = nullptr;
  llvm::BasicBlock *skipped_ = nullptr;  // where the code behind the open mask's begins
  llvm::Value *lanes_ = nullptr;         // that the open mask lets through; null: all

  llvm::DenseMap<const llvm::Value *, llvm::Value *> values_;
  llvm::DenseMap<const llvm::Value *, llvm::AllocaInst *> kept_;  // of values that other blocks use
  llvm::DenseMap<const llvm::PHINode *, llvm::AllocaInst *> phis_;
  llvm::BasicBlock *block_ = nullptr;         // the original that is being emitted
  const LaneAssumptions *assumed_ = nullptr;  // while the version is emitted in which they hold
  bool isVersion_ = false;
  std::unique_ptr<AccessGroups> groups_;                              // of the block, where all lanes are there
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> grouped_;  // what their loads have loaded
  llvm::SmallPtrSet<const llvm::Instruction *, 16> ahead_;            // emitted in front of the versions
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> firsts_;   // of the first lane
  llvm::SmallVector<llvm::AllocaInst *> variables_;
  llvm::SmallVector<llvm::AllocaInst *> slots_;  // of slotOf()
};

// isSigned() is for integer divisions.
inline bool isSigned(const llvm::Instruction &division) {
  return division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
}

// laneCallee() is the function that does what is called for several threads at once; null: there is none.
llvm::Function *laneCallee(const llvm::Instruction &instruction);

// isNote(): the instruction does nothing.
bool isNote(const llvm::Instruction &instruction);

// runsOneByOne(): there is nothing like it for vectors, and it is done for each lane that is there. At least one must
// be.
bool runsOneByOne(const llvm::Instruction &instruction);

// whyNotVectors() says what in the loop has no vector form; empty: nothing.
std::string whyNotVectors(const ThreadLoop &threads, const LaneShapes &shapes);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_EMITTER_H
