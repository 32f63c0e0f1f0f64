// Writes the hw_image tables (device_abi.h, device_targets.h) that tell the runtime what this object defines, and their
// registration.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/device/carried_code.h"
#include "compiler/device/initial_addresses.h"
#include "compiler/device/passes.h"
#include "compiler/device/targets.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

class ImageWriter {
 public:
  explicit ImageWriter(DeviceModule &device)
      : device_(device), module_(device.module), context_(module_.getContext()) {}

  llvm::Constant *image() {
    llvm::SmallVector<llvm::Constant *> kernels, variables, targets;
    for (const Kernel &kernel : device_.kernels) kernels.push_back(kernelRow(kernel));
    for (const Variable &variable : device_.variables) variables.push_back(variableRow(variable));
    for (const Variable &variable : device_.variables)
      for (const uint64_t offset : initialAddresses(device_, variable))
        variables.push_back(addressRow(variable, offset));
    for (const hw_target &target : imageOf(module_).targets)
      targets.push_back(structure(
          {u32(target.kind), u32(target.virtualArchitecture), u32(target.architecture), u32(target.variant)}));
    return global(
        structure({u32(HW_DEVICE_ABI_VERSION), u32(targets.size()), u64(device_.options.imageId),
                   text(device_.options.source), table(kernels), u64(kernels.size()), table(variables),
                   u64(variables.size()), carriedCode(), u64(device_.options.carried.size()), table(targets)}),
        "__hwd_image");
  }

 private:
  llvm::Constant *u32(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), value); }
  llvm::Constant *u64(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), value); }
  llvm::Constant *structure(llvm::ArrayRef<llvm::Constant *> fields) {
    return llvm::ConstantStruct::getAnon(context_, fields);
  }
  llvm::Constant *global(llvm::Constant *value, const llvm::Twine &name) {
    auto *variable =
        new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
    return variable;
  }
  llvm::Constant *text(llvm::StringRef string) {
    return global(llvm::ConstantDataArray::getString(context_, string), "__hwd_text");
  }
  llvm::Constant *table(llvm::ArrayRef<llvm::Constant *> rows) {
    if (rows.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
    return global(llvm::ConstantArray::get(llvm::ArrayType::get(rows[0]->getType(), rows.size()), rows), "__hwd_table");
  }

  llvm::Constant *carriedCode() {
    const std::string &code = device_.options.carried;
    if (code.empty()) return llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
    llvm::Constant *content = llvm::ConstantDataArray::getString(context_, code, false);
    auto *variable = new llvm::GlobalVariable(module_, content->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                              content, "__hwd_code");
    variable->setSection(carriedCodeSection);
    return variable;
  }

  llvm::Constant *parameterTable(const Kernel &kernel) {
    llvm::SmallVector<llvm::Constant *> rows;
    for (const hw_parameter &parameter : kernel.parameters)
      rows.push_back(structure({u32(parameter.bytes), u32(parameter.alignment)}));
    return table(rows);
  }

  llvm::Constant *entryTable(const Kernel &kernel) {
    llvm::SmallVector<llvm::Constant *> rows;
    for (const auto &[kind, level, shape, frameBytes, function] : kernel.entries)
      rows.push_back(
          structure({function, u32(kind), u32(level), u32(shape[0]), u32(shape[1]), u32(shape[2]), u32(frameBytes)}));
    return table(rows);
  }

  uint64_t constantBytes() const {
    uint64_t bytes = 0;
    for (const Variable &variable : device_.variables)
      if (variable.kind == HW_VARIABLE_CONSTANT)
        bytes += module_.getDataLayout().getTypeAllocSize(variable.global->getValueType());
    return bytes;
  }

  llvm::Constant *kernelRow(const Kernel &kernel) {
    llvm::Constant *null = llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
    llvm::SmallVector<llvm::Constant *> fields{text(kernel.name), kernel.stub ? kernel.stub : null};
    fields.push_back(entryTable(kernel));
    fields.push_back(u64(kernel.entries.size()));
    fields.push_back(parameterTable(kernel));
    for (uint64_t value : {uint64_t(kernel.parameters.size()), uint64_t(kernel.flags)}) fields.push_back(u32(value));
    fields.push_back(u64(kernel.staticSharedBytes));
    for (uint32_t value :
         {kernel.sharedAlignment, maxThreadsPerBlock(kernel), kernel.minBlocksPerSm, kernel.maxBlocksPerCluster,
          kernel.clusterDim[0], kernel.clusterDim[1], kernel.clusterDim[2], kernel.blockDim[0], kernel.blockDim[1],
          kernel.blockDim[2], kernel.registers, kernel.spillBytes})
      fields.push_back(u32(value));
    fields.push_back(u64(kernel.localBytes));
    fields.push_back(u64(constantBytes()));
    return structure(fields);
  }

  // addressOf() is an address in the variable's memory.
  llvm::Constant *addressOf(const Variable &variable, uint64_t offset) {
    llvm::Constant *start =
        llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(variable.global, llvm::PointerType::get(context_, 0));
    return llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(context_), start, u64(offset));
  }

  llvm::Constant *addressRow(const Variable &variable, uint64_t offset) {
    constexpr uint64_t bytes = sizeof(void *);
    return structure({text(""), addressOf(variable, offset), u64(bytes), u32(bytes), u32(HW_VARIABLE_ADDRESS)});
  }

  llvm::Constant *variableRow(const Variable &variable) {
    const llvm::DataLayout &layout = module_.getDataLayout();
    llvm::Type *type = variable.global->getValueType();
    uint64_t align = std::max(variable.global->getAlign().valueOrOne(), layout.getABITypeAlign(type)).value();
    return structure({text(variable.name), addressOf(variable, 0), u64(layout.getTypeAllocSize(type)), u32(align),
                      u32(variable.kind)});
  }

  DeviceModule &device_;
  llvm::Module &module_;
  llvm::LLVMContext &context_;
};

}  // namespace

void keepForImage(DeviceModule &device) {
  llvm::SmallVector<llvm::GlobalValue *> used;
  for (const Kernel &kernel : device.kernels) {
    if (kernel.stub) used.push_back(kernel.stub);
    for (const Entry &entry : kernel.entries) used.push_back(entry.function);
  }
  for (const Variable &variable : device.variables) used.push_back(variable.global);
  llvm::appendToCompilerUsed(device.module, used);
}

void emitImage(DeviceModule &device) {
  // Earlier than every static object of the user's, some of which launch kernels.
  constexpr int firstUserPriority = 101;
  llvm::Module &module = device.module;
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *voidType = llvm::Type::getVoidTy(context);
  auto *constructor = llvm::Function::Create(llvm::FunctionType::get(voidType, false),
                                             llvm::GlobalValue::InternalLinkage, "__hwd_register_image", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", constructor));
  builder.CreateCall(abiFunction(module, "hw_register_image", voidType, {builder.getPtrTy()}),
                     ImageWriter(device).image());
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, firstUserPriority);
}

}  // namespace hostwarp::compiler
