#include "compiler/device/optimise_and_emit.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Options &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string triple = llvm::sys::getDefaultTargetTriple(), error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // the front end marks what may contract
  targetOptions.UseInitArray = true;                           // not every linker runs what stands in .ctors
  auto level = options.optimisation == 0   ? llvm::CodeGenOptLevel::None
               : options.optimisation == 1 ? llvm::CodeGenOptLevel::Less
                                           : llvm::CodeGenOptLevel::Default;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "generic", "", targetOptions, llvm::Reloc::PIC_, std::nullopt, level));
}

static llvm::OptimizationLevel pipelineLevel(unsigned level) {
  if (level == 0) return llvm::OptimizationLevel::O0;
  if (level == 1) return llvm::OptimizationLevel::O1;
  return level == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

namespace {

// Pipeline holds the analyses that a run of LLVM's passes shares.
class Pipeline {
 public:
  explicit Pipeline(llvm::TargetMachine &machine) : builder_(&machine) {
    addSpinYields(builder_);
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(sccs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  llvm::PassBuilder &builder() { return builder_; }
  void run(llvm::ModulePassManager passes, llvm::Module &module) { passes.run(module, modules_); }
  void run(llvm::FunctionPassManager &passes, llvm::Function &function) { passes.run(function, functions_); }

 private:
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
};

// hoistFromThreadLoops() takes out of the loops over threads what all threads have in common.
llvm::FunctionPassManager hoistFromThreadLoops() {
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  loops.addPass(llvm::SimpleLoopUnswitchPass());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass()));
  return passes;
}

}  // namespace

void simplify(DeviceModule &device, llvm::TargetMachine &machine) {
  if (device.options.optimisation == 0) return;
  Pipeline pipeline(machine);
  pipeline.run(pipeline.builder().buildModuleSimplificationPipeline(pipelineLevel(device.options.optimisation),
                                                                    llvm::ThinOrFullLTOPhase::None),
               device.module);
}

void simplifyThreadLoops(DeviceModule &device, llvm::TargetMachine &machine) {
  Pipeline pipeline(machine);
  llvm::FunctionPassManager passes = hoistFromThreadLoops();
  for (const Kernel &kernel : device.kernels)
    if (llvm::Function *loop = kernel.blockEntry[HW_ISA_BASELINE]) pipeline.run(passes, *loop);
}

void optimise(DeviceModule &device, llvm::TargetMachine &machine) {
  Pipeline pipeline(machine);
  llvm::OptimizationLevel level = pipelineLevel(device.options.optimisation);
  pipeline.run(level == llvm::OptimizationLevel::O0
                   ? pipeline.builder().buildO0DefaultPipeline(level)
                   : pipeline.builder().buildModuleOptimizationPipeline(level, llvm::ThinOrFullLTOPhase::None),
               device.module);
  lowerSelf(device);
}

static bool emitObject(DeviceModule &device, llvm::TargetMachine &machine, llvm::raw_pwrite_stream &out) {
  llvm::legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, out, nullptr, llvm::CodeGenFileType::ObjectFile)) return false;
  codegen.run(device.module);
  return true;
}

bool emit(DeviceModule &device, llvm::TargetMachine &machine) {
  std::error_code failed;
  llvm::raw_fd_ostream out(device.options.output, failed, llvm::sys::fs::OF_None);
  if (failed) {
    device.errors.push_back("hwcc-device: error: cannot write '" + device.options.output + "': " + failed.message());
    return false;
  }
  if (device.options.emitLlvm) {
    device.module.print(out, nullptr);
    return true;
  }
  return emitObject(device, machine, out);
}

}  // namespace hostwarp::compiler
