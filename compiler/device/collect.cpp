// Reads from clang's metadata what the translation unit defines: kernels with their attributes, module variables.
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/MD5.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// annotationText() returns the string of one entry of llvm.global.annotations and the value it is attached to.
std::pair<llvm::GlobalValue *, llvm::StringRef> annotation(llvm::Constant *entry) {
  auto *fields = llvm::cast<llvm::ConstantStruct>(entry);
  auto *target = llvm::dyn_cast<llvm::GlobalValue>(fields->getOperand(0)->stripPointerCasts());
  auto *text = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
  if (!target || !text || !text->hasInitializer()) return {nullptr, ""};
  auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  return {target, data && data->isCString() ? data->getAsCString() : ""};
}

// annotationArguments() are the numbers that follow the text in annotate(text, ...); null when there are none.
llvm::Constant *annotationArguments(llvm::Constant &entry) {
  auto *list = llvm::dyn_cast<llvm::GlobalVariable>(entry.getAggregateElement(4)->stripPointerCasts());
  return list && list->hasInitializer() ? list->getInitializer() : nullptr;
}

template <class Visit>
void forEachAnnotation(llvm::Module &module, Visit visit) {
  llvm::GlobalVariable *list = module.getGlobalVariable("llvm.global.annotations");
  if (!list || !list->hasInitializer()) return;
  auto *entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  if (!entries) return;
  for (llvm::Use &entry : entries->operands()) {
    auto [target, text] = annotation(llvm::cast<llvm::Constant>(entry.get()));
    if (target) visit(*target, text, annotationArguments(*llvm::cast<llvm::Constant>(entry.get())));
  }
}

Kernel *findKernel(DeviceModule &device, const llvm::GlobalValue *function) {
  for (Kernel &kernel : device.kernels)
    if (kernel.function == function) return &kernel;
  return nullptr;
}

void setNvvmProperty(Kernel &kernel, llvm::StringRef key, uint32_t value) {
  if (key == "maxntidx") kernel.maxThreads[0] = value;
  if (key == "maxntidy") kernel.maxThreads[1] = value;
  if (key == "maxntidz") kernel.maxThreads[2] = value;
  if (key == "minctasm") kernel.minBlocksPerSm = value;
  if (key == "maxclusterrank") kernel.maxBlocksPerCluster = value;
}

// readNvvmAttributes() reads what clang 21 says in a kernel's attributes, where clang 20 and before have a list beside
// it.
void readNvvmAttributes(Kernel &kernel) {
  const llvm::Function &function = *kernel.function;
  llvm::SmallVector<llvm::StringRef, 3> threads;
  function.getFnAttribute("nvvm.maxntid").getValueAsString().split(threads, ',', -1, false);
  for (size_t i = 0; i < threads.size() && i < 3; ++i) threads[i].getAsInteger(10, kernel.maxThreads[i]);
  kernel.minBlocksPerSm =
      static_cast<uint32_t>(function.getFnAttributeAsParsedInteger("nvvm.minctasm", kernel.minBlocksPerSm));
  kernel.maxBlocksPerCluster =
      static_cast<uint32_t>(function.getFnAttributeAsParsedInteger("nvvm.maxclusterrank", kernel.maxBlocksPerCluster));
}

// readNumbers() reads the arguments of an annotation into as many of `numbers` as there are.
void readNumbers(const llvm::Constant *arguments, llvm::ArrayRef<uint32_t *> numbers) {
  for (unsigned i = 0; arguments && i < numbers.size(); ++i) {
    auto *value = llvm::dyn_cast_or_null<llvm::ConstantInt>(arguments->getAggregateElement(i));
    if (value) *numbers[i] = static_cast<uint32_t>(value->getZExtValue());
  }
}

void setDims(uint32_t (&dims)[3], const llvm::Constant *arguments) {
  std::fill(dims, dims + 3, 1);
  readNumbers(arguments, {&dims[0], &dims[1], &dims[2]});
}

// expectRequired() expects blocks of the one size that all launches have.
void expectRequired(Kernel &kernel) {
  std::copy(kernel.blockDim, kernel.blockDim + 3, kernel.expectedBlock.begin());
  kernel.expectsNoOther = true;
}

// readBlockSize(): a block of the one size that all launches have is a bound of the launch, too.
void readBlockSize(Kernel &kernel, const llvm::Constant *arguments) {
  uint32_t(&block)[3] = kernel.blockDim, (&cluster)[3] = kernel.clusterDim;
  std::fill(cluster, cluster + 3, 1);
  readNumbers(arguments, {&block[0], &block[1], &block[2], &cluster[0], &cluster[1], &cluster[2]});
  std::copy(block, block + 3, kernel.maxThreads);
  expectRequired(kernel);
  kernel.flags |= HW_KERNEL_GRID_OF_CLUSTERS;
}

// readExpectedBlock() reads what expected_blocks.cpp of the clang plugin has found out about the launches.
void readExpectedBlock(Kernel &kernel, const llvm::Constant *arguments) {
  uint32_t isOnly = 0;
  BlockShape &block = kernel.expectedBlock;
  readNumbers(arguments, {&block[0], &block[1], &block[2], &isOnly});
  kernel.expectsNoOther = isOnly != 0;
}

