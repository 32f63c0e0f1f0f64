#include "compiler/device/gpu/gpu_code.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include <algorithm>

#include "compiler/device/gpu/gpu_steps.h"
#include "compiler/device/llvm_versions.h"
#include "compiler/device/passes.h"
#include "compiler/ptx/percent_mark.h"

namespace hostwarp::compiler {

namespace {

llvm::Error failure(const llvm::Twine &what) {
  return llvm::createStringError(std::errc::not_supported, "%s", what.str().c_str());
}

llvm::Expected<std::unique_ptr<llvm::Module>> readModule(const CarriedCode &code, llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIR({code.content, code.options.source}, diagnostic, context);
  if (!module) return failure(code.options.source + ": " + diagnostic.getMessage());
  if (llvm::verifyModule(*module)) return failure(code.options.source + " is damaged");
  return module;
}

void dropLists(llvm::Module &module) {
  for (const char *name : {"llvm.global.annotations", "llvm.compiler.used", "llvm.used", "__clang_gpu_used_external"})
    if (llvm::GlobalVariable *list = module.getGlobalVariable(name, true)) list->eraseFromParent();
}

// dropAttributes(): the target decides now, and code that was to stay as it was written must be simplified, too, so
// that what other architectures need goes.
void dropAttributes(llvm::Module &module) {
  for (llvm::Function &function : module) {
    for (const char *name : {"target-cpu", "target-features"}) function.removeFnAttr(name);
    if (!function.hasFnAttribute(llvm::Attribute::OptimizeNone)) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
  }
}

// nameStatics(): programs find variables of code that they load by name, static ones by the plain name that nvcc gives
// them.
void nameStatics(DeviceModule &device) {
  for (Variable &variable : device.variables) {
    llvm::StringRef name = variable.name;
    unsigned length = 0;
    if (!name.consume_front("_ZL") || name.consumeInteger(10, length) || name.size() != length) continue;
    if (!device.module.getNamedValue(name)) variable.name = std::string(name);
  }
}

// prepare() does what depends on one source, before several are linked.
std::string prepare(const CarriedCode &code, bool isLoaded, llvm::Module &module, std::vector<ClusterRule> &rules) {
  DeviceModule device{code.options, module, {}, {}, {}};
  readBuiltinVariables(device);
  lowerVariadics(device);
  joinStaticVariables(device);
  leaveOutHostFunctions(device);
  collectKernels(device);
  collectVariables(device);
  if (isLoaded && !code.options.relocatable) nameStatics(device);
  shareReferenceParameters(device);
  tellKernels(device);
  llvm::append_range(rules, clusterRules(device));
  lowerLibraryCalls(device);
  dropLists(module);
  dropAttributes(module);
  llvm::StripDebugInfo(module);
  return device.errors.empty() ? "" : device.errors.front();
}

llvm::Expected<std::unique_ptr<llvm::Module>> linkCodes(const std::vector<CarriedCode> &codes, bool areLoaded,
                                                        llvm::LLVMContext &context, std::vector<ClusterRule> &rules) {
  std::unique_ptr<llvm::Module> all;
  for (const CarriedCode &code : codes) {
    auto module = readModule(code, context);
    if (!module) return module.takeError();
    if (const std::string error = prepare(code, areLoaded, **module, rules); !error.empty()) return failure(error);
    if (!all)
      all = std::move(*module);
    else if (llvm::Linker::linkModules(*all, std::move(*module)))
      return failure(code.options.source + " does not fit what it is linked with");
  }
  return all;
}

// hideFunctions() leaves nothing visible but kernels and registered variables: what is called is inlined or dropped.
void hideFunctions(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.getCallingConv() == llvm::CallingConv::PTX_Kernel) continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
}

// dropUnused() leaves nothing that no kernel comes to: of what the library has taken the place of, parts remain.
void dropUnused(llvm::Module &module) {
  llvm::ModuleAnalysisManager none;
  llvm::GlobalDCEPass().run(module, none);
}

constexpr unsigned firstWithClusters = 90;

// architectureFor() is what the code was compiled as, for programs that ask for it: the highest that the device runs.
// Code for every device, which names no architecture, is for this one.
unsigned architectureFor(const CarriedCode &code, const GpuTarget &device) {
  unsigned highest = 0;
  for (const hw_target &target : code.image.targets)
    if (target.kind != HW_TARGET_ANY && target.virtualArchitecture <= device.architecture)
      highest = std::max(highest, target.virtualArchitecture);
  return highest ? highest : device.architecture;
}

GpuTarget targetFor(const std::vector<CarriedCode> &codes, const GpuTarget &device) {
  GpuTarget target = device;
  for (const CarriedCode &code : codes)
    target.architecture = std::min(target.architecture, architectureFor(code, device));
  target.isForOne = target.architecture == device.architecture;
  return target;
}

}  // namespace

void optimiseForGpu(llvm::Module &module, llvm::TargetMachine &machine, unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  if (level == 0) {
    builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0).run(module, modules);
    return;
  }
  const auto pipeline = level == 1 ? llvm::OptimizationLevel::O1 : llvm::OptimizationLevel::O3;
  builder.buildPerModuleDefaultPipeline(pipeline).run(module, modules);
}

llvm::Expected<std::string> writePtx(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, assemblyFile)) return failure("LLVM writes no PTX");
  passes.run(module);
  std::ranges::replace(text, ptx::percentMark, '%');
  return text.str().str();
}

llvm::Expected<std::string> makePtx(const std::vector<CarriedCode> &codes, const GpuTarget &device) {
  if (codes.size() == 1 && codes.front().isPtx) return codes.front().content;
  for (const CarriedCode &code : codes)
    if (code.isPtx) return failure(code.options.source + ": PTX cannot be linked with other code yet");
  const GpuTarget target = targetFor(codes, device);
  const std::unique_ptr<llvm::TargetMachine> machine = makeGpuMachine(target);
  if (!machine) return failure("this LLVM has no back end for NVPTX");
  llvm::LLVMContext context;
  std::vector<ClusterRule> rules;
  auto all = linkCodes(codes, target.isLoaded, context, rules);
  if (!all) return all.takeError();
  llvm::Module &module = **all;
  setTriple(module, machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  describeThreads(module);
  for (const std::string &error : {launchKernels(module), linkGpuLibrary(module, target), callGpuMath(module)})
    if (!error.empty()) return failure(error);
  writeFences(module);
  hideFunctions(module);
  dropAttributes(module);
  dropUnused(module);
  if (const auto missing = missingFunctions(module); !missing.empty())
    return failure(codes.front().options.source + ": no code for a GPU: " + llvm::join(missing, ", ") +
                   (missing.size() == 1 ? " has" : " have") + " no meaning there yet");
  optimiseForGpu(module, *machine, std::max(codes.front().options.optimisation, 1u));
  for (const ClusterRule &rule : rules)
    if (rule.countsClusters && target.architecture < firstWithClusters)
      return failure("__block_size__() of " + rule.kernel + " needs a GPU of 9.0 or newer");
  auto ptx = writePtx(module, *machine);
  if (ptx && target.architecture >= firstWithClusters) addClusterRules(*ptx, rules);
  return ptx;
}

}  // namespace hostwarp::compiler
