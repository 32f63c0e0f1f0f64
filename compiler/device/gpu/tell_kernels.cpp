// Kernels and variables as LLVM's NVPTX back end wants to be told of them.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/gpu/gpu_steps.h"
#include "compiler/device/grid_constants.h"

namespace hostwarp::compiler {

namespace {

// Annotations writes !nvvm.annotations anew.
class Annotations {
 public:
  explicit Annotations(llvm::Module &module) : context_(module.getContext()) {
    if (llvm::NamedMDNode *old = module.getNamedMetadata(name)) old->eraseFromParent();
    list_ = module.getOrInsertNamedMetadata(name);
  }

  void add(llvm::GlobalObject &object, llvm::StringRef key, uint32_t value) {
    auto *number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value);
    list_->addOperand(
        llvm::MDNode::get(context_, {llvm::ConstantAsMetadata::get(&object), llvm::MDString::get(context_, key),
                                     llvm::ConstantAsMetadata::get(number)}));
  }

  void addList(llvm::GlobalObject &object, llvm::StringRef key, llvm::ArrayRef<uint32_t> values) {
    llvm::SmallVector<llvm::Metadata *> numbers;
    for (const uint32_t value : values)
      numbers.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value)));
    list_->addOperand(
        llvm::MDNode::get(context_, {llvm::ConstantAsMetadata::get(&object), llvm::MDString::get(context_, key),
                                     llvm::MDNode::get(context_, numbers)}));
  }

  // addUnlessZero(): 0 stands for what nobody has said.
  void addUnlessZero(llvm::GlobalObject &object, llvm::StringRef key, uint32_t value) {
    if (value) add(object, key, value);
  }

 private:
  static constexpr llvm::StringLiteral name = "nvvm.annotations";
  llvm::LLVMContext &context_;
  llvm::NamedMDNode *list_;
};

void makeVisible(llvm::GlobalObject &object, const std::string &name) {
  object.setName(name);
  object.setLinkage(llvm::GlobalValue::ExternalLinkage);
  object.setVisibility(llvm::GlobalValue::DefaultVisibility);
}

constexpr llvm::StringLiteral maxThreadsKeys[] = {"maxntidx", "maxntidy", "maxntidz"};
constexpr llvm::StringLiteral blockKeys[] = {"reqntidx", "reqntidy", "reqntidz"};

void annotate(Annotations &annotations, const Kernel &kernel) {
  llvm::Function &function = *kernel.function;
  annotations.add(function, "kernel", 1);
  for (unsigned i = 0; i < 3; ++i) {
    if (kernel.blockDim[0])
      annotations.add(function, blockKeys[i], kernel.blockDim[i]);
    else
      annotations.addUnlessZero(function, maxThreadsKeys[i], kernel.maxThreads[i]);
  }
  annotations.addUnlessZero(function, "minctasm", kernel.minBlocksPerSm);
  annotations.addUnlessZero(function, "maxclusterrank", kernel.maxBlocksPerCluster);
  annotations.addUnlessZero(function, "maxnreg", kernel.maxRegisters);
}

// tellGridConstants(): all threads see a __grid_constant__ parameter where the launch has put it.
void tellGridConstants(Annotations &annotations, llvm::Function &kernel) {
  std::vector<uint32_t> numbers;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(kernel.getEntryBlock())) {
    auto *annotation = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!annotation || !isGridConstant(*annotation)) continue;
    auto *parameter = llvm::dyn_cast<llvm::Argument>(annotation->getArgOperand(0)->stripPointerCasts());
    annotation->eraseFromParent();
    if (parameter && parameter->hasByValAttr()) numbers.push_back(parameter->getArgNo() + 1);
  }
  if (!numbers.empty()) annotations.addList(kernel, "grid_constant", numbers);
}

// isMergeable(): sources that are linked may each have the kernel, an instance of a template.
bool isMergeable(const llvm::GlobalObject &object) { return object.hasLinkOnceLinkage() || object.hasWeakLinkage(); }

void makeKernel(llvm::Function &function, const std::string &name) {
  const bool mergeable = isMergeable(function);
  makeVisible(function, name);
  if (mergeable) function.setLinkage(llvm::GlobalValue::WeakODRLinkage);
  function.setComdat(nullptr);
  function.setCallingConv(llvm::CallingConv::PTX_Kernel);
}

}  // namespace

void tellKernels(DeviceModule &device) {
  Annotations annotations(device.module);
  for (const Kernel &kernel : device.kernels) {
    makeKernel(*kernel.function, kernel.name);
    annotate(annotations, kernel);
    tellGridConstants(annotations, *kernel.function);
  }
  for (const Variable &variable : device.variables) {
    if (variable.kind == HW_VARIABLE_MANAGED) annotations.add(*variable.global, "managed", 1);
    const bool mergeable = isMergeable(*variable.global);
    makeVisible(*variable.global, variable.name);
    if (mergeable) variable.global->setLinkage(llvm::GlobalValue::WeakODRLinkage);
    variable.global->setComdat(nullptr);
  }
}

}  // namespace hostwarp::compiler
