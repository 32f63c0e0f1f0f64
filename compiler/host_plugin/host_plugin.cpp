// The clang plugin of the host pass. Clang's CUDA host code is right as it is but for some things:
//  - with -rdc=true each object calls __cudaRegisterLinkedBinary_<id>, which nvcc's device linker would define, and
//    exports __fatbinwrap<id> for it, where <id> knows the source's name alone; here the device code is linked by the
//    system linker, so all objects call one function of the runtime and keep their wrapper to themselves;
//  - a __managed__ variable must be one variable for host and device (managed_variables.h);
//  - clang names a kernel's stub __device_stub__k; host code of another compiler that takes the address of k, or calls
//    it, asks for the kernel's own name;
//  - a variable that is __device__ only where __CUDA_ARCH__ is defined is not registered, and where a source has no
//    other device variable and no kernel, clang makes no registration at all (without -rdc=true).
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MD5.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <cstring>

#include "compiler/host_plugin/managed_variables.h"

namespace {

constexpr llvm::StringRef imageMagic = "HWIMAGE1";

// The plugin is loaded by -fplugin as well, before clang reads its options.
llvm::cl::opt<std::string> givenId("hostwarp-image-id", llvm::cl::Hidden,
                                   llvm::cl::desc("the image's id, 16 hexadecimal digits"));

void redirectLinkedBinary(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with("__cudaRegisterLinkedBinary_")) continue;
    auto runtime = module.getOrInsertFunction("__hostwarpRegisterLinkedBinary", function.getFunctionType());
    function.replaceAllUsesWith(runtime.getCallee());
    function.eraseFromParent();
  }
  for (llvm::GlobalAlias &alias : module.aliases())
    if (alias.getName().starts_with("__fatbinwrap")) alias.setLinkage(llvm::GlobalValue::InternalLinkage);
}

// imageId() reads the id from the embedded fat binary, which is what hwcc wrote: the magic and 8 bytes.
std::string imageId(const llvm::Module &module) {
  for (const llvm::GlobalVariable &global : module.globals()) {
    if (!global.hasInitializer()) continue;
    auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(global.getInitializer());
    if (!data || !data->isString() || !data->getAsString().starts_with(imageMagic)) continue;
    uint64_t id = 0;
    std::memcpy(&id, data->getAsString().data() + imageMagic.size(), sizeof id);
    return llvm::utohexstr(id, true);
  }
  return "";
}

bool isSeparateCompilation(const llvm::Module &module) {
  return llvm::any_of(module.globals(), [](const auto &global) { return global.getSection() == "__nv_relfatbin"; });
}

llvm::StringRef stringAt(const llvm::Value *pointer) {
  auto *global = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
  auto *text = global && global->hasInitializer()
                   ? llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer())
                   : nullptr;
  return text && text->isCString() ? text->getAsCString() : "";
}

// nameKernels() gives each stub that other translation units may see a second name, the kernel's.
void nameKernels(llvm::Module &module) {
  llvm::Function *registration = module.getFunction("__cudaRegisterFunction");
  if (!registration) return;
  for (llvm::User *user : registration->users()) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->arg_size() < 3) continue;
    auto *stub = llvm::dyn_cast<llvm::Function>(call->getArgOperand(1)->stripPointerCasts());
    llvm::StringRef name = stringAt(call->getArgOperand(2));
    if (!stub || stub->isDeclaration() || stub->hasLocalLinkage() || name.empty() || module.getNamedValue(name))
      continue;
    auto *alias = llvm::GlobalAlias::create(stub->getLinkage(), name, stub);
    alias->setVisibility(stub->getVisibility());
  }
}

// mayBeDevices(): a variable that host code can name and the device pass may have, too.
bool mayBeDevices(const llvm::GlobalVariable &variable) {
  const llvm::StringRef name = variable.getName();
  for (const char *start : {"llvm.", "__cuda", "_ZT", "_ZG", "_ZZ", "_ZSt"})
    if (name.starts_with(start)) return false;
  return variable.hasInitializer() && !variable.hasAvailableExternallyLinkage() && !variable.hasPrivateLinkage() &&
         !variable.isThreadLocal() && !variable.hasSection() && !variable.use_empty();
}

// registration() is the function that registers what the module has. With -rdc=true clang makes an empty one where it
// knows of nothing.
llvm::Function *registration(llvm::Module &module) {
  if (llvm::Function *globals = module.getFunction("__cuda_register_globals")) return globals;
  llvm::Function *binary = module.getFunction("__hostwarpRegisterLinkedBinary");
  if (!binary) return nullptr;
  for (llvm::User *user : binary->users())
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
      return llvm::dyn_cast<llvm::Function>(call->getArgOperand(0)->stripPointerCasts());
  return nullptr;
}

