// __grid_constant__ parameters [CUDA 5.2.11]: all threads of a grid see one object, where the launch has put it.
#include "compiler/device/grid_constants.h"

#include <llvm/IR/IRBuilder.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// GridConstant is such a parameter, and the memory that stands for it in the kernel: the parameter itself when it is
// passed in memory, or what clang stores its value to.
struct GridConstant {
  llvm::Argument *parameter;
  llvm::AllocaInst *copy;  // null: none
  llvm::StoreInst *store;

  llvm::Type *type() const { return copy ? copy->getAllocatedType() : parameter->getParamByValType(); }
  llvm::Align alignment() const { return copy ? copy->getAlign() : parameter->getParamAlign().valueOrOne(); }
};

// storedTo() finds the parameter whose value, widened if it is a bool, is what the memory begins with.
std::optional<GridConstant> storedTo(llvm::AllocaInst &copy) {
  for (llvm::User *user : copy.users()) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || store->getPointerOperand() != &copy) continue;
    llvm::Value *value = store->getValueOperand();
    if (auto *widened = llvm::dyn_cast<llvm::ZExtInst>(value)) value = widened->getOperand(0);
    if (auto *parameter = llvm::dyn_cast<llvm::Argument>(value)) return GridConstant{parameter, &copy, store};
  }
  return std::nullopt;
}

std::vector<GridConstant> gridConstantsOf(llvm::Function &kernel) {
  std::vector<GridConstant> found;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(kernel.getEntryBlock())) {
    auto *annotation = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!annotation || !isGridConstant(*annotation)) continue;
    llvm::Value *memory = annotation->getArgOperand(0)->stripPointerCasts();
    annotation->eraseFromParent();
    if (auto *parameter = llvm::dyn_cast<llvm::Argument>(memory); parameter && parameter->hasByValAttr())
      found.push_back({parameter, nullptr, nullptr});
    else if (auto *copy = llvm::dyn_cast<llvm::AllocaInst>(memory))
      if (const auto stored = storedTo(*copy)) found.push_back(*stored);
  }
  return found;
}

llvm::AttributeSet byReference(llvm::LLVMContext &context, const GridConstant &constant) {
  llvm::AttrBuilder attributes(context);
  attributes.addByRefAttr(constant.type());
  attributes.addAlignmentAttr(constant.alignment());
  return llvm::AttributeSet::get(context, attributes);
}

// passByReference() makes a kernel that takes the addresses of the parameters that have an entry in `constants`.
llvm::Function *passByReference(llvm::Function &kernel, llvm::ArrayRef<GridConstant> constants) {
  llvm::LLVMContext &context = kernel.getContext();
  llvm::SmallVector<llvm::Type *> types(kernel.getFunctionType()->params());
  for (const GridConstant &constant : constants)
    types[constant.parameter->getArgNo()] = llvm::PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
  auto *made = llvm::Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), "", kernel.getParent());
  made->takeName(&kernel);
  made->copyAttributesFrom(&kernel);
  made->setComdat(kernel.getComdat());
  made->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  llvm::AttributeList attributes = kernel.getAttributes();
  for (const GridConstant &constant : constants) {
    const unsigned index = constant.parameter->getArgNo();
    attributes = attributes.removeParamAttributes(context, index);
    attributes =
        attributes.addParamAttributes(context, index, llvm::AttrBuilder(context, byReference(context, constant)));
  }
  made->setAttributes(attributes);
  made->splice(made->begin(), &kernel);
  return made;
}

void replaceParameters(llvm::Function &from, llvm::Function &to, llvm::ArrayRef<GridConstant> constants) {
  for (const GridConstant &constant : constants) {
    if (!constant.copy) continue;
    llvm::Value *value = constant.store->getValueOperand();
    constant.copy->replaceAllUsesWith(to.getArg(constant.parameter->getArgNo()));
    constant.store->eraseFromParent();
    constant.copy->eraseFromParent();
    if (auto *widened = llvm::dyn_cast<llvm::ZExtInst>(value)) widened->eraseFromParent();
  }
  for (auto [before, after] : llvm::zip(from.args(), to.args())) {
    after.takeName(&before);
    if (before.getType() == after.getType()) before.replaceAllUsesWith(&after);
  }
}

}  // namespace

bool isGridConstant(const llvm::IntrinsicInst &annotation) {
  if (annotation.getIntrinsicID() != llvm::Intrinsic::var_annotation) return false;
  auto *text = llvm::dyn_cast<llvm::GlobalVariable>(annotation.getArgOperand(1)->stripPointerCasts());
  auto *data =
      text && text->hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer()) : nullptr;
  return data && data->isCString() && data->getAsCString() == "hostwarp.grid_constant";
}

void shareGridConstants(DeviceModule &device) {
  for (Kernel &kernel : device.kernels) {
    const std::vector<GridConstant> constants = gridConstantsOf(*kernel.function);
    if (constants.empty()) continue;
    llvm::Function *made = passByReference(*kernel.function, constants);
    replaceParameters(*kernel.function, *made, constants);
    kernel.function->replaceAllUsesWith(made);
    kernel.function->eraseFromParent();
    kernel.function = made;
  }
}

}  // namespace hostwarp::compiler
