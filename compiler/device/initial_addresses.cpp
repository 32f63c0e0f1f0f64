#include "compiler/device/initial_addresses.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Operator.h>

namespace hostwarp::compiler {

namespace {

class AddressSearch {
 public:
  explicit AddressSearch(const DeviceModule &device) : device_(device), layout_(device.module.getDataLayout()) {}

  void visit(const llvm::Constant &value, uint64_t offset) {
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return;
    if (value.getType()->isPointerTy()) {
      if (isDisplaced(value)) found_.push_back(offset);
    } else if (auto *type = llvm::dyn_cast<llvm::StructType>(value.getType())) {
      const llvm::StructLayout &fields = *layout_.getStructLayout(type);
      for (unsigned i = 0; i < type->getNumElements(); ++i)
        visit(*value.getAggregateElement(i), offset + fields.getElementOffset(i).getFixedValue());
    } else if (auto *array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {  // not of numbers
      const uint64_t stride = layout_.getTypeAllocSize(array->getType()->getElementType());
      for (unsigned i = 0; i < array->getNumOperands(); ++i) visit(*array->getOperand(i), offset + i * stride);
    }
  }

  std::vector<uint64_t> found() && { return std::move(found_); }

 private:
  // A variable of another unit is taken for one of each device's.
  bool isDisplaced(const llvm::Constant &address) const {
    auto *global = llvm::dyn_cast<llvm::GlobalVariable>(baseOf(address));
    if (!global) return false;
    const auto known = llvm::find_if(device_.variables, [&](const Variable &one) { return one.global == global; });
    if (known == device_.variables.end()) return global->isDeclaration() && global->getAddressSpace() != 0;
    return !known->name.empty() && (known->kind == HW_VARIABLE_DEVICE || known->kind == HW_VARIABLE_CONSTANT);
  }

  static const llvm::Value *baseOf(const llvm::Constant &address) {
    const llvm::Value *value = &address;
    for (;;) {
      if (auto *element = llvm::dyn_cast<llvm::GEPOperator>(value))
        value = element->getPointerOperand();
      else if (llvm::Operator::getOpcode(value) == llvm::Instruction::AddrSpaceCast)
        value = llvm::cast<llvm::Operator>(value)->getOperand(0);
      else
        return value;
    }
  }

  const DeviceModule &device_;
  const llvm::DataLayout &layout_;
  std::vector<uint64_t> found_;
};

}  // namespace

std::vector<uint64_t> initialAddresses(const DeviceModule &device, const Variable &variable) {
  const bool isOfEachDevice = variable.kind == HW_VARIABLE_DEVICE || variable.kind == HW_VARIABLE_CONSTANT;
  if (!isOfEachDevice || variable.name.empty() || !variable.global->hasInitializer()) return {};
  AddressSearch search(device);
  search.visit(*variable.global->getInitializer(), 0);
  return std::move(search).found();
}

}  // namespace hostwarp::compiler
