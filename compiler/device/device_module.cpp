#include "compiler/device/device_module.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace hostwarp::compiler {

static std::string position(const llvm::Instruction *at) {
  const llvm::DILocation *location = at ? at->getDebugLoc().get() : nullptr;
  if (!location) return "";
  // The innermost user-visible place is where the call was inlined to.
  while (const llvm::DILocation *outer = location->getInlinedAt()) location = outer;
  return (location->getFilename() + ":" + llvm::Twine(location->getLine()) + ": ").str();
}

void fail(DeviceModule &device, const llvm::Instruction *at, const std::string &what) {
  std::string place = position(at);
  if (place.empty()) place = device.options.source + ": ";
  device.errors.push_back(place + "error: " + what);
}

llvm::SmallVector<llvm::Function *> blockEntries(const Kernel &kernel) {
  llvm::SmallVector<llvm::Function *> functions;
  for (const Entry &entry : kernel.entries)
    if (entry.kind == HW_ENTRY_OF_BLOCK) functions.push_back(entry.function);
  return functions;
}

uint32_t maxThreadsPerBlock(const Kernel &kernel) {
  const auto &[x, y, z] = kernel.maxThreads;
  return x * std::max(1U, y) * std::max(1U, z);
}

}  // namespace hostwarp::compiler
