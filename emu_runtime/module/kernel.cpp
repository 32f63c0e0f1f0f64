#include "emu_runtime/module/kernel.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace hostwarp::modules {

Kernel::Kernel(const void *hostFunction, const hw_kernel *code, std::string name, Status lacking)
    : hostFunction_(hostFunction), code_(code), name_(std::move(name)), lacking_(std::move(lacking)) {}

namespace {

bool isForAny(const hw_entry &entry) { return entry.blockDim[0] == 0; }

bool runs(const hw_entry &entry, const hw_dim3 &shape) {
  return isForAny(entry) ||
         (entry.blockDim[0] == shape.x && entry.blockDim[1] == shape.y && entry.blockDim[2] == shape.z);
}

// isBetter(): what is made for one shape of block is better than a higher instruction set.
bool isBetter(const hw_entry &one, const hw_entry &other) {
  if (isForAny(one) != isForAny(other)) return isForAny(other);
  return one.level > other.level;
}

// bestOf() is the best form there is of the kind that this machine can run; null: none.
const hw_entry *bestOf(std::span<const hw_entry> entries, hw_entry_kind kind, const hw_dim3 &shape) {
  const uint32_t level = hw_isa_level < HW_ISA_COUNT ? hw_isa_level : uint32_t{HW_ISA_BASELINE};
  const hw_entry *best = nullptr;
  for (const hw_entry &entry : entries) {
    if (entry.kind != kind || entry.level > level || !runs(entry, shape)) continue;
    if (!best || isBetter(entry, *best)) best = &entry;
  }
  return best;
}

}  // namespace

const hw_entry &Kernel::threadEntry() const { return *bestOf(entries(), HW_ENTRY_OF_THREAD, {}); }

const hw_entry *Kernel::blockEntry(const hw_dim3 &shape) const { return bestOf(entries(), HW_ENTRY_OF_BLOCK, shape); }

std::string demangle(const char *name) {
  // __cxa_demangle() takes "x" for a type, too.
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> plain(::abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 && plain ? plain.get() : name;
}

}  // namespace hostwarp::modules
