// The kernel's code for one shape of block.
#ifndef HOSTWARP_COMPILER_DEVICE_BLOCK_SHAPES_H
#define HOSTWARP_COMPILER_DEVICE_BLOCK_SHAPES_H

#include <llvm/IR/Function.h>

#include <optional>

#include "compiler/device/options.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

// extentOffset() is where hw_thread has blockDim.x, y or z.
constexpr size_t extentOffset(unsigned dimension) {
  return offsetof(hw_thread, blockDim) + dimension * sizeof(uint32_t);
}

// extentReadBy() is the dimension whose extent the instruction reads; nothing: it does something else.
std::optional<unsigned> extentReadBy(const llvm::Instruction &instruction);

// entryForShape() copies the entry for threads of blocks of that shape; the caller erases it.
llvm::Function &entryForShape(llvm::Function &entry, const BlockShape &shape);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_BLOCK_SHAPES_H
