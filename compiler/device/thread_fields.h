// The values of hw_thread's fields that differ between the threads of a block.
#ifndef HOSTWARP_COMPILER_DEVICE_THREAD_FIELDS_H
#define HOSTWARP_COMPILER_DEVICE_THREAD_FIELDS_H

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Value.h>

#include <array>
#include <cstddef>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

struct ThreadFields {
  llvm::Value *x, *y, *z, *linear, *lane, *warp;
};

// ThreadField is such a field. Until the functions are made that run a whole block, `read`, a function without code,
// stands for its value: a load is something that an optimiser merges with loads of other fields, so that nobody can
// tell later which one is meant.
struct ThreadField {
  llvm::StringLiteral read;
  size_t offset;  // in hw_thread
  llvm::Value *ThreadFields::*value;
};

inline constexpr std::array<ThreadField, 6> threadFields{
    {{"hw_read_tid_x", offsetof(hw_thread, threadIdx) + offsetof(hw_dim3, x), &ThreadFields::x},
     {"hw_read_tid_y", offsetof(hw_thread, threadIdx) + offsetof(hw_dim3, y), &ThreadFields::y},
     {"hw_read_tid_z", offsetof(hw_thread, threadIdx) + offsetof(hw_dim3, z), &ThreadFields::z},
     {"hw_read_linear_thread", offsetof(hw_thread, linearThread), &ThreadFields::linear},
     {"hw_read_laneid", offsetof(hw_thread, laneId), &ThreadFields::lane},
     {"hw_read_warpid", offsetof(hw_thread, warpId), &ThreadFields::warp}}};

// threadFieldAt() is the one at the offset; null: all threads of a block have the same there.
inline const ThreadField *threadFieldAt(size_t offset) {
  for (const ThreadField &field : threadFields)
    if (field.offset == offset) return &field;
  return nullptr;
}

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_THREAD_FIELDS_H
