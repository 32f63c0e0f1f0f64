// What the device ABI means on a GPU: compiler/gpu_library.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MemoryBuffer.h>

#include <set>

#include "compiler/device/gpu/gpu_steps.h"
#include "compiler/gpu_library/gpu_library.h"
#include "compiler/ptx/bitcode.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral describeThread = "hw_gpu_describe_thread", architecture = "hw_gpu_architecture";

// What the driver has, and what LLVM answers itself.
constexpr llvm::StringLiteral ofTheDriver[] = {
    "vprintf",
    "malloc",
    "free",
    "__assertfail",
    "__cuda_syscall_aligned_malloc",
    "cudaGraphSetConditional",
    "cudaGraphLaunch",
    "cudaGraphKernelNodeSetEnabled",
    "cudaGraphKernelNodeSetGridDim",
    "cudaGraphKernelNodeSetParam",
    "__nvvm_reflect",
};

// What starts so is NVIDIA's libcudadevrt's, which the runtime links with the code (gpu_backend/device_runtime.h).
constexpr llvm::StringLiteral ofDeviceRuntime = "__cudaCDP2";

void setArchitecture(llvm::Module &module, unsigned number) {
  llvm::GlobalVariable *variable = module.getGlobalVariable(architecture);
  if (!variable) return;
  variable->setInitializer(llvm::ConstantInt::get(variable->getValueType(), number));
  variable->setConstant(true);
  variable->setLinkage(llvm::GlobalValue::InternalLinkage);
}

// leaveComdat(): the linker would hold that the module has the function already.
void leaveComdat(llvm::Function &function) {
  const llvm::Comdat *const comdat = function.getComdat();
  function.setComdat(nullptr);
  if (comdat && comdat->getUsers().empty()) function.getParent()->getComdatSymbolTable().erase(comdat->getName());
}

// takeOut() leaves declarations of those functions of headers that the library defines, too, with an instruction.
void takeOut(llvm::Module &module, const llvm::Module &library) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.hasLinkOnceLinkage()) continue;
    const llvm::Function *ready = library.getFunction(function.getName());
    if (!ready || ready->isDeclaration() || ready->hasLocalLinkage() ||
        ready->getFunctionType() != function.getFunctionType())
      continue;
    function.deleteBody();
    leaveComdat(function);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

// inlineWhereViewed(): a function that looks at a texture's view asks for what its arguments say, which are constants
// where it is called.
void inlineWhereViewed(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.getName().contains("texture_detail")) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

}  // namespace

void describeThreads(llvm::Module &module) {
  llvm::Function *self = module.getFunction("hw_self");
  if (!self) return;
  llvm::DenseMap<llvm::Function *, llvm::Value *> descriptions;
  for (llvm::User *user : llvm::make_early_inc_range(self->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    llvm::Value *&description = descriptions[call->getFunction()];
    if (!description) {
      llvm::BasicBlock &entry = call->getFunction()->getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.begin());
      llvm::AllocaInst *memory = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), sizeof(hw_thread)));
      memory->setAlignment(llvm::Align(alignof(hw_thread)));
      builder.CreateCall(module.getOrInsertFunction(describeThread, builder.getVoidTy(), builder.getPtrTy()), memory);
      description = memory;
    }
    call->replaceAllUsesWith(description);
    call->eraseFromParent();
  }
}

std::string linkGpuLibrary(llvm::Module &module, const GpuTarget &target) {
  inlineWhereViewed(module);
  auto library = llvm::cantFail(llvm::getLazyBitcodeModule({gpuLibrary(), "GPU library"}, module.getContext()));
  takeOut(module, *library);
  const std::string error = linkBitcode(module, gpuLibrary(), "hw_gpu_");
  if (!error.empty()) return "GPU library: " + error;
  setArchitecture(module, target.architecture);
  if (llvm::Function *function = module.getFunction(describeThread)) function->addFnAttr(llvm::Attribute::AlwaysInline);
  return "";
}

std::vector<std::string> missingFunctions(const llvm::Module &module) {
  std::set<std::string> missing;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        !llvm::is_contained(ofTheDriver, function.getName()) && !function.getName().starts_with(ofDeviceRuntime))
      missing.insert(function.getName().str());
  return {missing.begin(), missing.end()};
}

}  // namespace hostwarp::compiler
