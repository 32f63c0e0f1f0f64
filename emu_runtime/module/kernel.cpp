#include "emu_runtime/module/kernel.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace hostwarp::modules {

Kernel::Kernel(const void *hostFunction, const hw_kernel *code, std::string name)
    : hostFunction_(hostFunction), code_(code), name_(std::move(name)) {}

namespace {

// bestOf() gives the level of the highest variant there is that this machine can run. A variant may stand for levels
// above its own, too.
template <typename Entry>
uint32_t bestOf(const Entry (&variants)[HW_ISA_COUNT]) {
  uint32_t level = hw_isa_level < HW_ISA_COUNT ? hw_isa_level : uint32_t{HW_ISA_BASELINE};
  while (level > HW_ISA_BASELINE && !variants[level]) --level;
  while (level > HW_ISA_BASELINE && variants[level - 1] == variants[level]) --level;
  return level;
}

}  // namespace

hw_kernel_entry Kernel::entry() const { return code_->entry[level()]; }

hw_block_entry Kernel::blockEntry() const { return code_->blockEntry[blockLevel()]; }

uint32_t Kernel::level() const { return bestOf(code_->entry); }

uint32_t Kernel::blockLevel() const { return bestOf(code_->blockEntry); }

std::string demangle(const char *name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 && plain ? plain.get() : name;
}

}  // namespace hostwarp::modules
