#include "emu_runtime/graph/device_node.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hostwarp::graph {

void DeviceNode::reset(const hw_kernel *code, const dim3 &grid, ArgumentsRef arguments) {
  MutexLock lock(mutex_);
  code_ = code;
  state_ = {grid, std::move(arguments), true};
}

DeviceNode::State DeviceNode::state() const {
  MutexLock lock(mutex_);
  return state_;
}

cudaError_t DeviceNode::setParameter(size_t offset, const void *value, size_t bytes) {
  MutexLock lock(mutex_);
  // A node that has begun keeps the arguments that it has.
  auto changed = std::make_shared<execution::Arguments>(*code_, state_.arguments->pointers());
  size_t begin = 0, written = 0;
  for (uint32_t i = 0; i < code_->parameterCount; ++i) {
    const hw_parameter &parameter = code_->parameters[i];
    const size_t alignment = std::max(1U, parameter.alignment);
    begin = (begin + alignment - 1) / alignment * alignment;
    const size_t end = begin + parameter.bytes;
    const size_t from = std::max(begin, offset), to = std::min(end, offset + bytes);
    if (from < to) {
      std::memcpy(static_cast<char *>(changed->pointers()[i]) + (from - begin),
                  static_cast<const char *>(value) + (from - offset), to - from);
      written += to - from;
    }
    begin = end;
  }
  if (written == 0 || offset + bytes > begin) return cudaErrorInvalidValue;
  state_.arguments = std::move(changed);
  return cudaSuccess;
}

cudaError_t DeviceNode::setEnabled(bool enabled) {
  MutexLock lock(mutex_);
  state_.enabled = enabled;
  return cudaSuccess;
}

cudaError_t DeviceNode::setGrid(const dim3 &grid) {
  if (!grid.x || !grid.y || !grid.z) return cudaErrorInvalidValue;
  MutexLock lock(mutex_);
  state_.grid = grid;
  return cudaSuccess;
}

DeviceNodeTable &deviceNodeTable() {
  static auto *table = new DeviceNodeTable;
  return *table;
}

}  // namespace hostwarp::graph
