// Kernel and Variable: what host code names when it launches or copies to a symbol.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_KERNEL_H
#define HOSTWARP_EMU_RUNTIME_MODULE_KERNEL_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "emu_runtime/module/shape_uses.h"
#include "emu_runtime/support/status.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

// Kernel is a `__global__` function: the host's handle for it and its compiled code. The attributes are what
// cudaFuncSetAttribute() sets. Thread-safe.
class Kernel {
 public:
  // `code` is null when the program embeds no code for hostwarp, or for the reason `lacking`.
  Kernel(const void *hostFunction, const hw_kernel *code, std::string name, Status lacking = {});

  const void *hostFunction() const { return hostFunction_; }
  const hw_kernel *code() const { return code_; }
  const Status &lacking() const { return lacking_; }
  const std::string &name() const { return name_; }  // demangled

  // entries() are the kernel's forms. pre: code() is not null.
  std::span<const hw_entry> entries() const { return {code_->entries, code_->entryCount}; }
  // threadEntry() is the form that runs a thread on this machine. pre: code() is not null.
  const hw_entry &threadEntry() const;
  // blockEntry() is the form that runs whole blocks of this shape on this machine, and does so best; null when there is
  // none. For the shape {0, 0, 0} it is one that runs any block. pre: code() is not null.
  const hw_entry *blockEntry(const hw_dim3 &shape) const;

  // shapes() has what is made for shapes of block while the program runs.
  ShapeUses &shapes() const { return shapes_; }

  // serialBlocks() tells that only one block may run at a time: the kernel is plain C++, with `__shared__` as static
  // storage.
  bool serialBlocks() const { return serialBlocks_; }
  void setSerialBlocks() { serialBlocks_ = true; }

  std::atomic<int> maxDynamicSharedBytes{-1};  // -1: never set
  std::atomic<int> preferredCarveout{-1};
  std::atomic<int> clusterWidth{0};
  std::atomic<int> clusterHeight{0};
  std::atomic<int> clusterDepth{0};
  std::atomic<int> nonPortableClusterSize{0};
  std::atomic<int> clusterSchedulingPolicy{0};
  std::atomic<int> cacheConfig{0};

 private:
  const void *hostFunction_;
  const hw_kernel *code_;
  std::string name_;
  Status lacking_;
  bool serialBlocks_ = false;
  mutable ShapeUses shapes_;
};

// ReferenceKind tells texture<> and surface<> references, whose storage is a handle, from other variables.
enum class ReferenceKind : uint8_t { None, Texture, Surface };

// Variable is a `__device__`, `__constant__` or `__managed__` variable: the host's handle for it and its storage.
struct Variable {
  const void *hostVariable = nullptr;
  const hw_variable *storage = nullptr;
  ReferenceKind reference = ReferenceKind::None;
  bool normalizedRead = false;  // a texture reference read with cudaReadModeNormalizedFloat

  // address() is where the variable lies on the device with this delta; managed variables exist once.
  char *address(int64_t deviceDelta) const {
    auto *home = static_cast<char *>(storage->address);
    return storage->kind == HW_VARIABLE_MANAGED ? home : home + deviceDelta;
  }
};

// demangle() turns a mangled C++ name into what a person wrote; other names come back as they are.
std::string demangle(const char *name);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_KERNEL_H
