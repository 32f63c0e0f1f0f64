// The values of hw_thread's fields that differ between the threads of a block.
#ifndef HOSTWARP_COMPILER_DEVICE_THREAD_FIELDS_H
#define HOSTWARP_COMPILER_DEVICE_THREAD_FIELDS_H

#include <llvm/IR/Value.h>

#include <array>
#include <cstddef>
#include <utility>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

struct ThreadFields {
  llvm::Value *x, *y, *z, *linear, *lane, *warp;

  std::array<std::pair<size_t, llvm::Value *>, 6> byOffset() const {
    return {{{offsetof(hw_thread, threadIdx) + offsetof(hw_dim3, x), x},
             {offsetof(hw_thread, threadIdx) + offsetof(hw_dim3, y), y},
             {offsetof(hw_thread, threadIdx) + offsetof(hw_dim3, z), z},
             {offsetof(hw_thread, linearThread), linear},
             {offsetof(hw_thread, laneId), lane},
             {offsetof(hw_thread, warpId), warp}}};
  }
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_THREAD_FIELDS_H