// makeWrapper() makes what __cudaRegisterFatBinary() is given: the fat binary as hwcc writes it, and NVIDIA's frame.
llvm::GlobalVariable *makeWrapper(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  uint64_t id = 0;
  llvm::StringRef(givenId).getAsInteger(16, id);
  std::string content(imageMagic);
  content.append(reinterpret_cast<const char *>(&id), sizeof id);
  llvm::Constant *bytes = llvm::ConstantDataArray::getString(context, content);
  auto *binary = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::InternalLinkage, bytes,
                                          "__cuda_fatbin");
  binary->setSection(".nv_fatbin");
  binary->setAlignment(llvm::Align(8));
  constexpr unsigned magic = 0x466243b1, version = 1;
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  llvm::Constant *frame =
      llvm::ConstantStruct::getAnon({llvm::ConstantInt::get(number, magic), llvm::ConstantInt::get(number, version),
                                     binary, llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context))});
  auto *wrapper = new llvm::GlobalVariable(module, frame->getType(), true, llvm::GlobalValue::InternalLinkage, frame,
                                           "__cuda_fatbin_wrapper");
  wrapper->setSection(".nvFatBinSegment");
  wrapper->setAlignment(llvm::Align(8));
  return wrapper;
}

// makeFunction() makes an empty function that only this module calls.
llvm::Function *makeFunction(llvm::Module &module, llvm::StringRef name, llvm::ArrayRef<llvm::Type *> parameters) {
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  llvm::ReturnInst::Create(context, llvm::BasicBlock::Create(context, "entry", function));
  return function;
}

// makeRegistration() makes what clang leaves out where it knows of neither kernels nor variables without -rdc=true: a
// constructor that registers the image, a destructor, and the function that is returned, which registers nothing yet.
llvm::Function *makeRegistration(llvm::Module &module) {
  if (givenId.empty()) return nullptr;
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy(), *nothing = builder.getVoidTy();
  llvm::GlobalVariable *wrapper = makeWrapper(module);
  auto *handle = new llvm::GlobalVariable(module, pointer, false, llvm::GlobalValue::InternalLinkage,
                                          llvm::ConstantPointerNull::get(builder.getPtrTy()), "__cuda_gpubin_handle");
  llvm::Function *globals = makeFunction(module, "__cuda_register_globals", {pointer});
  llvm::Function *destructor = makeFunction(module, "__cuda_module_dtor", {});
  builder.SetInsertPoint(destructor->back().getTerminator());
  builder.CreateCall(module.getOrInsertFunction("__cudaUnregisterFatBinary", nothing, pointer),
                     {builder.CreateLoad(pointer, handle)});
  llvm::Function *constructor = makeFunction(module, "__cuda_module_ctor", {});
  builder.SetInsertPoint(constructor->back().getTerminator());
  llvm::Value *made =
      builder.CreateCall(module.getOrInsertFunction("__cudaRegisterFatBinary", pointer, pointer), {wrapper});
  builder.CreateStore(made, handle);
  builder.CreateCall(globals, {made});
  builder.CreateCall(module.getOrInsertFunction("__cudaRegisterFatBinaryEnd", nothing, pointer), {made});
  builder.CreateCall(module.getOrInsertFunction("atexit", builder.getInt32Ty(), pointer), {destructor});
  llvm::appendToGlobalCtors(module, constructor, 65535);
  return globals;
}

// staticSuffix() is what the device pass puts behind the names of static variables with -rdc=true.
std::string staticSuffix(const llvm::Module &module) {
  if (!isSeparateCompilation(module)) return "";
  std::string id = imageId(module);
  id.insert(0, 16 - id.size(), '0');
  return "__static__" + llvm::utohexstr(llvm::MD5Hash(id), true);
}

// registerOthers() registers what clang takes for variables of the host's. Some are the device's where __CUDA_ARCH__ is
// defined, which this pass does not see; the runtime drops those that the image has not.
void registerOthers(llvm::Module &module) {
  llvm::Function *globals = registration(module);
  if (globals && globals->isDeclaration()) return;
  llvm::SmallVector<llvm::GlobalVariable *> others;
  for (llvm::GlobalVariable &variable : module.globals()) {
    const bool isKnown = llvm::any_of(variable.users(), [&](const llvm::User *user) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      return call && globals && call->getFunction() == globals;
    });
    if (mayBeDevices(variable) && !isKnown) others.push_back(&variable);
  }
  if (others.empty()) return;
  if (!globals) globals = makeRegistration(module);
  if (!globals) return;
  llvm::IRBuilder<> builder(globals->back().getTerminator());
  llvm::Type *pointer = builder.getPtrTy(), *number = builder.getInt32Ty();
  const llvm::FunctionCallee add =
      module.getOrInsertFunction("__cudaRegisterVar", builder.getVoidTy(), pointer, pointer, pointer, pointer, number,
                                 builder.getInt64Ty(), number, number);
  const std::string suffix = staticSuffix(module);
  for (llvm::GlobalVariable *variable : others) {
    const std::string symbol = variable->getName().str() + (variable->hasLocalLinkage() ? suffix : "");
    llvm::Value *name = builder.CreateGlobalString(symbol);
    llvm::Value *bytes = builder.getInt64(module.getDataLayout().getTypeAllocSize(variable->getValueType()));
    llvm::Value *zero = builder.getInt32(0);
    builder.CreateCall(add, {globals->getArg(0), variable, name, name, zero, bytes, zero, zero});
  }
}

struct HostPass : llvm::PassInfoMixin<HostPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    redirectLinkedBinary(module);
    hostwarp::host_plugin::shareManaged(module, imageId(module), isSeparateCompilation(module));
    nameKernels(module);
    registerOthers(module);
    return llvm::PreservedAnalyses::none();
  }
};

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "hostwarp-host", "1", [](llvm::PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager &manager, llvm::OptimizationLevel) { manager.addPass(HostPass()); });
          }};
}
