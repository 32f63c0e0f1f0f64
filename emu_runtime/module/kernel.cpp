#include "emu_runtime/module/kernel.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace hostwarp::modules {

Kernel::Kernel(const void *hostFunction, const hw_kernel *code, std::string name)
    : hostFunction_(hostFunction), code_(code), name_(std::move(name)) {}

hw_kernel_entry Kernel::entry() const {
  uint32_t level = hw_isa_level < HW_ISA_COUNT ? hw_isa_level : uint32_t{HW_ISA_BASELINE};
  while (level > HW_ISA_BASELINE && !code_->entry[level]) --level;
  return code_->entry[level];
}

std::string demangle(const char *name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 && plain ? plain.get() : name;
}

}  // namespace hostwarp::modules