// readAnnotation() reads what <host_defines.h> makes of a kernel's attributes.
void readAnnotation(Kernel &kernel, llvm::StringRef text, const llvm::Constant *arguments) {
  if (text == "hostwarp.launch_bounds")
    readNumbers(arguments, {&kernel.maxThreads[0], &kernel.minBlocksPerSm, &kernel.maxBlocksPerCluster});
  if (text == "hostwarp.cluster_dims" && arguments) setDims(kernel.clusterDim, arguments);
  if (text == "hostwarp.cluster_dims" && !arguments) kernel.flags |= HW_KERNEL_NEEDS_CLUSTER;
  if (text == "hostwarp.block_size") readBlockSize(kernel, arguments);
  if (text == "hostwarp.required_block" && arguments) {
    setDims(kernel.blockDim, arguments);
    expectRequired(kernel);
  }
  if (text == "hostwarp.expected_block") readExpectedBlock(kernel, arguments);
  if (text == "hostwarp.maxnreg") readNumbers(arguments, {&kernel.maxRegisters});
}

// hostName() is the name under which the host object registers a kernel or variable. With -rdc=true clang adds `mark`
// and a hash of the compilation's id to the names of static ones; it knows an annotated function for no kernel, and a
// variable that it has made code for before it sees that the host uses it for none of these.
std::string hostName(const DeviceModule &device, const llvm::GlobalValue &global, const char *mark) {
  const std::string name = global.getName().str();
  if (!device.options.relocatable || !global.hasLocalLinkage()) return name;
  std::string id = llvm::utohexstr(device.options.imageId, true);
  id.insert(0, 16 - id.size(), '0');
  return name + mark + llvm::utohexstr(llvm::MD5Hash(id), true);
}

void addKernel(DeviceModule &device, llvm::Function &function) {
  if (function.isDeclaration() || findKernel(device, &function)) return;
  Kernel &kernel = device.kernels.emplace_back();
  kernel.name = hostName(device, function, "__intern__");
  kernel.function = &function;
  kernel.expectedBlock = device.options.expectedBlock;
}

// forEachNvvmAnnotation() visits (function, key, value) triples of !nvvm.annotations.
template <class Visit>
void forEachNvvmAnnotation(llvm::Module &module, Visit visit) {
  llvm::NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations");
  if (!annotations) return;
  for (llvm::MDNode *node : annotations->operands()) {
    auto *function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
    if (!function) continue;
    for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
      auto *key = llvm::dyn_cast<llvm::MDString>(node->getOperand(i));
      auto *value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(i + 1));
      if (key && value) visit(*function, key->getString(), static_cast<uint32_t>(value->getZExtValue()));
    }
  }
}

}  // namespace

void joinStaticVariables(DeviceModule &device) {
  for (llvm::GlobalVariable &global : device.module.globals()) {
    auto [name, id] = global.getName().split("__static__");
    llvm::GlobalVariable *early = id.empty() ? nullptr : device.module.getGlobalVariable(name, true);
    if (early && early->isDeclaration()) early->replaceAllUsesWith(&global);
  }
}

void collectKernels(DeviceModule &device) {
  forEachNvvmAnnotation(device.module, [&](llvm::Function &function, llvm::StringRef key, uint32_t) {
    if (key == "kernel") addKernel(device, function);
  });
  for (llvm::Function &function : device.module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel) addKernel(device, function);
  forEachAnnotation(device.module, [&](llvm::GlobalValue &target, llvm::StringRef text, llvm::Constant *) {
    if (text == "hostwarp.kernel") addKernel(device, llvm::cast<llvm::Function>(target));
  });
  for (Kernel &kernel : device.kernels) readNvvmAttributes(kernel);
  forEachNvvmAnnotation(device.module, [&](llvm::Function &function, llvm::StringRef key, uint32_t value) {
    if (Kernel *kernel = findKernel(device, &function)) setNvvmProperty(*kernel, key, value);
  });
  forEachAnnotation(device.module, [&](llvm::GlobalValue &target, llvm::StringRef text, llvm::Constant *arguments) {
    if (Kernel *kernel = findKernel(device, &target)) readAnnotation(*kernel, text, arguments);
  });
}

void collectVariables(DeviceModule &device) {
  constexpr unsigned globalSpace = 1, constantSpace = 4;
  for (llvm::GlobalVariable &global : device.module.globals()) {
    unsigned space = global.getAddressSpace();
    if (global.isDeclaration() || (space != globalSpace && space != constantSpace)) continue;
    hw_variable_kind kind = space == constantSpace ? HW_VARIABLE_CONSTANT : HW_VARIABLE_DEVICE;
    // To clang 21 what the device does not write is constant; the host writes it.
    global.setConstant(false);
    // Texture and surface references come without a value: they are bound to nothing.
    if (llvm::isa<llvm::UndefValue>(global.getInitializer()))
      global.setInitializer(llvm::Constant::getNullValue(global.getValueType()));
    device.variables.push_back({hostName(device, global, "__static__"), &global, kind});
  }
  forEachAnnotation(device.module, [&](llvm::GlobalValue &target, llvm::StringRef text, llvm::Constant *) {
    if (text != "hostwarp.managed") return;
    for (Variable &variable : device.variables)
      if (variable.global == &target) variable.kind = HW_VARIABLE_MANAGED;
  });
}

}  // namespace hostwarp::compiler
