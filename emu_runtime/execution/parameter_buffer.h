// ParameterBuffer: memory in which device code puts the parameters of a launch without <<<>>>.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_PARAMETER_BUFFER_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_PARAMETER_BUFFER_H

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "emu_runtime/execution/launch.h"
#include "emu_runtime/module/kernel.h"

namespace hostwarp::execution {

// ParameterBuffer also keeps kernel and configuration where they are given with the buffer, before the launch.
struct ParameterBuffer {
  struct Release {
    void operator()(char *memory) const { ::operator delete(memory, alignment); }
  };
  static constexpr std::align_val_t alignment{128};

  std::unique_ptr<char, Release> memory;  // null when there is none of this size
  size_t bytes = 0;
  std::shared_ptr<modules::Kernel> kernel = nullptr;
  LaunchConfiguration configuration = {};

  explicit ParameterBuffer(size_t bytes)
      : memory(static_cast<char *>(::operator new(std::max<size_t>(bytes, 1), alignment, std::nothrow))),
        bytes(bytes) {}
};

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_PARAMETER_BUFFER_H
