// What the lanes of a warp do together while they go through a loop over threads in step.
#ifndef HOSTWARP_COMPILER_DEVICE_LANE_MEETINGS_H
#define HOSTWARP_COMPILER_DEVICE_LANE_MEETINGS_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <optional>

namespace hostwarp::compiler {

inline constexpr unsigned warpLanes = 32;

// LaneMeeting is a call in the turn of one thread that stands for what all 32 do there: nobody defines these functions.
// Loops with such calls become one vector, or are not entered (asksForVector()).
enum class LaneMeeting {
  Sync,      // void (): accesses keep to their side
  Shuffle,   // T (i32 operation, T value, i32 operand, i32 width)
  InRange,   // i32 (i32 operation, i32 operand, i32 width): the shuffle's second result
  Vote,      // i32 (i32 operation, T value)
  Reduce,    // i32 (i32 operation, i32 value)
  MatchAny,  // i32 (i32, T value): which lanes have the same
  MatchAll,  // i32 (i32, T value): all lanes, if they do
};

// laneMeetingOf(): nothing, when the value is something else.
std::optional<LaneMeeting> laneMeetingOf(const llvm::Value &value);
llvm::CallInst *createLaneMeeting(llvm::IRBuilder<> &builder, LaneMeeting meeting, llvm::Type *result,
                                  llvm::ArrayRef<llvm::Value *> arguments);

// createVectorQuestion() makes the call which says whether the loop over threads with this number became a vector.
llvm::CallInst *createVectorQuestion(llvm::IRBuilder<> &builder, unsigned number);
bool isVectorQuestion(const llvm::Instruction &instruction);

// joinedLoop gives, in a loop's metadata, the number of the question.
inline constexpr llvm::StringLiteral joinedLoop = "hostwarp.joined_loop";

// spareLoop gives, in a loop's metadata, the number of the question after which the loop runs only where the vector
// cannot: for warps that are neither a row of threads nor several whole ones.
inline constexpr llvm::StringLiteral spareLoop = "hostwarp.spare_loop";

// lookUpLoop says, in a loop's metadata, that each lane of a warp takes what another has handed over, and which one
// only the run tells.
inline constexpr llvm::StringLiteral lookUpLoop = "hostwarp.look_up_loop";

// shortRows says, in a loop's metadata, that a warp may be several rows of the block.
inline constexpr llvm::StringLiteral shortRows = "hostwarp.short_rows";

// ShuffleSources is where each lane of a shuffle takes its value from, and whether that lies in its segment.
struct ShuffleSources {
  std::array<int, warpLanes> lane;
  std::array<bool, warpLanes> inRange;
};
// shuffleSources(): nothing, where the code does not say. `operands` are those of all lanes, where they are known but
// not the same.
std::optional<ShuffleSources> shuffleSources(uint32_t operation, llvm::Value *operand, llvm::Value *width);
std::optional<ShuffleSources> shuffleSources(uint32_t operation, llvm::ArrayRef<uint32_t> operands, llvm::Value *width);

// ShuffleSource is the same for one lane, or for all as vectors, while the program runs.
struct ShuffleSource {
  llvm::Value *lane, *inRange;
};
// shuffleSource() is the definition of shfl.sync in the PTX manual, as lane_exchange.cpp of the engine has it.
ShuffleSource shuffleSource(llvm::IRBuilder<> &builder, uint32_t operation, llvm::Value *lane, llvm::Value *operand,
                            llvm::Value *width);

// voteResult() is what a vote gives all lanes when it holds for those of the ballot.
llvm::Value *voteResult(llvm::IRBuilder<> &builder, uint32_t operation, llvm::Value *ballot);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANE_MEETINGS_H
