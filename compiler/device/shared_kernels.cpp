#include "compiler/device/shared_kernels.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/device/kernel_text.h"
#include "compiler/device/passes.h"
#include "compiler/device/targets.h"

namespace hostwarp::compiler {

namespace {

// dropCode() drops what only these kernels needed.
void dropCode(llvm::Module &module, const std::vector<Kernel> &kernels) {
  llvm::SmallPtrSet<const llvm::Constant *, 16> entries;
  for (const Kernel &kernel : kernels) entries.insert(&threadEntry(kernel));
  llvm::removeFromUsedLists(module, [&](llvm::Constant *value) { return entries.contains(value); });
  for (const Kernel &kernel : kernels) threadEntry(kernel).eraseFromParent();
  llvm::ModuleAnalysisManager analyses;
  llvm::GlobalDCEPass().run(module, analyses);
}

void show(llvm::Function &entry, const std::string &name) {
  entry.setName(name);
  entry.setLinkage(llvm::GlobalValue::ExternalLinkage);
  entry.setVisibility(llvm::GlobalValue::HiddenVisibility);
  entry.setDSOLocal(true);
}

}  // namespace

void SharedKernels::take(DeviceModule &device) {
  forgetScopeNames(device.module);
  for (Kernel &kernel : device.kernels) kernel.text = kernelText(kernel).value_or("");
  std::vector<Kernel> kept;
  for (Kernel &kernel : device.kernels) (known_.contains(kernel.text) ? device.taken : kept).push_back(kernel);
  device.kernels = std::move(kept);
  if (!device.taken.empty()) dropCode(device.module, device.taken);
}

void SharedKernels::giveBack(DeviceModule &device) {
  const std::string unique = llvm::utohexstr(device.options.imageId, true) + "." + imageOf(device.module).symbolSpace;
  for (Kernel &kernel : device.kernels) offer(kernel, unique);
  for (Kernel &kernel : device.taken) restore(device, kernel);
  llvm::append_range(device.kernels, device.taken);
  device.taken.clear();
}

void SharedKernels::offer(Kernel &kernel, const std::string &unique) {
  if (kernel.text.empty() || known_.contains(kernel.text)) return;
  Known &known = known_[kernel.text];
  known.kernel = kernel;
  llvm::SmallPtrSet<llvm::Function *, 8> functions;
  for (const Entry &entry : kernel.entries) functions.insert(entry.function);
  for (llvm::Function *function : functions) show(*function, (function->getName() + "." + unique).str());
  for (const Entry &entry : kernel.entries) known.symbols.push_back(entry.function->getName().str());
}

void SharedKernels::restore(DeviceModule &device, Kernel &kernel) const {
  const Known &known = known_.at(kernel.text);
  std::string name = std::move(kernel.name);
  kernel = known.kernel;
  kernel.name = std::move(name);
  kernel.function = nullptr;
  llvm::LLVMContext &context = device.module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::get(context, 0)}, false);
  for (size_t i = 0; i < kernel.entries.size(); ++i) {
    llvm::Function *&function = kernel.entries[i].function;
    function = device.module.getFunction(known.symbols[i]);
    if (!function) function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", device.module);
    show(*function, known.symbols[i]);
  }
}

void takeShared(DeviceModule &device) {
  if (device.shared) device.shared->take(device);
}

void giveSharedBack(DeviceModule &device) {
  if (device.shared) device.shared->giveBack(device);
}

}  // namespace hostwarp::compiler
