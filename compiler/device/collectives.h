// The places in a kernel where threads of a warp, or of the block, wait for one another and exchange values.
#ifndef HOSTWARP_COMPILER_DEVICE_COLLECTIVES_H
#define HOSTWARP_COMPILER_DEVICE_COLLECTIVES_H

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

// boundaryName is the function, which nobody defines, whose calls mark the boundaries.
inline constexpr llvm::StringLiteral boundaryName = "hw_boundary";

// Exchange is one such place, with what it takes from each thread and gives to it. Null: it has none.
struct Exchange {
  hw_boundary_kind kind = HW_AT_BARRIER;
  uint32_t operation = 0;
  llvm::Value *mask = nullptr, *value = nullptr, *operand = nullptr, *width = nullptr;
  llvm::Function *work = nullptr;
  llvm::Value *flagPointer = nullptr;  // where the program wants the second result
};

// exchangeOf() tells what the call waits for; nothing for calls that do not wait, and for those that block entries do
// not know: operations that are found out while the kernel runs.
std::optional<Exchange> exchangeOf(const llvm::CallBase &call);

// isBarrierOfAll(): all threads of the block that are left have to come.
bool isBarrierOfAll(hw_boundary_kind kind);

// keepsStep(): a call of hw_syncwarp() with a mask of 0, where the lanes of a warp that come along wait for each other,
// as a GPU's do, though nothing in the program says so.
bool keepsStep(const llvm::Instruction &instruction);
// opensInParts(): at such a boundary the block's threads go on by parts, or when other blocks have come.
bool opensInParts(hw_boundary_kind kind);

// Arrival is what a call arrives at without waiting there.
enum class Arrival { None, AtBarrier, AtOtherBlocks };
Arrival arrivalOf(const llvm::CallBase &call);

// ExchangeArrays are the variables, one of each per thread, through which a kernel's exchanges go.
class ExchangeArrays {
 public:
  // pre: `start` is the block that allocations stand in.
  explicit ExchangeArrays(llvm::BasicBlock &start) : start_(start) {}

  // Boundary is an exchange whose call has been replaced by stores, a marker and loads.
  struct Boundary {
    Exchange exchange;
    llvm::DebugLoc place{};
    llvm::CallInst *marker = nullptr;
    // Either an allocation or a constant.
    llvm::Value *mask = nullptr, *operand = nullptr, *width = nullptr;
    llvm::AllocaInst *value = nullptr, *result = nullptr, *flag = nullptr;
    unsigned valueBits = 32;
  };
  Boundary replace(llvm::CallInst &call, const Exchange &exchange);

 private:
  llvm::AllocaInst *variable(llvm::AllocaInst *&known, llvm::Type *type, const char *name);
  llvm::Value *give(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::AllocaInst *&known, const char *name);
  void giveValue(llvm::IRBuilder<> &builder, Boundary &boundary);
  void takeResult(llvm::IRBuilder<> &builder, Boundary &boundary, llvm::CallInst &call);

  llvm::BasicBlock &start_;
  llvm::AllocaInst *mask_ = nullptr, *operand_ = nullptr, *width_ = nullptr, *flag_ = nullptr;
  llvm::AllocaInst *value32_ = nullptr, *value64_ = nullptr, *result32_ = nullptr, *result64_ = nullptr;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_COLLECTIVES_H
